import type { Match } from '../text-frame.ts';

/**
 * One byte of a pattern: its value, a range `[least, most]`, `bcd` (two decimal digits), `digit` (ASCII), `word` (ASCII
 * digit or capital letter), or `any`.
 */
export type PatternByte = number | readonly [least: number, most: number] | 'bcd' | 'digit' | 'word' | 'any';

/** The first bytes of a frame: ASCII text, or byte by byte. The first byte is never `any`. */
export type Pattern = string | readonly PatternByte[];

/** Where frames begin in a stream. */
export interface Starts {
  /** Does a frame begin at `at`? `more`: the bytes end too early to decide. */
  begins(bytes: Uint8Array, at: number): Match;
  /**
   * The first offset in `[from, bytes.length)` where a frame begins, or, less than `bytes` before the end, may begin;
   * `bytes.length` if there is none.
   */
  find(bytes: Uint8Array, from: number): number;
  /** number of bytes that decide */
  readonly bytes: number;
}

/** A byte of a pattern, and the bytes that it allows; those that allow any are left out. */
interface Step {
  readonly offset: number;
  readonly allowed: Uint8Array;
}

function allows(byte: PatternByte): Uint8Array {
  const table = new Uint8Array(256);
  for (let value = 0; value < 256; value++) table[value] = matchesByte(byte, value) ? 1 : 0;
  return table;
}

const isDigit = (value: number): boolean => value >= 0x30 && value <= 0x39;

function matchesByte(byte: PatternByte, value: number): boolean {
  if (typeof byte === 'number') return byte === value;
  if (byte === 'any') return true;
  if (byte === 'bcd') return value <= 0x99 && (value & 0x0f) <= 9;
  if (byte === 'digit') return isDigit(value);
  if (byte === 'word') return isDigit(value) || (value >= 0x41 && value <= 0x5a);
  return value >= byte[0] && value <= byte[1];
}

function compile(pattern: Pattern): readonly Step[] {
  const bytes: readonly PatternByte[] =
    typeof pattern === 'string' ? Array.from(pattern, (character) => character.charCodeAt(0)) : pattern;
  return bytes.flatMap((byte, offset): Step[] => (byte === 'any' ? [] : [{ offset, allowed: allows(byte) }]));
}

/** The bytes before `from` have chosen the pattern. */
function compare(bytes: Uint8Array, at: number, steps: readonly Step[], from: number, end = steps.length): Match {
  for (let i = from; i < end; i++) {
    const { offset, allowed } = steps[i]!;
    const byte = bytes[at + offset];
    if (byte === undefined) return 'more';
    if (allowed[byte] === 0) return 'no';
  }
  return 'yes';
}

/**
 * Starts from their patterns. A stream is searched by the first byte: natively where there is only one, by a table
 * otherwise.
 */
export function startsOf(patterns: readonly Pattern[]): Starts {
  const all = patterns.map(compile);
  const byFirst = Array.from({ length: 256 }, (_, byte) => all.filter(([first]) => first!.allowed[byte] === 1));
  const firsts = byFirst.flatMap((list, byte) => (list.length > 0 ? [byte] : []));
  const bySecond = byFirst.map((list) => (list.length > 1 ? secondsOf(list) : undefined));
  const begins = (bytes: Uint8Array, at: number): Match => {
    const first = bytes[at];
    if (first === undefined) return 'more';
    const seconds = bySecond[first];
    if (seconds === undefined) return beginsOneOf(byFirst[first]!, bytes, at, 1);
    const second = bytes[at + 1];
    return second === undefined ? 'more' : beginsOneOf(seconds[second]!, bytes, at, 2);
  };
  const longest = Math.max(...all.map((steps) => steps.at(-1)!.offset + 1));
  const only = firsts.length === 1 ? firsts[0]! : undefined;
  const isCandidate = (bytes: Uint8Array, at: number, first: number): boolean => {
    const seconds = bySecond[first];
    if (seconds === undefined) return mayBegin(byFirst[first]!, bytes, at);
    const second = bytes[at + 1];
    return second === undefined || mayBegin(seconds[second]!, bytes, at, 2);
  };
  return {
    begins,
    bytes: longest,
    find: (bytes, from) => {
      if (only !== undefined) {
        let at = bytes.indexOf(only, from);
        while (at >= 0 && !isCandidate(bytes, at, only)) at = bytes.indexOf(only, at + 1);
        return at < 0 ? bytes.length : at;
      }
      for (let at = from; at < bytes.length; at++) {
        const first = bytes[at]!;
        if (byFirst[first]!.length > 0 && isCandidate(bytes, at, first)) return at;
      }
      return bytes.length;
    },
  };
}

/** Patterns by their second byte; undefined if one has no second byte. */
function secondsOf(list: readonly (readonly Step[])[]): (readonly (readonly Step[])[])[] | undefined {
  if (list.some((steps) => steps[1]?.offset !== 1)) return undefined;
  return Array.from({ length: 256 }, (_, second) => list.filter((steps) => steps[1]!.allowed[second] === 1));
}

/** The last byte of a pattern is compared first, since a run of one byte agrees with the others; then those `from` on. */
function mayBegin(list: readonly (readonly Step[])[], bytes: Uint8Array, at: number, from = 1): boolean {
  for (const steps of list) {
    if (steps.length <= from) return true;
    const { offset, allowed } = steps.at(-1)!;
    const last = bytes[at + offset];
    if (
      last === undefined
        ? compare(bytes, at, steps, from) !== 'no'
        : allowed[last] === 1 && isRest(bytes, at, steps, from)
    )
      return true;
  }
  return false;
}

const isRest = (bytes: Uint8Array, at: number, steps: readonly Step[], from: number): boolean =>
  compare(bytes, at, steps, from, steps.length - 1) !== 'no';

function beginsOneOf(list: readonly (readonly Step[])[], bytes: Uint8Array, at: number, from: number): Match {
  let result: Match = 'no';
  for (const steps of list) {
    const match = compare(bytes, at, steps, from);
    if (match === 'yes') return 'yes';
    if (match === 'more') result = 'more';
  }
  return result;
}

/** Starts that are found by a function, which reads at most `bytes` bytes from `at` on. */
export const startsBy = (bytes: number, begins: (bytes: Uint8Array, at: number) => Match): Starts => ({
  begins,
  bytes,
  find: (stream, from) => {
    let at = from;
    while (at < stream.length && begins(stream, at) === 'no') at += 1;
    return at;
  },
});

/** Starts of any of several kinds of frame. */
export const startsOfAll = (all: readonly Starts[]): Starts => ({
  begins: (bytes, at) => {
    let result: Match = 'no';
    for (const starts of all) {
      const match = starts.begins(bytes, at);
      if (match === 'yes') return 'yes';
      if (match === 'more') result = 'more';
    }
    return result;
  },
  bytes: Math.max(...all.map(({ bytes }) => bytes)),
  // Byte by byte: one kind that is far away must not be searched again for every start of another.
  find: (bytes, from) => {
    for (let at = from; at < bytes.length; at++)
      for (const starts of all) if (starts.begins(bytes, at) !== 'no') return at;
    return bytes.length;
  },
});

/** Starts from patterns; what already is such stays the same. */
export const toStarts = (starts: readonly Pattern[] | Starts): Starts =>
  'find' in starts && 'begins' in starts ? starts : startsOf(starts);
