import { crc16CcittFalse } from '#codec';
import { lengthPrefixed, type Match } from '#codec/framing';

export const HEADER_BYTES = 14;
export const CRC_BYTES = 2;
/** The length has two bytes; recorded messages have some hundred. */
export const MAX_FRAME_BYTES = 8_192;

const SMALLEST = HEADER_BYTES + CRC_BYTES;

/** The length counts the whole message. There is no marker: one that cannot be ends the stream. */
export const frame = lengthPrefixed({
  head: HEADER_BYTES,
  length: { at: 12, bytes: 2 },
  minBytes: SMALLEST,
  maxBytes: MAX_FRAME_BYTES,
});

/** CRC-16 of everything before it. */
export function verify(bytes: Uint8Array): boolean {
  const at = bytes.length - CRC_BYTES;
  return bytes.length >= SMALLEST && crc16CcittFalse(bytes, 0, at) === ((bytes[at]! << 8) | bytes[at + 1]!);
}

/** the product of recorded devices */
const PRODUCT = 0x36;
/** Text begins with one of these; a version is a small number. */
const HIGHEST_VERSION = 0x1f;
/** a clock between 2010 and 2043, in seconds */
const CLOCK = [0x4b, 0x89] as const;
export const TRACKING = 0x4c;

/** Product, version, a clock, the type and a length. */
export function identify(bytes: Uint8Array): Match {
  const [product = PRODUCT, version = 0, , , , , , clock = CLOCK[0], , , , type = TRACKING, high = 0] = bytes;
  if (product !== PRODUCT || version > HIGHEST_VERSION || type !== TRACKING) return 'no';
  if (clock < CLOCK[0] || clock > CLOCK[1] || high * 256 > MAX_FRAME_BYTES) return 'no';
  return bytes.length < HEADER_BYTES ? 'more' : 'yes';
}
