import { crc16Kermit, trailingCrc16 } from '#codec';
import { lengthPrefixed } from '#codec/framing';

/** The longest payload that devices send is a file part of about a kilobyte. */
export const MAX_FRAME_BYTES = 4_096;
/** IMEI and type */
export const MIN_PAYLOAD_BYTES = 9;

/** Length of the payload, payload, checksum. There is no marker: a length that cannot be ends the stream. */
export const frame = lengthPrefixed({
  head: 2,
  length: { at: 0, bytes: 2, adds: 4 },
  minBytes: MIN_PAYLOAD_BYTES + 4,
  maxBytes: MAX_FRAME_BYTES,
});

/** CRC-16/KERMIT over the payload. */
export const verify = trailingCrc16(crc16Kermit, 'big', { from: 2 });

const MAX_IMEI = 999_999_999_999_999;
/** 10^12 × 2^-32: an IMEI of thirteen digits and more */
const MIN_IMEI = 1_000_000_000_000;

/** By the size of the IMEI, then by the checksum of the first frame. */
export function identify(bytes: Uint8Array): 'yes' | 'no' | 'more' {
  if (bytes.length < 2) return bytes[0]! > MAX_FRAME_BYTES >> 8 ? 'no' : 'more';
  const end = ((bytes[0]! << 8) | bytes[1]!) + 4;
  if (end < MIN_PAYLOAD_BYTES + 4 || end > MAX_FRAME_BYTES) return 'no';
  if ((bytes[2] ?? 0) !== 0 || (bytes[3] ?? 0) > 3) return 'no';
  if (bytes.length < 11) return 'more';
  let imei = 0;
  for (let at = 2; at < 10; at++) imei = imei * 256 + bytes[at]!;
  if (imei < MIN_IMEI || imei > MAX_IMEI) return 'no';
  if (bytes.length < end) return 'more';
  return verify(bytes.subarray(0, end)) ? 'yes' : 'no';
}
