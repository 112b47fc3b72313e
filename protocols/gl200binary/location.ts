import { calendarReader, type Draft, type Reader } from '#codec';
import { GV600, WIDE_CELLS } from './devices.ts';

/** Year in two bytes, then a byte each; UTC. NaN for a reading that no calendar has. */
export const readTime = calendarReader('YMdHms');

/** Whether all four hex digits are decimal ones: adding 6 to another one carries into the next. */
const isDecimal = (code: number): boolean => (((code + 0x6666) ^ code ^ 0x6666) & 0x1_1110) === 0;
const fromDecimal = (code: number): number =>
  (code >> 12) * 1000 + ((code >> 8) & 0xf) * 100 + ((code >> 4) & 0xf) * 10 + (code & 0xf);

/** Country and network in decimal digits, of some devices binary; area, and identity in two bytes or four. */
export function readCell(reader: Reader, draft: Draft, device: number): void {
  const country = reader.u16();
  const network = reader.u16();
  const isBinary = GV600.has(device) || !isDecimal(country) || !isDecimal(network);
  const [mcc, mnc] = isBinary ? [country, network] : [fromDecimal(country), fromDecimal(network)];
  const [lac, cid] = [reader.u16(), WIDE_CELLS.has(device) ? reader.u32() : reader.u16()];
  if (mcc > 0) draft.addCell({ mcc, mnc, lac, cid });
}

const isSetIn = (mask: number, bit: number): number => (mask >>> bit) & 1;

/** hdop, place and time are always there. */
export const locationBytes = (mask: number, device: number): number =>
  1 +
  4 +
  4 +
  7 +
  3 * isSetIn(mask, 0) +
  2 * isSetIn(mask, 1) +
  2 * isSetIn(mask, 2) +
  (WIDE_CELLS.has(device) ? 11 : 9) * isSetIn(mask, 3);

/** hdop, speed, course, altitude, place, time, cell, a reserved byte: by the low bits of the mask. */
export function readLocation(reader: Reader, draft: Draft, mask: number, device: number): void {
  const hdop = reader.u8();
  draft.attributes['hdop'] = hdop;
  // whole km/h in two bytes, tenths in one
  const speed = mask & 1 ? reader.u16() + reader.u8() / 10 : undefined;
  const course = mask & 2 ? reader.u16() : undefined;
  const altitude = mask & 4 ? reader.i16() : undefined;
  const longitude = reader.i32() / 1e6;
  const latitude = reader.i32() / 1e6;
  const time = readTime(reader);
  // a receiver that has never found a place sends zeros
  if (time > 0) {
    draft.setMovement(altitude, speed, course);
    draft.setFix(time, hdop > 0, latitude, longitude);
  }
  if ((mask & 8) === 0) return;
  readCell(reader, draft, device);
  reader.skip(1);
}
