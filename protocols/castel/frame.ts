import { crc16X25, trailingCrc16, Writer } from '#codec';
import { lengthPrefixed, type Match } from '#codec/framing';

export const MAX_FRAME_BYTES = 4_096;
/** marks, length, version, id, type, checksum, line end; some have no version */
export const MIN_FRAME_BYTES = 31;
const AT = 0x40;
const DOLLAR = 0x24;
export const ID_BYTES = 20;

/** @@ with a version byte, $$ without one. */
export const isVersioned = (bytes: Uint8Array): boolean => bytes[0] === AT;
export const idStart = (bytes: Uint8Array): number => (isVersioned(bytes) ? 5 : 4);

const isMark = (bytes: Uint8Array, at: number): boolean =>
  (bytes[at] === AT || bytes[at] === DOLLAR) && (at + 1 >= bytes.length || bytes[at + 1] === bytes[at]);

export const frame = lengthPrefixed({
  starts: ['@@', '$$'],
  head: 4,
  length: { at: 2, bytes: 2, order: 'little' },
  minBytes: MIN_FRAME_BYTES - 1,
  maxBytes: MAX_FRAME_BYTES,
  resumeAt: 1,
});

/** CRC-16/X-25 from the marks to itself. */
const isIntact = trailingCrc16(crc16X25, 'little', { behind: 2, minBytes: MIN_FRAME_BYTES - 1 });
export const verify = (bytes: Uint8Array): boolean => bytes.at(-2) === 0x0d && bytes.at(-1) === 0x0a && isIntact(bytes);

/** A message of the server. Without a version there is no byte for it. */
export function seal(version: number | undefined, id: Uint8Array, type: number, content: Uint8Array): Uint8Array {
  const length = (version === undefined ? MIN_FRAME_BYTES - 1 : MIN_FRAME_BYTES) + content.length;
  const writer = new Writer(length).u8(AT).u8(AT).u16LE(length);
  if (version !== undefined) writer.u8(version);
  writer.raw(id).u16(type).raw(content).u32(0x0d0a);
  const bytes = writer.finish();
  const crc = crc16X25(bytes, 0, length - 4);
  bytes[length - 4] = crc & 0xff;
  bytes[length - 3] = crc >> 8;
  return bytes;
}

const isIdByte = (byte: number): boolean =>
  byte === 0 || byte === 0x20 || byte === 0x2d || (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x7a);

/** The marks, a length in two binary bytes, an id in text. */
export function identify(bytes: Uint8Array): Match {
  if (bytes.length === 0) return 'more';
  if (!isMark(bytes, 0)) return 'no';
  if (bytes.length < 4) return 'more';
  const length = bytes[2]! | (bytes[3]! << 8);
  if (length < MIN_FRAME_BYTES - 1 || length > MAX_FRAME_BYTES) return 'no';
  const start = idStart(bytes);
  for (let at = start; at < start + ID_BYTES; at++) {
    if (at >= bytes.length) return 'more';
    if (!isIdByte(bytes[at]!)) return 'no';
  }
  if (bytes.length < length) return 'more';
  return verify(bytes.subarray(0, length)) ? 'yes' : 'no';
}
