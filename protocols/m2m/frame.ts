import { luhnDigit } from '#codec';
import { fixed, type Match } from '#codec/framing';

export const MAX_FRAME_BYTES = 23;

/** Packets of one size without a mark. */
export const frame = fixed(MAX_FRAME_BYTES);

const SHIFT = 0x20;
/** the only byte that is not shifted */
const PLAIN = 0x0b;

export const unshift = (bytes: Uint8Array): Uint8Array =>
  bytes.map((byte) => (byte === PLAIN ? byte : (byte - SHIFT) & 0xff));

const IMEI_BYTES = 8;

/** Eight numbers of two digits each, the first digit dropped; undefined if they are no such numbers. */
export function imeiOf(bytes: Uint8Array): string | undefined {
  const numbers = [...unshift(bytes.subarray(0, IMEI_BYTES))];
  if (numbers[0]! > 9 || numbers.some((number) => number > 99)) return undefined;
  return numbers
    .map((number) => String(number).padStart(2, '0'))
    .join('')
    .slice(1);
}

/** The IMEI with its check digit, and a packet that ends in the byte that is not shifted. */
export function identify(bytes: Uint8Array): Match {
  const imei = bytes.length === 0 ? '' : imeiOf(bytes);
  if (imei === undefined) return 'no';
  if (bytes.length >= IMEI_BYTES && luhnDigit(imei.slice(0, 14)) !== Number(imei[14])) return 'no';
  if (bytes.length < MAX_FRAME_BYTES) return 'more';
  return bytes[MAX_FRAME_BYTES - 1] === PLAIN ? 'yes' : 'no';
}
