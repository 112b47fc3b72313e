import { luhnDigit, toHex, Writer } from '#codec';

const IMEI_BYTES = 8;
const ID_BYTES = 4;

export interface Identity {
  readonly ids: readonly [string, ...string[]];
  readonly bytes: number;
  readonly isImei: boolean;
}

/** The IMEI of newer models, with a half byte behind it; undefined if the bytes are not one. */
function imeiOf(bytes: Uint8Array): string | undefined {
  if (bytes.length <= IMEI_BYTES) return undefined;
  const digits = toHex(bytes, 0, IMEI_BYTES).slice(0, 15);
  return /^\d{15}$/.test(digits) && luhnDigit(digits.slice(0, 14)) === Number(digits[14]) ? digits : undefined;
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/**
 * Four bytes of two digits each; their upper bits are those of two more digits, counted from 30, which stand in front.
 * Users know the terminal by these ten digits, or by the telephone number: with a 1 before them.
 */
function terminalOf(bytes: Uint8Array): string {
  let first = 30;
  for (let at = 0; at < ID_BYTES; at++) first += (bytes[at]! >> 7) << (ID_BYTES - 1 - at);
  return [first, ...[...bytes.subarray(0, ID_BYTES)].map((byte) => byte & 0x7f)].map(twoDigits).join('');
}

/** Undefined if there are too few bytes. */
export function identityOf(bytes: Uint8Array): Identity | undefined {
  const imei = imeiOf(bytes);
  if (imei !== undefined) return { ids: [imei], bytes: IMEI_BYTES, isImei: true };
  if (bytes.length < ID_BYTES) return undefined;
  const terminal = terminalOf(bytes);
  return { ids: [`1${terminal}`, terminal], bytes: ID_BYTES, isImei: false };
}

/** The four bytes of a terminal, from its eleven digits. */
export function terminalBytes(deviceId: string): Uint8Array {
  const upper = Number(deviceId.slice(1, 3)) - 30;
  const pairs = [deviceId.slice(3, 5), deviceId.slice(5, 7), deviceId.slice(7, 9), deviceId.slice(9)];
  const writer = new Writer(ID_BYTES);
  for (const [at, pair] of pairs.entries()) {
    const bit = (upper >> (ID_BYTES - 1 - at)) & 1;
    writer.u8((Number(pair) & 0x7f) | (bit << 7));
  }
  return writer.finish();
}
