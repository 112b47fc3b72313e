import { type Match, matchesOpening, startsWith } from '../text-frame.ts';
import { type Pattern, startsOf } from './starts.ts';

type Identify = (bytes: Uint8Array) => Match;

interface TextIdentity {
  /** first characters of a message, or where they are more than one text, how far the bytes agree with them */
  readonly start: string | ((bytes: Uint8Array, at: number) => Match);
  /** what the first characters look like, and how many of them decide */
  readonly opening?: readonly [pattern: RegExp, most: number];
  /** first character behind a message; default: LF */
  readonly end?: string;
}

/** `identify` of a text protocol: by its start, and by what the first message looks like. */
export function identifyText({ start, opening, end = '\n' }: TextIdentity): Identify {
  const begins = typeof start === 'string' ? (b: Uint8Array, at: number) => startsWith(b, at, start) : start;
  return (bytes) => {
    const match = bytes.length === 0 ? 'more' : begins(bytes, 0);
    if (match !== 'yes' || opening === undefined) return match;
    return matchesOpening(bytes, opening[0], opening[1], end);
  };
}

/**
 * `identify` of a binary protocol by the first bytes of a connection: a value, a range or a kind of digit for each byte,
 * and `any` for a byte that does not decide. Several patterns are alternatives.
 */
export function identifyBytes(...patterns: readonly Pattern[]): Identify {
  const starts = startsOf(patterns);
  return (bytes) => starts.begins(bytes, 0);
}
