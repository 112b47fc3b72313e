import { crc16Modbus, trailingCrc16 } from '#codec';
import { identifyBytes, lengthPrefixed } from '#codec/framing';

const LENGTH_MASK = 0x0fff;
const CRC_BYTES = 2;
/** behind the length, before the body */
export const HEAD_BYTES = 4;
/** length and checksum, which the length does not count */
const ADDED_BYTES = 4;
const MIN_FRAME_BYTES = HEAD_BYTES + CRC_BYTES;
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
  minBytes: MIN_FRAME_BYTES,
  maxBytes: MAX_FRAME_BYTES,
});

/** CRC-16/MODBUS of everything before it. */
export const verify = trailingCrc16(crc16Modbus, 'little', { minBytes: MIN_FRAME_BYTES });

const IMEI_DIGITS = Array.from({ length: 15 }, () => 'digit' as const);
/** The body of a login is the IMEI and at least two bytes; at most twice as much. */
const LOGIN_BYTES = [17, 34] as const;
/** The second byte of a login: bits 4 and 5 do not decide, the lower four are those of a length above 255. */
const LOGIN_FLAGS = [0x00, 0x10, 0x20, 0x30];

/** A login: its kind, a length that has room for the IMEI, and its digits. */
export const identify = identifyBytes(
  ...LOGIN_FLAGS.map((flags) => [LOGIN_BYTES, flags, 'any', 'any', ...IMEI_DIGITS] as const),
);
