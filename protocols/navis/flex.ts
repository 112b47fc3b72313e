import { Draft, ninePlaces, Reader, readOptional, toHex, toLatin1 } from '#codec';

import { DEGREES, FIELD_BYTES, FLAGS, type FlexRecord, timeOf, VALUES } from './flex-values.ts';
import type { State } from './state.ts';

const open = (): FlexRecord => ({
  draft: new Draft(),
  fixTime: undefined,
  valid: false,
  latitude: 0,
  longitude: 0,
});

/** A record without a time of its fix has no place; what else it says is kept, since it is acknowledged. */
function close({ draft, fixTime, valid, latitude, longitude, altitude, speed, course }: FlexRecord): Draft[] {
  if (fixTime === undefined) return [draft];
  draft.deviceTime ??= fixTime;
  draft.setMovement(altitude, speed, course);
  draft.setFix(fixTime, valid, latitude, longitude);
  return [draft];
}

/** So many records of the fields that were agreed on. */
export function readRecords(reader: Reader, count: number, { fields }: State): Draft[] {
  const drafts: Draft[] = [];
  for (let record = 0; record < count; record++) {
    const record = open();
    for (const field of fields) {
      const value = reader.slice(FIELD_BYTES[field]!);
      VALUES.get(field)?.(value, record);
    }
    drafts.push(...close(record));
  }
  return drafts;
}

const EXTENDED = 0x0a;

const [TOUCH_MEMORY, DRIVER_CARD, RADIO_TAG] = [1, 2, 3];
const PRINTABLE = /^[\x20-\x7e]+$/;

/** A part behind the fixed one: kind, length, and who identified himself. */
function readIdentity(reader: Reader, { attributes }: Draft): void {
  const kind = reader.u8();
  const content = reader.view(reader.u8());
  if (kind === TOUCH_MEMORY || kind === RADIO_TAG) attributes['driverUniqueId'] = toHex(content.toReversed());
  if (kind !== DRIVER_CARD) return;
  const text = toLatin1(content).replace(/[\0 ]+$/, '');
  attributes['driverUniqueId'] = PRINTABLE.test(text) ? text : toHex(content);
}

/** One extra package: type, size of its fixed part, index, event, times, place, distance. */
export function readExtra(reader: Reader): Draft[] {
  const record = open();
  readOptional(() => {
    const content = reader.slice(reader.u16LE());
    if (content.u8() !== EXTENDED) return;
    content.skip(1);
    record.draft.attributes['index'] = content.u32LE();
    record.draft.attributes['event'] = content.u16LE();
    record.draft.deviceTime = timeOf(content.u32LE());
    const flags = content.u8();
    record.valid = FLAGS.isValid(flags);
    record.draft.attributes['sat'] = flags >> 2;
    record.fixTime = timeOf(content.u32LE());
    record.latitude = ninePlaces(content.i32LE() / DEGREES);
    record.longitude = ninePlaces(content.i32LE() / DEGREES);
    record.altitude = content.i32LE() / 10;
    record.speed = content.f32LE();
    record.course = content.u16LE();
    record.draft.setNumber('odometer', content.f32LE() * 1000);
    while (content.remaining >= 2) readIdentity(content, record.draft);
  });
  return close(record);
}

export const newReader = (bytes: Uint8Array): Reader => new Reader(bytes, 2, bytes.length - 1);
