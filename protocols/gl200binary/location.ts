import { calendarReader, type Draft, type Reader } from '#codec';

/** Year in two bytes, then a byte each; UTC. Parts out of range roll over. */
export const readTime = calendarReader('YMdHms');

/** mcc and mnc in decimal digits, lac and cid binary. */
export function readCell(reader: Reader, draft: Draft): void {
  const mcc = bcd16(reader);
  const mnc = bcd16(reader);
  draft.addCell({ mcc, mnc, lac: reader.u16(), cid: reader.u16() });
}

const bcd16 = (reader: Reader): number => reader.bcd() * 100 + reader.bcd();
const EVERYTHING = 0x0f;

/** hdop, speed, course, altitude, place, time, cell, a reserved byte: by the low bits of the mask. */
export function readLocation(reader: Reader, draft: Draft, mask = EVERYTHING): void {
  const hdop = reader.u8();
  draft.attributes['hdop'] = hdop;
  // whole km/h in two bytes, tenths in one
  const speed = mask & 1 ? reader.u16() + reader.u8() / 10 : undefined;
  const course = mask & 2 ? reader.u16() : undefined;
  const altitude = mask & 4 ? reader.i16() : undefined;
  draft.setMovement(altitude, speed, course);
  const longitude = reader.i32() / 1e6;
  const latitude = reader.i32() / 1e6;
  draft.setFix(readTime(reader), hdop > 0, latitude, longitude);
  if ((mask & 8) === 0) return;
  readCell(reader, draft);
  reader.skip(1);
}
