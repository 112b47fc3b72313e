import { sum8 } from './checksums.ts';
import type { Framing } from './framing/framing.ts';
import { lengthPrefixed } from './framing/length-prefixed.ts';
import type { Starts } from './framing/starts.ts';
import { fromLatin1 } from './reader.ts';
import { hexByte, isHexByte } from './text/digits.ts';
import { type Match, matchesOpening } from './text-frame.ts';

/** Messages that begin with a mark twice, a flag where they have one, their length in decimal, and a comma. */
export interface CountedText {
  /** `$` for `$$` */
  readonly mark: number;
  /** a byte between mark and length that counts the messages */
  readonly hasFlag: boolean;
  /** bytes behind those that the length counts; it counts from the comma on, the comma included */
  readonly trailingBytes: number;
  /** what a length is at the least */
  readonly minLength: number;
  readonly maxBytes: number;
}

const COMMA = 0x2c;
const ZERO = 0x30;
const MAX_DIGITS = 5;

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;

/** Does such a message begin here? */
export function beginsCounted(bytes: Uint8Array, at: number, { mark, hasFlag }: CountedText): Match {
  if (bytes[at] !== mark) return 'no';
  const digits = hasFlag ? 3 : 2;
  for (let i = 1; i <= digits + MAX_DIGITS; i++) {
    const byte = bytes[at + i];
    if (byte === undefined) return 'more';
    if (i === 1 && byte !== mark) return 'no';
    if (i === 2 && hasFlag && (byte < 0x21 || byte > 0x7e)) return 'no';
    if (i > digits && byte === COMMA) return 'yes';
    if (i >= digits && !isDigit(byte)) return 'no';
  }
  return 'no';
}

/** Frames by the length in their text. What does not verify may have had a length by accident. */
export function countedText(rules: CountedText): Framing {
  const { mark, hasFlag, trailingBytes, minLength, maxBytes } = rules;
  const digits = hasFlag ? 3 : 2;
  // No frame is smaller; a length of one digit.
  const head = Math.min(digits + 1 + minLength + trailingBytes, digits + MAX_DIGITS + 1);
  const starts: Starts = {
    bytes: head,
    begins: (bytes, at) => beginsCounted(bytes, at, rules),
    find: (bytes, from) => {
      let at = bytes.indexOf(mark, from);
      // The digit first: a run of marks agrees with the others.
      while (at >= 0 && (!isDigit(bytes[at + digits] ?? ZERO) || beginsCounted(bytes, at, rules) === 'no'))
        at = bytes.indexOf(mark, at + 1);
      return at < 0 ? bytes.length : at;
    },
  };
  const length = (bytes: Uint8Array): number | undefined => {
    let count = 0;
    let at = digits;
    for (; bytes[at] !== COMMA; at++) {
      if (at === bytes.length) return at + 1;
      count = count * 10 + bytes[at]! - ZERO;
    }
    return count < minLength ? undefined : at + count + trailingBytes;
  };
  return lengthPrefixed({ starts, head, length, minBytes: minLength, maxBytes, resumeAt: digits });
}

/** Whether a message begins here, and its first `most` bytes are those of an opening. */
export function identifyCounted(bytes: Uint8Array, rules: CountedText, opening: RegExp, most: number): Match {
  const match = bytes.length === 0 ? 'more' : beginsCounted(bytes, 0, rules);
  return match === 'yes' ? matchesOpening(bytes, opening, most, '\n') : match;
}

/** Two upper-case hex digits of the sum of all bytes. */
const sumDigits = (bytes: Uint8Array): string => hexByte(sum8(bytes));

/** A text with the sum of its bytes and a line end behind it. */
export function withSum(text: string): Uint8Array {
  return fromLatin1(`${text}${sumDigits(fromLatin1(text))}\r\n`);
}

/** Whether the two digits at `at`, in either case, are the sum of the bytes before them. */
export const hasSum = (bytes: Uint8Array, at: number): boolean => at >= 0 && isHexByte(bytes, at, sum8(bytes, 0, at));
