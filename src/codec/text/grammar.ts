import { Told } from './told.ts';
import { type Value, value } from './values.ts';

/** A piece of a grammar: the source of a regular expression, and what each of its groups tells. */
export interface Piece {
  readonly source: string;
  readonly acts: readonly Act[];
}

/** A group's value, or something that is done once the groups before it are told (`after`). */
type Act = Value | ((told: Told) => void);

/**
 * A text that is matched whole, by one regular expression, where only backtracking finds which fields are there: what
 * may be missing takes as much as it can and gives back. Repetitions must be bounded.
 *
 * Tells what the text says; where the match ends, or -1 where there is none and nothing was told. Groups whose text is
 * refused by their value stand in `unread`.
 */
export type Grammar = (text: string, told: Told) => number;

/** Text without a group. Groups inside of sources must not capture. */
const joined = (pieces: readonly (Piece | string)[]): Piece => ({
  source: pieces.map((piece) => (typeof piece === 'string' ? piece : piece.source)).join(''),
  acts: pieces.flatMap((piece) => (typeof piece === 'string' ? [] : piece.acts)),
});

/** Text, without what separates it from the next. */
export const capture = (source: string, told?: Value): Piece =>
  told === undefined
    ? { source: source.includes('|') ? `(?:${source})` : source, acts: [] }
    : { source: `(${source})`, acts: [told] };

/** A field and its comma. */
export const field = (source: string, told?: Value): Piece => joined([capture(source, told), ',']);

/** A field that may be empty; its comma stays. */
export const maybe = (source: string, told?: Value): Piece => joined([optional(capture(source, told)), ',']);

/** Pieces one after another. */
export const sequence = (...pieces: readonly (Piece | string)[]): Piece => joined(pieces);

/** Pieces that may be missing altogether. */
export function optional(...pieces: readonly (Piece | string)[]): Piece {
  const { source, acts } = joined(pieces);
  return { source: `(?:${source})?`, acts };
}

/** The first of these that lets the whole match. */
export const oneOf = (...pieces: readonly Piece[]): Piece => ({
  source: `(?:${pieces.map(({ source }) => source).join('|')})`,
  acts: pieces.flatMap(({ acts }) => acts),
});

/** A piece again and again, a record each: those before the last stand in `earlier`. */
export function repeated(piece: Piece, most: number): Piece {
  const each = matcher(piece);
  const told = value((text, last) => {
    let at = 0;
    for (let m = each(text, at); m !== null && m[0] !== ''; m = each(text, at)) {
      at += m[0].length;
      const record = at < text.length ? new Told(last.facts) : last;
      if (record !== last) last.earlier.push(record);
      tellGroups(m, piece.acts, record);
    }
    return at === text.length;
  });
  return { source: `((?:${withoutGroups(piece.source)}){1,${most}})`, acts: [told] };
}

const withoutGroups = (source: string): string =>
  source.replace(/\\.|\[(?:\\.|[^\]\\])*\]|\((?!\?)/g, (found) => (found === '(' ? '(?:' : found));

/** Matches at a place of the text, not behind it. */
function matcher({ source }: Piece): (text: string, at: number) => RegExpExecArray | null {
  const pattern = new RegExp(source, 'ys');
  return (text, at) => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
}

export function grammar(...pieces: readonly (Piece | string)[]): Grammar {
  const whole = joined(pieces);
  const match = matcher(whole);
  return (text, told) => {
    const m = match(text, 0);
    if (m === null) return -1;
    tellGroups(m, whole.acts, told);
    return m[0].length;
  };
}

function tellGroups(m: RegExpExecArray, acts: readonly Act[], told: Told): void {
  let group = 1;
  for (const act of acts) {
    if (typeof act === 'function') {
      act(told);
      continue;
    }
    const text = m[group++];
    if (text !== undefined && text !== '' && !act.tell(text, told)) told.unread.push(text);
  }
}
