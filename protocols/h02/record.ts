import { type Attributes, CodecError, type Position, Reader, readBcdLatitude, readBcdLongitude, toHex } from '#codec';
import { batteryLevel, KNOT_KMH, RECORD_MEANING, WIDE_ID_RECORD } from './elements.ts';
import { readStatus } from './fix.ts';

const VALID = 0x02;
const NORTH = 0x04;
const EAST = 0x08;

/** A binary record, from its `$` on. Bytes behind the status word have no documented meaning. */
export function readRecord(frame: Uint8Array): { id: string; position: Position } {
  const wide = frame.length === WIDE_ID_RECORD;
  const id = wide ? toHex(frame, 1, 9).slice(0, 15) : toHex(frame, 1, 6);
  const r = new Reader(frame, wide ? 9 : 6);
  if (r.remaining < RECORD_MEANING - 6) throw new CodecError('truncated', 'a record of fewer bytes than its fields', 0);
  if (!/^\d+$/.test(id)) throw new CodecError('bad-value', 'the id is not decimal', 1);
  const hour = r.bcd();
  const minute = r.bcd();
  const second = r.bcd();
  const day = r.bcd();
  const month = r.bcd();
  const time = Date.UTC(2000 + r.bcd(), month - 1, day, hour, minute, second);
  const latitude = readBcdLatitude(r);
  const attributes: Attributes = {};
  const battery = batteryLevel(r.u8());
  if (battery !== undefined) attributes['batteryLevel'] = battery;
  const { degrees: longitude, flags } = readBcdLongitude(r);
  const high = r.bcd();
  const middle = r.u8();
  const course = (middle & 0x0f) * 100 + r.bcd();
  if (latitude > 90 || longitude > 180) throw new CodecError('bad-value', 'coordinates outside of the globe', 12);
  readStatus(r.u32(), attributes);
  const position: Position = {
    type: 'position',
    deviceTime: time,
    fixTime: time,
    valid: (flags & VALID) !== 0,
    latitude: (flags & NORTH) === 0 ? -latitude : latitude,
    longitude: (flags & EAST) === 0 ? -longitude : longitude,
    speed: (high * 10 + (middle >> 4)) * KNOT_KMH,
    course: course % 360,
    attributes,
  };
  return { id, position };
}
