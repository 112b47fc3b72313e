import { crc16CcittFalse, trailingCrc16 } from '#codec';
import { identifyBytes, lengthPrefixed } from '#codec/framing';

export const HEADER_BYTES = 14;
export const CRC_BYTES = 2;
/** The length has two bytes; recorded messages have some hundred. */
export const MAX_FRAME_BYTES = 8_192;

const MIN_FRAME_BYTES = HEADER_BYTES + CRC_BYTES;

/** The length counts the whole message. There is no marker: one that cannot be ends the stream. */
export const frame = lengthPrefixed({
  head: HEADER_BYTES,
  length: { at: 12, bytes: 2 },
  minBytes: MIN_FRAME_BYTES,
  maxBytes: MAX_FRAME_BYTES,
});

/** CRC-16 of everything before it. */
export const verify = trailingCrc16(crc16CcittFalse, 'big', { minBytes: MIN_FRAME_BYTES });

/** the product of recorded devices */
const PRODUCT = 0x36;
/** Text begins with one of these; a version is a small number. */
const MAX_VERSION = 0x1f;
/** a clock between 2010 and 2043, in seconds */
const CLOCK = [0x4b, 0x89] as const;
export const TRACKING = 0x4c;

const anyBytes = (count: number) => Array.from({ length: count }, () => 'any' as const);

/** Product, version, a clock, the type and a length. */
export const identify = identifyBytes([
  PRODUCT,
  [0, MAX_VERSION],
  ...anyBytes(5),
  CLOCK,
  ...anyBytes(3),
  TRACKING,
  [0, MAX_FRAME_BYTES >> 8],
]);
