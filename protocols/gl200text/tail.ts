import { Fields, hourMeter, number, type TextRecord } from '#codec/text';
import type { Report } from './report.ts';
import { APPENDED, KILOMETRES } from './tables/location.ts';

const MASK = /^[0-9A-Fa-f]{2}$/;
const RESERVED = /^(?:00)?$/;
const HOURS = /^\d{1,5}:\d\d:\d\d$/;
const DISTANCE = /^\d{1,8}\.\d{1,3}$/;
const LEVEL = /^(?:\d|[1-9]\d|100)$/;
const TEMPERATURE = /^-?\d{1,3}(?:\.\d{1,2})?$/;
const SENSOR_REPORT = 'TMP';
const FIELDS_OF_SENSOR_REPORT = 12;

/** Models with the mask of the position append: those of long versions, and these. */
const WITH_MASK = new Set(['GV310LAU', 'GV350CEU', 'GV600M', 'GV600MG']);
const hasMask = ({ version, model }: Report): boolean => version.length > 6 || WITH_MASK.has(model);

const METERS: readonly (readonly [RegExp, ReturnType<typeof number>])[] = [
  [HOURS, hourMeter('hours')],
  [DISTANCE, number('odometer', KILOMETRES)],
];

/**
 * What stands between the cell and the send time: reserved `00` or the mask of the position append, hour meter and
 * mileage of vehicle units, mileage and battery level of portable ones. A lone `00` is no level. Returns the fields that
 * it did not read.
 */
export function readTail(report: Report, tail: readonly string[], record: TextRecord): readonly string[] {
  const fields = new Fields(tail);
  if (hasMask(report) && MASK.test(tail[0] ?? '')) APPENDED.walk(fields, record);
  while (fields.left > 0 && readOne(fields, record));
  const unread = tail.slice(fields.at);
  return readEnd(report, tail, unread, record);
}

function readOne(fields: Fields, record: TextRecord): boolean {
  const text = fields.peek()!;
  const known = RESERVED.test(text) || METERS.some(([pattern, { set }]) => pattern.test(text) && set(text, record));
  if (known) fields.at += 1;
  return known;
}

/** The last field is the level of the battery, or the temperature of the sensor that reports. */
function readEnd(
  { type }: Report,
  tail: readonly string[],
  unread: readonly string[],
  { draft: { attributes } }: TextRecord,
): readonly string[] {
  const last = unread.at(-1);
  if (last === undefined) return unread;
  if (type === SENSOR_REPORT && tail.length >= FIELDS_OF_SENSOR_REPORT) {
    if (!TEMPERATURE.test(last)) return unread;
    attributes['temp1'] = Number(last);
    return unread.slice(0, -1);
  }
  if (!LEVEL.test(last)) return unread;
  attributes['batteryLevel'] = Number(last);
  return unread.slice(0, -1);
}
