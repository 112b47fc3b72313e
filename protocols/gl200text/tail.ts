import { Fields, hex, hourMeter, layout, number, type TextRecord } from '#codec/text';
import type { Report } from './report.ts';
import { APPENDED, KILOMETRES, MILLIVOLTS, STATUS } from './tables/location.ts';

const MASK = /^[0-9A-Fa-f]{2}$/;
const RESERVED = /^(?:00)?$/;
const HOURS = /^\d{1,7}:\d\d:\d\d$/;
const DISTANCE = /^\d{1,8}\.\d{1,3}$/;
const LEVEL = /^(?:\d|[1-9]\d|100)$/;
const TEMPERATURE = /^-?\d{1,3}(?:\.\d{1,2})?$/;
const STATUS_WORD = /^(?:1[126A]|2[12]|4[12])[0-9A-Fa-f]{4}$/;
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
  const isSensor = report.type === SENSOR_REPORT && tail.length >= FIELDS_OF_SENSOR_REPORT;
  readAccessPoint(fields, record);
  if (hasMask(report) && MASK.test(tail[0] ?? '')) APPENDED.walk(fields, record);
  while (fields.left > 0 && readOne(fields, record));
  if (isSensor && hasInputs(fields)) INPUTS.walk(fields, record);
  const unread = withoutEmptyEnd(tail.slice(fields.at));
  return readEnd(report, tail, unread, record);
}

/** GT500: the strongest access point stands in the place of the reserved field, or behind it. */
function readAccessPoint(fields: Fields, { draft }: TextRecord): void {
  const at = RESERVED.test(fields.peek() ?? '-') ? 1 : 0;
  const [mac = '', level = ''] = [fields.peek(at), fields.peek(at + 1)];
  if (!MAC.test(mac) || !LEVEL_OF_RADIO.test(level)) return;
  draft.addAccessPoint(mac.toLowerCase().match(/../g)!.join(':'), Number(level));
  fields.at = at + 2;
  if (!/^\d{1,8}$/.test(fields.peek() ?? '') || fields.left < 2) return;
  draft.attributes['odometer'] = Number(fields.text()) * 1000;
}
const MAC = /^[0-9A-Fa-f]{12}$/;
const LEVEL_OF_RADIO = /^-\d{1,3}$/;

const hasInputs = (fields: Fields): boolean =>
  [0, 1, 2].every((at) => /^\d{0,5}$/.test(fields.peek(at) ?? '-')) &&
  [3, 4].every((at) => /^[0-9A-Fa-f]{2}$/.test(fields.peek(at) ?? ''));

/** TMP of GV200: three analogue inputs, digital inputs and outputs. */
const INPUTS = layout(
  number('adc1', MILLIVOLTS),
  number('adc2', MILLIVOLTS),
  number('adc3', MILLIVOLTS),
  hex('input'),
  hex('output'),
);

const withoutEmptyEnd = (tail: readonly string[]): readonly string[] =>
  tail.slice(0, tail.findLastIndex((text) => text !== '') + 1);

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
  record: TextRecord,
): readonly string[] {
  const { attributes } = record.draft;
  const last = unread.at(-1);
  if (last === undefined) return unread;
  if (type === SENSOR_REPORT && tail.length >= FIELDS_OF_SENSOR_REPORT) {
    if (!TEMPERATURE.test(last)) return unread;
    attributes['temp1'] = Number(last);
    return unread.slice(0, -1);
  }
  const [level = ''] = unread.slice(-2);
  if (STATUS_WORD.test(last) && unread.length >= 2 && LEVEL.test(level)) {
    STATUS.set(last, record);
    attributes['batteryLevel'] = Number(level);
    return unread.slice(0, -2);
  }
  if (!LEVEL.test(last)) return unread;
  attributes['batteryLevel'] = Number(last);
  return unread.slice(0, -1);
}
