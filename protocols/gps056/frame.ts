import { identifyBytes, lengthPrefixed, type Pattern, type PatternByte } from '#codec/framing';

/** marks, two digits of the length, and `#`: what the length does not count */
const ADDED_BYTES = 5;
export const TYPE_AT = 4;
export const ID_AT = 11;
export const CONTENT_AT = 26;
export const MAX_FRAME_BYTES = 99 + ADDED_BYTES;

const letter = [0x41, 0x5a] as const;
const digits = (count: number): PatternByte[] => Array.from({ length: count }, () => 'digit');

/** Two marks, the length, a type of four letters with three characters of its own behind it, the IMEI. */
const START: Pattern = [0x24, 0x24, ...digits(2), letter, letter, letter, letter, 'any', 'any', 'any', ...digits(15)];

export const frame = lengthPrefixed({
  starts: [START],
  head: CONTENT_AT,
  length: (bytes) => (bytes[2]! - 0x30) * 10 + bytes[3]! - 0x30 + ADDED_BYTES,
  minBytes: CONTENT_AT + 1,
  maxBytes: MAX_FRAME_BYTES,
  tail: [0x23],
});

export const identify = identifyBytes(START);
