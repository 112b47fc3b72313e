/** Checksums over `bytes[start, end)`. Names and parameters as in the CRC catalogue (reveng). */

/**
 * Four tables of 256 in one: what a byte does to the checksum when 0, 1, 2 or 3 bytes follow it. Four bytes are then
 * taken at a time with loads that do not wait for each other.
 */
function tables(
  crcOfByte: (byte: number) => number,
  afterZero: (crc: number, first: Uint16Array) => number,
): Uint16Array {
  const all = new Uint16Array(4 * 256);
  for (let byte = 0; byte < 256; byte++) all[byte] = crcOfByte(byte);
  for (let at = 256; at < all.length; at++) all[at] = afterZero(all[at - 256]!, all);
  return all;
}

const reflectedTables = (polynomial: number): Uint16Array =>
  tables(
    (byte) => {
      let crc = byte;
      for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ polynomial : crc >>> 1;
      return crc;
    },
    (crc, first) => (crc >>> 8) ^ first[crc & 0xff]!,
  );

const forwardTables = (polynomial: number): Uint16Array =>
  tables(
    (byte) => {
      let crc = byte << 8;
      for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ polynomial : crc << 1;
      return crc & 0xffff;
    },
    (crc, first) => ((crc << 8) & 0xffff) ^ first[crc >>> 8]!,
  );

const table8005 = reflectedTables(0xa001);
const table1021Reflected = reflectedTables(0x8408);
const table1021 = forwardTables(0x1021);

function reflected(table: Uint16Array, init: number, bytes: Uint8Array, start: number, end: number): number {
  let crc = init;
  let at = start;
  for (; at + 4 <= end; at += 4) {
    crc =
      table[768 + ((crc ^ bytes[at]!) & 0xff)]! ^
      table[512 + ((crc >>> 8) ^ bytes[at + 1]!)]! ^
      table[256 + bytes[at + 2]!]! ^
      table[bytes[at + 3]!]!;
  }
  for (; at < end; at++) crc = (crc >>> 8) ^ table[(crc ^ bytes[at]!) & 0xff]!;
  return crc;
}

function forward(table: Uint16Array, init: number, bytes: Uint8Array, start: number, end: number): number {
  let crc = init;
  let at = start;
  for (; at + 4 <= end; at += 4) {
    crc =
      table[768 + ((crc >>> 8) ^ bytes[at]!)]! ^
      table[512 + ((crc & 0xff) ^ bytes[at + 1]!)]! ^
      table[256 + bytes[at + 2]!]! ^
      table[bytes[at + 3]!]!;
  }
  for (; at < end; at++) crc = ((crc << 8) & 0xffff) ^ table[((crc >>> 8) ^ bytes[at]!) & 0xff]!;
  return crc;
}

/** CRC-16/ARC: polynomial 8005 reflected, init 0. */
export const crc16Arc = (bytes: Uint8Array, start = 0, end = bytes.length): number =>
  reflected(table8005, 0, bytes, start, end);

/** CRC-16/MODBUS: polynomial 8005 reflected, init FFFF. */
export const crc16Modbus = (bytes: Uint8Array, start = 0, end = bytes.length): number =>
  reflected(table8005, 0xffff, bytes, start, end);

/** CRC-16/X-25 (IBM-SDLC): polynomial 1021 reflected, init FFFF, xorout FFFF. */
export const crc16X25 = (bytes: Uint8Array, start = 0, end = bytes.length): number =>
  reflected(table1021Reflected, 0xffff, bytes, start, end) ^ 0xffff;

/** CRC-16/KERMIT: polynomial 1021 reflected, init 0. */
export const crc16Kermit = (bytes: Uint8Array, start = 0, end = bytes.length): number =>
  reflected(table1021Reflected, 0, bytes, start, end);

/** CRC-16/XMODEM: polynomial 1021, init 0. */
export const crc16Xmodem = (bytes: Uint8Array, start = 0, end = bytes.length): number =>
  forward(table1021, 0, bytes, start, end);

/** CRC-16/IBM-3740, often called CCITT-FALSE: polynomial 1021, init FFFF. */
export const crc16CcittFalse = (bytes: Uint8Array, start = 0, end = bytes.length): number =>
  forward(table1021, 0xffff, bytes, start, end);

const table31 = new Uint8Array(256);
for (let byte = 0; byte < 256; byte++) {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x80 ? ((crc << 1) ^ 0x31) & 0xff : crc << 1;
  table31[byte] = crc;
}

/** CRC-8/NRSC-5: polynomial 31, init FF. */
export function crc8Nrsc5(bytes: Uint8Array, start = 0, end = bytes.length): number {
  let crc = 0xff;
  for (let at = start; at < end; at++) crc = table31[crc ^ bytes[at]!]!;
  return crc;
}

/** A 16-bit checksum of `bytes[start, end)`. */
export type Crc16 = (bytes: Uint8Array, start?: number, end?: number) => number;

interface TrailingCrc16 {
  /** offset of the first byte that the checksum covers; default: 0 */
  readonly from?: number;
  /** bytes behind the checksum; default: 0 */
  readonly behind?: number;
  /** smallest frame that has a checksum; default: the checksum and what surrounds it */
  readonly minBytes?: number;
}

/** `verify` of frames that end with a CRC-16 of the bytes before it. */
export function trailingCrc16(
  crc: Crc16,
  order: 'big' | 'little',
  { from = 0, behind = 0, minBytes = from + 2 + behind }: TrailingCrc16 = {},
): (frame: Uint8Array) => boolean {
  return (frame) => {
    const at = frame.length - behind - 2;
    if (frame.length < minBytes) return false;
    const [first, second] = [frame[at]!, frame[at + 1]!];
    return crc(frame, from, at) === (order === 'big' ? (first << 8) | second : first | (second << 8));
  };
}

/** XOR of all bytes. */
export function xor8(bytes: Uint8Array, start = 0, end = bytes.length): number {
  let sum = 0;
  for (let at = start; at < end; at++) sum ^= bytes[at]!;
  return sum;
}

/** Sum of all bytes modulo 256. */
export function sum8(bytes: Uint8Array, start = 0, end = bytes.length): number {
  let sum = 0;
  for (let at = start; at < end; at++) sum = (sum + bytes[at]!) & 0xff;
  return sum;
}

/** Check digit of a string of decimal digits (ISO/IEC 7812-1, annex B). */
export function luhnDigit(digits: string): number {
  let sum = 0;
  for (let at = 0; at < digits.length; at++) {
    const digit = digits.charCodeAt(digits.length - 1 - at) - 48;
    const doubled = at % 2 === 0 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return (10 - (sum % 10)) % 10;
}
