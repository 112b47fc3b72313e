import { type Draft, fixFlags, KNOT_KMH, ninePlaces, type Reader } from '#codec';
import { HARDWARE } from './elements.ts';

const FLAGS = fixFlags({ north: 0x01, west: 0x02 });

/** TT18: flags, time, place; always a fix. */
function readTt18(reader: Reader, draft: Draft): void {
  const flags = reader.u8();
  const time = reader.date6();
  const latitude = reader.u32() / 1e6;
  const longitude = reader.u32() / 1e6;
  const course = reader.u16();
  draft.setMovement(undefined, (reader.u16() / 10) * KNOT_KMH, course);
  draft.setFix(time, true, FLAGS.latitude(flags, latitude), FLAGS.longitude(flags, longitude));
}

/** TT19 does not send hemispheres, so its coordinates are reported raw, without a fix. */
function readTt19(reader: Reader, draft: Draft): void {
  reader.skip(1);
  const time = reader.date6();
  reader.skip(8);
  draft.attributes['hdop'] = reader.u16() / 10;
  const altitude = reader.u16();
  const course = reader.u16();
  draft.setMovement(altitude, reader.u16() / 10, course);
  draft.attributes['sat'] = reader.u8();
  draft.setFix(time, false, 0, 0);
}

const COURSE = 0x1ff;
const TRACKER_FLAGS = fixFlags({ valid: 0x800, north: 0x400, west: 0x200 });

function readTracker(reader: Reader, draft: Draft, unit: number): void {
  draft.attributes['sat'] = reader.u8();
  const latitude = ninePlaces(reader.u32() / unit);
  const longitude = ninePlaces(reader.u32() / unit);
  const time = reader.date6();
  const speed = (reader.u16() / 100) * KNOT_KMH;
  draft.attributes['odometer'] = reader.u24();
  const flags = reader.u16();
  draft.setMovement(undefined, speed, flags & COURSE);
  const { isValid, latitude: signedLatitude, longitude: signedLongitude } = TRACKER_FLAGS;
  draft.setFix(time, isValid(flags), signedLatitude(flags, latitude), signedLongitude(flags, longitude));
}

const [TT18_BYTES, TRACKER_BYTES] = [19, 22];

/** A block that is too short holds no fix. */
export function readPlace(reader: Reader, draft: Draft, hardware: number): void {
  if (reader.remaining < (hardware === HARDWARE.tt18 ? TT18_BYTES : TRACKER_BYTES)) return;
  if (hardware === HARDWARE.tt18) readTt18(reader, draft);
  else if (hardware === HARDWARE.tt19) readTt19(reader, draft);
  else readTracker(reader, draft, hardware === HARDWARE.avl05 || hardware === HARDWARE.avl08 ? 600_000 : 6_000_000);
}
