import { crc16Modbus } from '#codec';
import { lengthPrefixed, type Match } from '#codec/framing';

const LENGTH_MASK = 0x0fff;
const CRC_BYTES = 2;
/** behind the length, before the body */
export const HEAD_BYTES = 4;
/** length and checksum, which the length does not count */
const ADDED_BYTES = 4;
const SMALLEST = HEAD_BYTES + CRC_BYTES;
export const MAX_FRAME_BYTES = LENGTH_MASK + ADDED_BYTES;

export const LOGIN = 0;
export const RECORDS = 1;
export const kindOf = (bytes: Uint8Array): number => bytes[1]! >> 6;

const LATER_STRUCTURE = 0x10;
/** The bit before the length is set in all messages with masks of blocks, and clear in those of GT-10 and GT-20 of 2013. */
export const isEarlier = (bytes: Uint8Array): boolean => (bytes[1]! & LATER_STRUCTURE) === 0;

/** There is no marker: a length that cannot be ends the stream. */
export const frame = lengthPrefixed({
  head: 2,
  length: { at: 0, bytes: 2, order: 'little', mask: LENGTH_MASK, adds: ADDED_BYTES },
  minBytes: SMALLEST,
  maxBytes: MAX_FRAME_BYTES,
});

/** CRC-16/MODBUS of everything before it. */
export function verify(bytes: Uint8Array): boolean {
  const at = bytes.length - CRC_BYTES;
  return at >= HEAD_BYTES && crc16Modbus(bytes, 0, at) === (bytes[at]! | (bytes[at + 1]! << 8));
}

const IMEI_BYTES = 15;
const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;

/** A login: its kind, a length that has room for the IMEI, and its digits. */
export function identify(bytes: Uint8Array): Match {
  if (bytes.length > 1) {
    const length = (bytes[0]! | (bytes[1]! << 8)) & LENGTH_MASK;
    if (kindOf(bytes) !== LOGIN || length < 2 + IMEI_BYTES || length > 2 * (2 + IMEI_BYTES)) return 'no';
  }
  if (!bytes.subarray(HEAD_BYTES, HEAD_BYTES + IMEI_BYTES).every(isDigit)) return 'no';
  return bytes.length < HEAD_BYTES + IMEI_BYTES ? 'more' : 'yes';
}
