import { calendarReader, type Draft, type Reader } from '#codec';

/** Year in two bytes, then a byte each; UTC. Parts out of range roll over. */
export const readTime = calendarReader('YMdHms');

/** mcc, mnc, lac, cid: binary, though the document says BCD. */
export function readCell(reader: Reader, draft: Draft): void {
  const mcc = reader.u16();
  const mnc = reader.u16();
  draft.addCell({ mcc, mnc, lac: reader.u16(), cid: reader.u16() });
}

/** hdop, speed, course, altitude, place, time, cell, a reserved byte. */
export function readLocation(reader: Reader, draft: Draft): void {
  const hdop = reader.u8();
  draft.attributes['hdop'] = hdop;
  const speed = reader.u24() / 10;
  const course = reader.u16();
  draft.setMovement(reader.i16(), speed, course);
  const longitude = reader.i32() / 1e6;
  const latitude = reader.i32() / 1e6;
  draft.setFix(readTime(reader), hdop > 0, latitude, longitude);
  readCell(reader, draft);
  reader.skip(1);
}
