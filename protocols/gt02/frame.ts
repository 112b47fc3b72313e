import { lengthPrefixed, type Match } from '#codec/framing';

/** marks and length in front, CR and LF behind: what the length does not count */
const ADDED_BYTES = 5;
/** behind the length: levels, IMEI, serial, type */
const MIN_CONTENT_BYTES = 13;
export const MAX_FRAME_BYTES = 0xff + ADDED_BYTES;
export const TAIL_BYTES = 2;

export const frame = lengthPrefixed({
  starts: [[0x68, 0x68]],
  head: 3,
  length: { at: 2, bytes: 1, adds: ADDED_BYTES },
  minBytes: ADDED_BYTES + MIN_CONTENT_BYTES,
  maxBytes: MAX_FRAME_BYTES,
  tail: [0x0d, 0x0a],
});

const IMEI_AT = 5;
const IMEI_BYTES = 8;
const isBcd = (byte: number): boolean => byte >> 4 < 10 && (byte & 0x0f) < 10;

/** Marks, a length and the digits of an IMEI, of which the first half byte is 0. */
export function identify(bytes: Uint8Array): Match {
  const [first = 0x68, second = 0x68, length = MIN_CONTENT_BYTES, , , digit = 0] = bytes;
  if (first !== 0x68 || second !== 0x68 || length < MIN_CONTENT_BYTES || digit > 9) return 'no';
  const imei = bytes.subarray(IMEI_AT, IMEI_AT + IMEI_BYTES);
  if (!imei.every(isBcd)) return 'no';
  return imei.length < IMEI_BYTES ? 'more' : 'yes';
}
