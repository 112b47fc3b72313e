import { Draft, type Message, Reader } from '#codec';

/** 2000-01-01, where the time begins */
const EPOCH_S = 946_684_800;
const EVENT_TYPE = 0x41;
const [SYSTEM, PLACE] = [0x01, 0x02];
const VALID = 0x60;

/** Header, time, then the blocks of the mask; only the place is read. */
export function decodeBinary(bytes: Uint8Array): Message[] {
  const reader = new Reader(bytes, 2);
  const type = reader.u8();
  const id = String(reader.u24() * 0x1_0000_0000 + reader.u32());
  const time = (reader.u32() + EPOCH_S) * 1000;
  if (type === EVENT_TYPE) reader.skip(1);
  const mask = reader.u16();
  const draft = new Draft();
  draft.deviceTime = time;
  if (mask & SYSTEM) reader.skip(reader.u8());
  if (mask & PLACE) readPlace(reader, draft, time);
  return [{ type: 'login', ids: [id] }, draft.toPosition()];
}

/** Values by the bits of a mask of their own. */
function readPlace(reader: Reader, draft: Draft, time: number): void {
  reader.skip(1);
  const mask = reader.u16();
  let [valid, latitude, longitude, altitude, speed, course] = [false, 0, 0, 0, 0, 0];
  if (mask & 0x01) {
    const flags = reader.u8();
    draft.attributes['sat'] = flags & 0x1f;
    valid = (flags & VALID) !== 0;
  }
  if (mask & 0x02) {
    latitude = reader.i32() / 1e6;
    longitude = reader.i32() / 1e6;
  }
  if (mask & 0x04) speed = reader.i16();
  if (mask & 0x08) course = reader.u16();
  if (mask & 0x10) altitude = reader.i16();
  if (mask & 0x20) draft.attributes['hdop'] = reader.u16() / 100;
  if (mask & 0x40) draft.attributes['vdop'] = reader.u16() / 100;
  draft.setMovement(altitude, speed, course);
  draft.setFix(time, valid, latitude, longitude);
}
