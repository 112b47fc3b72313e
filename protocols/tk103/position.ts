import {
  type Attributes,
  addAlarm,
  CodecError,
  degreesFromMinutes,
  type Position,
  positionOf,
  setIfPresent,
  withHemisphere,
} from '#codec';
import { utcFromDdmmyyHhmmss, utcFromDigits } from '#codec/text';
import { alarmOf, ignitionOf, LINES } from './elements.ts';

const PLACE =
  /^(?:,?ALARM,(\d),\d{1,20},|(\d{0,30}?))(\d{6}),?([AV]),?\s{0,4}(\d{1,2})(\d\d\.\d{1,6})([NS]),?\s{0,4}(\d{1,3})(\d\d\.\d{1,6})([EW]),?([\d .]{1,5})(?:\d{0,12},)?(\d{6}),?/;
/** course, charge, ignition, lines, fuel, distance */
const STATE =
  /^([\d. ]{6}|\d\d),?([01])([01])([0-9A-Fa-f])([0-9A-Fa-f])([0-9A-Fa-f])([0-9A-Fa-f]{3})L([0-9A-Fa-f]{1,8})/;
const COURSE = /^(\d{1,3}\.\d{1,4})/;

/** A number surrounded by spaces; points and spaces alone count 0. */
const numberOf = (text: string): number => Number.parseFloat(text.replaceAll(' ', '')) || 0;

/** The day is written year first in the bracket form, day first between commas. Parts out of range roll over. */
const timeOf = (date: string, time: string, isDayFirst: boolean): number =>
  isDayFirst ? utcFromDdmmyyHhmmss(date, time) : utcFromDigits(`20${date}${time}`);

/** Throws CodecError `bad-text` where the sentence has no place in it. */
export function readPosition(type: string, content: string, isDayFirst: boolean): Position {
  const m = PLACE.exec(content);
  if (m === null) throw new CodecError('bad-text', `no place in a sentence ${type}`);
  const [whole, alarm, digits, date, state, lat, latMinutes, latLetter, lon, lonMinutes, lonLetter, speed, time] = m;
  const attributes: Attributes = {};
  addAlarm(attributes, alarmOf(type, alarm ?? digits ?? ''));
  const rest = content.slice(whole.length);
  const record = STATE.exec(rest);
  const course = record?.[1] ?? COURSE.exec(rest)?.[1];
  if (course === undefined) throw new CodecError('bad-text', 'no course behind the time');
  if (record !== null) readState(record, attributes);
  setIfPresent(attributes, 'ignition', ignitionOf(type));
  const fix = {
    time: timeOf(date!, time!, isDayFirst),
    valid: state === 'A',
    latitude: withHemisphere(degreesFromMinutes(Number(lat), Number(latMinutes)), latLetter),
    longitude: withHemisphere(degreesFromMinutes(Number(lon), Number(lonMinutes)), lonLetter),
    speed: numberOf(speed!),
    course: numberOf(course),
  };
  return positionOf(fix, attributes);
}

/** The main power is on where its digit is 0. */
function readState(record: readonly string[], attributes: Attributes): void {
  const [, , charge, ignition, first, second, third, fuel, distance] = record;
  attributes['charge'] = charge === '0';
  attributes['ignition'] = ignition === '1';
  for (const [at, digit] of [first, second, third].entries()) {
    const bits = Number.parseInt(digit!, 16);
    for (const [bit, key, always] of LINES[at]!) {
      const value = (bits >> bit) & 1;
      if (value === 1 || always) attributes[key] = value;
    }
  }
  attributes['fuel'] = Number.parseInt(fuel!, 16);
  attributes['odometer'] = Number.parseInt(distance!, 16);
}
