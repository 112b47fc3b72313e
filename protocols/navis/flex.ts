import { Draft, ninePlaces, Reader, readOptional } from '#codec';

import { DEGREES, FIELD_BYTES, FLAGS, type FlexRecord, VALUES } from './flex-values.ts';
import type { State } from './state.ts';

export interface Package {
  readonly drafts: readonly Draft[];
  /** of the last record; what its reply repeats */
  readonly index: number;
}

const open = (): FlexRecord => ({
  draft: new Draft(),
  valid: false,
  latitude: 0,
  longitude: 0,
});

/** A record without a time of its fix is no position. */
function close({ draft, fixTime, valid, latitude, longitude, altitude, speed, course }: FlexRecord): Draft[] {
  if (fixTime === undefined) return [];
  draft.setMovement(altitude, speed, course);
  draft.setFix(fixTime, valid, latitude, longitude);
  return [draft];
}

/** So many records of the fields that were agreed on. */
export function readRecords(reader: Reader, count: number, { fields }: State): Package {
  const drafts: Draft[] = [];
  let index = 0;
  for (let record = 0; record < count; record++) {
    const record = open();
    for (const field of fields) {
      const value = reader.slice(FIELD_BYTES[field]!);
      VALUES.get(field)?.(value, record);
    }
    index = Number(record.draft.attributes['index'] ?? 0);
    drafts.push(...close(record));
  }
  return { drafts, index };
}

const EXTENDED = 0x0a;

/** One extra package: type, size of its fixed part, index, event, times, place, distance. */
export function readExtra(reader: Reader): Package {
  const record = open();
  let index = 0;
  readOptional(() => {
    const content = reader.slice(reader.u16LE());
    if (content.u8() !== EXTENDED) return;
    content.skip(1);
    index = content.u32LE();
    record.draft.attributes['index'] = index;
    record.draft.attributes['event'] = content.u16LE();
    content.skip(4);
    const flags = content.u8();
    record.valid = FLAGS.isValid(flags);
    record.draft.attributes['sat'] = flags >> 2;
    record.fixTime = content.u32LE() * 1000;
    record.latitude = ninePlaces(content.i32LE() / DEGREES);
    record.longitude = ninePlaces(content.i32LE() / DEGREES);
    record.altitude = content.i32LE() / 10;
    record.speed = content.f32LE();
    record.course = content.u16LE();
    record.draft.setNumber('odometer', content.f32LE() * 1000);
  });
  return { drafts: close(record), index };
}

export const newReader = (bytes: Uint8Array): Reader => new Reader(bytes, 2, bytes.length - 1);
