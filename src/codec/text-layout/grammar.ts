import type { Told } from './told.ts';
import type { Value } from './values.ts';

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
 */
export interface Grammar {
  /**
   * Tells what the text says; where the match ends, or -1 where there is none and nothing was told. Groups whose text is
   * refused by their value stand in `unread`.
   */
  read(text: string, told: Told): number;
  /** The same, again and again from the start on, a record each; where the last ends. */
  readAll(text: string, next: () => Told): number;
}

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

/** A piece again and again, as one group of its own: what it tells is not told, but its text. */
export const repeated = ({ source }: Piece, most: number, told: Value): Piece => ({
  source: `((?:${withoutGroups(source)}){1,${most}})`,
  acts: [told],
});

const withoutGroups = (source: string): string =>
  source.replace(/\\.|\[(?:\\.|[^\]\\])*\]|\((?!\?)/g, (found) => (found === '(' ? '(?:' : found));

export function grammar(...pieces: readonly (Piece | string)[]): Grammar {
  const { source, acts } = joined(pieces);
  const pattern = new RegExp(source, 'ys');
  const matchAt = (text: string, at: number): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  return {
    read: (text, told) => {
      const m = matchAt(text, 0);
      if (m === null) return -1;
      tellGroups(m, acts, told);
      return m[0].length;
    },
    readAll: (text, next) => {
      let at = 0;
      for (let m = matchAt(text, at); m !== null && m[0] !== ''; m = matchAt(text, at)) {
        tellGroups(m, acts, next());
        at += m[0].length;
      }
      return at;
    },
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
