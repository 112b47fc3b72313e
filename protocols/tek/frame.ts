import { crc16Xmodem, luhnDigit, toHex, trailingCrc16 } from '#codec';
import { lengthPrefixed, type Match } from '#codec/framing';

export const HEADER_BYTES = 17;
export const CRC_BYTES = 2;
export const IMEI_AT = 7;
const IMEI_BYTES = 8;
const LENGTH_MASK = 0x03ff;
const MIN_FRAME_BYTES = HEADER_BYTES + CRC_BYTES;
export const MAX_FRAME_BYTES = HEADER_BYTES + LENGTH_MASK;

/** Six bits of the type, and the upper two of the length, of which the next byte has the others. */
export const frame = lengthPrefixed({
  head: HEADER_BYTES,
  length: (bytes) => HEADER_BYTES + (((bytes[15]! >> 6) << 8) | bytes[16]!),
  minBytes: MIN_FRAME_BYTES,
  maxBytes: MAX_FRAME_BYTES,
});

/** CRC-16/XMODEM of everything before it. */
export const verify = trailingCrc16(crc16Xmodem, 'big', { minBytes: MIN_FRAME_BYTES });

export const imeiOf = (bytes: Uint8Array): string => toHex(bytes, IMEI_AT, IMEI_AT + IMEI_BYTES).slice(1);

/** text begins above; products and versions are small numbers */
const MAX_PRODUCT = 0x1f;

/** A product, and an IMEI with its check digit. */
export function identify(bytes: Uint8Array): Match {
  const [product = 0, , , , , , , first = 0] = bytes;
  if (product > MAX_PRODUCT || first > 9) return 'no';
  if (bytes.length < HEADER_BYTES) return 'more';
  const imei = imeiOf(bytes);
  // zeros have a right check digit too
  return /^(?!0{8})\d{15}$/.test(imei) && luhnDigit(imei.slice(0, 14)) === Number(imei[14]) ? 'yes' : 'no';
}
