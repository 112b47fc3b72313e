import { lengthPrefixed } from '#codec/framing';

export const HEADER_BYTES = 5;
/** Devices send a few kilobytes of records at once. */
export const MAX_FRAME_BYTES = 16_384;
const HEAD = [0x02, 0x55] as const;
/** hello, its answer, records, commits, requests */
const MAX_TYPE = 0x3f;

const isHead = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === HEAD[0] &&
  (at + 1 >= bytes.length || bytes[at + 1] === HEAD[1]) &&
  (at + 2 >= bytes.length || bytes[at + 2]! <= MAX_TYPE);

/** 02 55, type, length of the content. */
export const frame = lengthPrefixed({
  starts: [[...HEAD, [0, MAX_TYPE]]],
  head: HEADER_BYTES,
  length: { at: 3, bytes: 2, order: 'little', adds: HEADER_BYTES },
  minBytes: HEADER_BYTES,
  maxBytes: MAX_FRAME_BYTES,
});

const HELLO = 0x00;
const IMEI_AT = 9;
const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;

/** A hello with the digits of an IMEI. */
export function identify(bytes: Uint8Array): 'yes' | 'no' | 'more' {
  if (!isHead(bytes, 0) || (bytes[2] ?? HELLO) !== HELLO) return 'no';
  if (bytes.length > HEADER_BYTES && bytes[3]! + bytes[4]! * 256 < 4 + 15) return 'no';
  if (!bytes.subarray(IMEI_AT, IMEI_AT + 15).every(isDigit)) return 'no';
  return bytes.length < IMEI_AT + 15 ? 'more' : 'yes';
}
