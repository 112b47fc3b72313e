import {
  type Attributes,
  CodecError,
  calendarReader,
  fixFlags,
  type Position,
  positionOf,
  Reader,
  readBcdLatitude,
  readBcdLongitude,
  toHex,
} from '#codec';
import { batteryLevel, KNOT_KMH, RECORD_MEANING, WIDE_ID_RECORD } from './elements.ts';
import { readStatus } from './fix.ts';

const FLAGS = fixFlags({ valid: 0x02, north: 0x04, east: 0x08 });
const readTime = calendarReader('HmsdMy', 'bcd');

/** A binary record, from its `$` on. Bytes behind the status word have no documented meaning. */
export function readRecord(frame: Uint8Array): { id: string; position: Position } {
  const wide = frame.length === WIDE_ID_RECORD;
  const id = wide ? toHex(frame, 1, 9).slice(0, 15) : toHex(frame, 1, 6);
  const r = new Reader(frame, wide ? 9 : 6);
  if (r.remaining < RECORD_MEANING - 6) throw new CodecError('truncated', 'a record of fewer bytes than its fields', 0);
  if (!/^\d+$/.test(id)) throw new CodecError('bad-value', 'the id is not decimal', 1);
  const time = readTime(r);
  const latitude = readBcdLatitude(r);
  const attributes: Attributes = {};
  const battery = batteryLevel(r.u8());
  if (battery !== undefined) attributes['batteryLevel'] = battery;
  const { degrees: longitude, flags } = readBcdLongitude(r);
  const high = r.bcd();
  const middle = r.u8();
  const course = (middle & 0x0f) * 100 + r.bcd();
  readStatus(r.u32(), attributes);
  const fix = {
    time,
    valid: FLAGS.isValid(flags),
    latitude: FLAGS.latitude(flags, latitude),
    longitude: FLAGS.longitude(flags, longitude),
    speed: (high * 10 + (middle >> 4)) * KNOT_KMH,
    course: course % 360,
  };
  return { id, position: positionOf(fix, attributes) };
}
