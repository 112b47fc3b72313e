import type { Draft, Reader } from '#codec';

export type Ids = readonly [string, ...string[]];

export interface Content {
  readonly ids: Ids;
  readonly drafts: readonly Draft[];
}

export const isSet = (mask: number, bit: number): boolean => ((mask >>> bit) & 1) !== 0;

/** of a message: checksum, CR LF; of records: count, check byte, $ */
export const TAIL_BYTES = 4;

const TWO_DIGITS = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'));
export const IMEI_BYTES = 8;

/** Two decimal digits a byte, in the last one digit. */
export function imeiAt(bytes: Uint8Array, start: number): string | undefined {
  const last = start + IMEI_BYTES - 1;
  let text = '';
  for (let at = start; at < last; at++) {
    const digits = TWO_DIGITS[bytes[at]!];
    if (digits === undefined) return undefined;
    text += digits;
  }
  return bytes[last]! > 9 ? undefined : text + String(bytes[last]);
}

/** Units that hold a name in the place of the number give what its bytes are. */
export function idsOf(reader: Reader): Ids {
  const at = reader.offset;
  const number = String(reader.i64()).padStart(15, '0');
  const imei = imeiAt(reader.bytes, at);
  // what earlier versions named such a device
  return imei === undefined ? [number] : [imei, number];
}
