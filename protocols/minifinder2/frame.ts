import { crc16Xmodem, Writer } from '#codec';
import { lengthPrefixed, type Match } from '#codec/framing';

const MARK = 0xab;
export const HEADER_BYTES = 8;
/** The length has two bytes; devices send a few kilobytes. */
const MAX_CONTENT_BYTES = 8_192;
export const MAX_FRAME_BYTES = HEADER_BYTES + MAX_CONTENT_BYTES;

const contentLength = (bytes: Uint8Array): number => bytes[2]! | (bytes[3]! << 8);

export const frame = lengthPrefixed({
  starts: [[MARK]],
  head: HEADER_BYTES,
  length: { at: 2, bytes: 2, order: 'little', adds: HEADER_BYTES },
  minBytes: HEADER_BYTES + 1,
  maxBytes: MAX_FRAME_BYTES,
  resumeAt: 1,
});

/** CRC-16/XMODEM over the content. Nothing guards the flags and the index. */
export function verify(bytes: Uint8Array): boolean {
  return crc16Xmodem(bytes, HEADER_BYTES) === (bytes[4]! | (bytes[5]! << 8));
}

/** A message of the server. */
export const seal = (index: number, content: Uint8Array): Uint8Array =>
  new Writer(HEADER_BYTES + content.length)
    .u8(MARK)
    .u8(0)
    .u16LE(content.length)
    .u16LE(crc16Xmodem(content))
    .u16LE(index)
    .raw(content)
    .finish();

const KNOWN_TYPES: ReadonlySet<number> = new Set([1, 2, 3, 4, 0x7e, 0x7f]);

/** behind the type: an element of this length and key is the IMEI in digits */
const IMEI_ELEMENT = [0x10, 0x01] as const;
const IMEI_DIGITS = 15;

/** A message that begins with the IMEI is one, though its checksum may be wrong (clones). */
function beginsWithImei(bytes: Uint8Array): boolean {
  const at = HEADER_BYTES + 1;
  const digits = bytes.subarray(at + 2, at + 2 + IMEI_DIGITS);
  if (bytes[at] !== IMEI_ELEMENT[0] || bytes[at + 1] !== IMEI_ELEMENT[1]) return false;
  return digits.length === IMEI_DIGITS && digits.every((byte) => byte >= 0x30 && byte <= 0x39);
}

/** By the type, then by the IMEI or the checksum. */
export function identify(bytes: Uint8Array): Match {
  if (bytes.length > 0 && bytes[0] !== MARK) return 'no';
  if (bytes.length <= HEADER_BYTES) return 'more';
  const length = contentLength(bytes);
  if (length === 0 || length > MAX_CONTENT_BYTES || !KNOWN_TYPES.has(bytes[HEADER_BYTES]!)) return 'no';
  const end = HEADER_BYTES + length;
  if (bytes.length < end) return 'more';
  return beginsWithImei(bytes) || verify(bytes.subarray(0, end)) ? 'yes' : 'no';
}
