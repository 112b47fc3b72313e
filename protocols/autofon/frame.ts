import { lengthPrefixed, type Match } from '#codec/framing';

export const LOGIN = 0x10;
export const LOCATION = 0x11;
export const HISTORY = 0x12;
export const LOGIN_45 = 0x41;
export const LOCATION_45 = 0x02;

/** Sizes of packets by their first byte. */
const SIZES: Readonly<Record<number, number>> = {
  [LOGIN]: 12,
  [LOCATION]: 78,
  [HISTORY]: 257,
  [LOGIN_45]: 19,
  [LOCATION_45]: 34,
};
const MIN_FRAME_BYTES = 12;
export const MAX_FRAME_BYTES = 257;

export const frame = lengthPrefixed({
  head: 1,
  length: (bytes) => SIZES[bytes[0]!],
  minBytes: MIN_FRAME_BYTES,
  maxBytes: MAX_FRAME_BYTES,
});

const isBcd = (byte: number): boolean => byte >> 4 < 10 && (byte & 0x0f) < 10;
/** Offset of the eight bytes of an IMEI, of which the first half byte is not one of its digits. */
const IMEI_AT: Readonly<Record<number, number>> = { [LOGIN]: 3, [LOGIN_45]: 1 };
export const IMEI_BYTES = 8;

/** A login of just its size, with the digits of an IMEI. */
export function identify(bytes: Uint8Array): Match {
  const type = bytes[0];
  if (type === undefined) return 'more';
  const at = IMEI_AT[type];
  if (at === undefined) return 'no';
  if (!bytes.subarray(at, at + IMEI_BYTES).every(isBcd)) return 'no';
  if (bytes.length < SIZES[type]!) return 'more';
  return bytes.length === SIZES[type] ? 'yes' : 'no';
}

export const imeiAt = (type: number): number | undefined => IMEI_AT[type];
