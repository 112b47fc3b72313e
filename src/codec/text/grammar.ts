import { TextRecord } from './record.ts';
import { type Value, value } from './values.ts';

/** A part of a grammar: the source of a regular expression, and what each of its groups sets. */
export interface Pattern {
  readonly source: string;
  readonly actions: readonly Action[];
}

/** A group's value, or something that is done after the groups before it have been set (`afterFields`). */
type Action = Value | ((record: TextRecord) => void);

/**
 * A text that is matched whole, by one regular expression, where only backtracking finds which fields are there: what
 * may be missing takes as much as it can and gives back. Repetitions must be bounded.
 *
 * Sets what the groups contain and returns the end of the match, or -1 if the text does not match and nothing was set.
 * Text that a value refuses is added to `unread`.
 */
export type Grammar = (text: string, record: TextRecord) => number;

/** Text without a group. Groups inside of sources must not capture. */
const joined = (pieces: readonly (Pattern | string)[]): Pattern => ({
  source: pieces.map((piece) => (typeof piece === 'string' ? piece : piece.source)).join(''),
  actions: pieces.flatMap((piece) => (typeof piece === 'string' ? [] : piece.actions)),
});

/** Text, without what separates it from the next. */
export const capture = (source: string, record?: Value): Pattern =>
  record === undefined
    ? { source: source.includes('|') ? `(?:${source})` : source, actions: [] }
    : { source: `(${source})`, actions: [record] };

/** A field and its comma. */
export const field = (source: string, record?: Value): Pattern => joined([capture(source, record), ',']);

/** A field that may be empty; its comma stays. */
export const optionalField = (source: string, record?: Value): Pattern =>
  joined([optional(capture(source, record)), ',']);

/** Pieces one after another. */
export const sequence = (...pieces: readonly (Pattern | string)[]): Pattern => joined(pieces);

/** Pieces that may be missing altogether. */
export function optional(...pieces: readonly (Pattern | string)[]): Pattern {
  const { source, actions } = joined(pieces);
  return { source: `(?:${source})?`, actions };
}

/** The first of these that lets the whole match. */
export const oneOf = (...pieces: readonly Pattern[]): Pattern => ({
  source: `(?:${pieces.map(({ source }) => source).join('|')})`,
  actions: pieces.flatMap(({ actions }) => actions),
});

/** A piece again and again, a record each: those before the last stand in `earlier`. */
export function repeated(piece: Pattern, most: number): Pattern {
  const each = matcher(piece);
  const record = value((text, last) => {
    let at = 0;
    for (let m = each(text, at); m !== null && m[0] !== ''; m = each(text, at)) {
      at += m[0].length;
      const item = at < text.length ? new TextRecord(last.variables) : last;
      if (item !== last) last.earlier.push(item);
      setGroups(m, piece.actions, item);
    }
    return at === text.length;
  });
  return { source: `((?:${withoutGroups(piece.source)}){1,${most}})`, actions: [record] };
}

const withoutGroups = (source: string): string =>
  source.replace(/\\.|\[(?:\\.|[^\]\\])*\]|\((?!\?)/g, (found) => (found === '(' ? '(?:' : found));

/** Matches at an offset of the text, not after it. */
function matcher({ source }: Pattern): (text: string, at: number) => RegExpExecArray | null {
  const pattern = new RegExp(source, 'ys');
  return (text, at) => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
}

/** A grammar from its pieces, compiled once. */
export function grammar(...pieces: readonly (Pattern | string)[]): Grammar {
  const whole = joined(pieces);
  const match = matcher(whole);
  return (text, record) => {
    const m = match(text, 0);
    if (m === null) return -1;
    setGroups(m, whole.actions, record);
    return m[0].length;
  };
}

function setGroups(m: RegExpExecArray, actions: readonly Action[], record: TextRecord): void {
  let group = 1;
  for (const act of actions) {
    if (typeof act === 'function') {
      act(record);
      continue;
    }
    const text = m[group++];
    if (text !== undefined && text !== '' && !act.set(text, record)) record.unread.push(text);
  }
}
