import { fromLatin1, toLatin1 } from '../reader.ts';
import { hexByte, isHexByte } from '../text/digits.ts';
import { matchesOpening, startsWith } from '../text-frame.ts';
import { delimited } from './delimited.ts';
import type { Framing } from './framing.ts';

/** Text messages of both sides: a start, content, two hex digits of a checksum, CR and LF. */
export interface SentenceTable {
  /** first characters of a sentence */
  readonly start: string;
  /** largest sentence with its line end, in bytes */
  readonly maxBytes: number;
  /** Checksum of what stands between the first character and the `*` before the two hex digits; absent: there is none. */
  readonly checksum?: (bytes: Uint8Array, start: number, end: number) => number;
  /** What the first sentence of a connection looks like, if other protocols have the same start. */
  readonly opening?: RegExp;
}

export interface Sentences {
  readonly frame: Framing;
  readonly verify?: (frame: Uint8Array) => boolean;
  readonly MAX_FRAME_BYTES: number;
  identify(bytes: Uint8Array): 'yes' | 'no' | 'more';
  /** What stands between start and checksum of a frame. */
  contentOf(frame: Uint8Array): string;
  /** A sentence with this content. */
  write(content: string): Uint8Array;
}

const MARK = 1;
const STAR = 0x2a;
/** star and two hex digits */
const TAIL = 3;
const MOST_OPENING = 64;

/** The framing of sentences, their checksum, and their content. */
export function sentences({ start, maxBytes, checksum, opening }: SentenceTable): Sentences {
  const verify = (frame: Uint8Array): boolean => {
    const star = frame.length - TAIL;
    return star > MARK && frame[star] === STAR && isHexByte(frame, star + 1, checksum!(frame, MARK, star));
  };
  return {
    frame: delimited({ starts: [start], ends: ['\n'], maxBytes, content: 'line' }),
    ...(checksum && { verify }),
    MAX_FRAME_BYTES: maxBytes,
    identify: identifyText({ start, ...(opening && { opening: [opening, MOST_OPENING] }) }),
    contentOf: (frame) => toLatin1(frame, start.length, frame.length - (checksum ? TAIL : 0)),
    write: (content) => {
      const text = start + content;
      const sum = checksum?.(fromLatin1(text), MARK, text.length);
      return fromLatin1(sum === undefined ? `${text}\r\n` : `${text}*${hexByte(sum)}\r\n`);
    },
  };
}

export interface TextIdentity {
  /** first characters of a message, or where they are more than one text, how far the bytes agree with them */
  readonly start: string | ((bytes: Uint8Array, at: number) => 'yes' | 'no' | 'more');
  /** what the first characters look like, and how many of them decide */
  readonly opening?: readonly [pattern: RegExp, most: number];
  /** first character behind a message; default: LF */
  readonly end?: string;
}

/** `identify` of a text protocol: by its start, and by what the first message looks like. */
export function identifyText({ start, opening, end = '\n' }: TextIdentity): Sentences['identify'] {
  const begins = typeof start === 'string' ? (b: Uint8Array, at: number) => startsWith(b, at, start) : start;
  return (bytes) => {
    const match = bytes.length === 0 ? 'more' : begins(bytes, 0);
    if (match !== 'yes' || opening === undefined) return match;
    return matchesOpening(bytes, opening[0], opening[1], end);
  };
}
