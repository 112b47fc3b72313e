import { fromZone, type Reader } from '#codec';

/** How a number lies on the wire and what it means: raw · multiply / divide + add. */
export interface Value {
  readonly key: string;
  readonly as: 'u8' | 'u16' | 'u32' | 'i16' | 'i32';
  readonly multiply?: number;
  readonly divide?: number;
  readonly add?: number;
}

export function readValue(r: Reader, { as, multiply, divide, add }: Value): number {
  let value = r[as]();
  if (multiply !== undefined) value *= multiply;
  if (divide !== undefined) value /= divide;
  return add === undefined ? value : value + add;
}

export const DEFAULT_ZONE = 'GMT+8';
const DEFAULT_OFFSET_MS = 8 * 3_600_000;

/** Six BCD bytes yy MM dd HH mm ss in the device's zone, as epoch ms. What no calendar has rolls over. */
export function readTime(r: Reader, zone: string): number {
  const year = 2000 + r.bcd();
  const month = r.bcd() - 1;
  const day = r.bcd();
  const hour = r.bcd();
  const minute = r.bcd();
  const wallClock = Date.UTC(year, month, day, hour, minute, r.bcd());
  return zone === DEFAULT_ZONE ? wallClock - DEFAULT_OFFSET_MS : fromZone(wallClock, zone);
}

/** Without NULs and surrounding white space. */
export const trimmed = (text: string): string => text.replaceAll('\0', '').trim();

const NUMBER = /^-?\d{1,15}(\.\d{1,15})?$/;

/** Undefined where the text is no number. */
export const numberOf = (text: string): number | undefined => (NUMBER.test(text) ? Number(text) : undefined);
