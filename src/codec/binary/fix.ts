import { ninePlaces } from '../degrees.ts';
import { type Form, scaled } from './form.ts';
import { exactReaderOf, type NumberType } from './number-types.ts';
import { type NumberUse, number } from './numbers.ts';
import type { Field } from './scope.ts';
import { time } from './time.ts';

type FixProperty = 'latitude' | 'longitude' | 'altitude' | 'speed' | 'course' | 'accuracy';

/** Sets a number of the fix: degrees, m, km/h. */
export function fixNumber(property: FixProperty, form: Form = {}): NumberUse {
  const scale = scaled(form);
  return (raw, { into }) => {
    into[property] = scale(raw);
  };
}

/** Latitude, then longitude: degrees once divided. Both must be there; a float that is not a number gives no coordinates. */
function coordinates(type: NumberType, divisor = 1): Field {
  const read = exactReaderOf(type);
  const isDouble = type.startsWith('f64');
  const degrees = (sent: number): number => (isDouble ? sent / divisor : ninePlaces(sent / divisor));
  return ({ reader, into }) => {
    const latitude = degrees(read(reader));
    into.longitude = degrees(read(reader));
    into.latitude = latitude;
  };
}

const field =
  (property: FixProperty) =>
  (type: NumberType, form?: Form): Field =>
    number(type, fixNumber(property, form));

/** Fields of the fix, each a number of the type: seconds since 1970, degrees, m, km/h, degrees clockwise from north. */
export const fix = {
  /** time of the fix, and when the record was made: in units of so many ms since the epoch ms `since` */
  time: (type: NumberType, unit = 1000, since = 0): Field => time('fix', type, unit, since),
  /** when the record was made */
  deviceTime: (type: NumberType, unit = 1000, since = 0): Field => time('device', type, unit, since),
  coordinates,
  latitude: field('latitude'),
  longitude: field('longitude'),
  altitude: field('altitude'),
  speed: field('speed'),
  course: field('course'),
  accuracy: field('accuracy'),
} as const;
