import type { Attributes, Network, Position } from './messages.ts';
import { roundAttributes, withoutRoundingError } from './rounding.ts';

type Filled = { -readonly [K in keyof Position]: Position[K] };

/**
 * Devices whose clock was never set send zeros, which stand for 1970, 1980 or 2000 in their time zone. Which times can be
 * stored is decided where records are made (`telemetry/instants.ts`); no calendar of a device goes beyond 9999.
 */
const CLOCK_SET = Date.UTC(2000, 0, 2);
const CALENDAR_END = Date.UTC(10_000, 0, 1);

const isTime = (time: number | undefined): time is number =>
  time !== undefined && time >= CLOCK_SET && time < CALENDAR_END;
const isNumber = (value: number | undefined): value is number => value !== undefined && Number.isFinite(value);

/** A device that sends a time which is none does not know when its fix was: such a fix is not current. */
const isImpossible = (time: number | undefined): boolean => time !== undefined && !isTime(time);

/** Degrees in `[0, 360]`. */
const normalizedCourse = (course: number): number =>
  withoutRoundingError(course >= 0 && course <= 360 ? course : ((course % 360) + 360) % 360);

/** The fix of a record. Times are epoch ms, speed is in km/h; undefined if the device did not send it. */
interface RecordedFix {
  readonly deviceTime: number | undefined;
  readonly fixTime: number | undefined;
  readonly valid: boolean;
  readonly latitude: number;
  readonly longitude: number;
  readonly altitude: number | undefined;
  readonly speed: number | undefined;
  readonly course: number | undefined;
}

/**
 * The position of a record with a fix; the one place where positions are made. Times are epoch ms, speed is km/h.
 * Altitude, speed and course are absent if the device did not send them, or sent something that is not a number.
 * Coordinates off the globe are not a fix: they are kept as `rawLatitude` and `rawLongitude` of a record without one.
 * Times that no calendar has, and those of a clock that was not set (before 2 January 2000), are left out, and a fix at
 * such a time is not valid. Numbers have no rounding errors of the arithmetic that made them.
 */
export function createPosition(fix: RecordedFix, attributes: Attributes, network?: Network): Position {
  const { deviceTime, fixTime, latitude, longitude, altitude, speed, course } = fix;
  const valid = fix.valid && !isImpossible(fixTime);
  if (!(latitude >= -90 && latitude <= 90 && longitude >= -180 && longitude <= 180)) {
    if (Number.isFinite(latitude)) attributes['rawLatitude'] = latitude;
    if (Number.isFinite(longitude)) attributes['rawLongitude'] = longitude;
    return statusPosition(attributes, deviceTime, network);
  }
  roundAttributes(attributes);
  const hasTimes = isTime(deviceTime) && isTime(fixTime);
  if (hasTimes && isNumber(altitude) && isNumber(speed) && isNumber(course)) {
    // One literal for the usual case, so that these positions have one shape: spreading is slow to make and to read.
    const position: Filled = {
      type: 'position',
      deviceTime,
      fixTime,
      valid,
      latitude: withoutRoundingError(latitude),
      longitude: withoutRoundingError(longitude),
      altitude: withoutRoundingError(altitude),
      speed: withoutRoundingError(speed),
      course: normalizedCourse(course),
      attributes,
    };
    return network === undefined ? position : withNetwork(position, network);
  }
  const position: Filled = {
    type: 'position',
    valid,
    latitude: withoutRoundingError(latitude),
    longitude: withoutRoundingError(longitude),
    attributes,
  };
  if (isTime(deviceTime)) position.deviceTime = deviceTime;
  if (isTime(fixTime)) position.fixTime = fixTime;
  if (isNumber(altitude)) position.altitude = withoutRoundingError(altitude);
  if (isNumber(speed)) position.speed = withoutRoundingError(speed);
  if (isNumber(course)) position.course = normalizedCourse(course);
  return withNetwork(position, network);
}

/**
 * What a record says of its fix. Times are epoch ms, speed is km/h; `deviceTime` is that of the fix where it is absent.
 * A time that is NaN is one that no calendar has. Of altitude, speed and course, one that is NaN counts as absent:
 * `Number(undefined)` of a field that is missing.
 */
export interface Fix {
  readonly time: number;
  readonly deviceTime?: number;
  readonly valid: boolean;
  readonly latitude: number;
  readonly longitude: number;
  readonly altitude?: number | undefined;
  readonly speed?: number | undefined;
  readonly course?: number | undefined;
  readonly accuracy?: number | undefined;
}

/** `createPosition` of named fields. */
export function positionOf(fix: Fix, attributes: Attributes, network?: Network): Position {
  const { time, deviceTime = time, valid, latitude, longitude, altitude, speed, course, accuracy } = fix;
  const recorded = { deviceTime, fixTime: time, valid, latitude, longitude, altitude, speed, course };
  const position: Filled = createPosition(recorded, attributes, network);
  if (accuracy !== undefined && !position.outdated) position.accuracy = withoutRoundingError(accuracy);
  return position;
}

/** A record that carries no fix of its own. */
export function statusPosition(attributes: Attributes, deviceTime?: number, network?: Network): Position {
  roundAttributes(attributes);
  const position: Filled = { type: 'position', valid: false, outdated: true, attributes };
  if (isTime(deviceTime)) position.deviceTime = deviceTime;
  return withNetwork(position, network);
}

function withNetwork(position: Filled, network: Network | undefined): Position {
  if (network?.cells?.length || network?.wifi?.length) position.network = network;
  return position;
}

/** Adds an alarm to those that the record has. */
export function addAlarm(attributes: Attributes, alarm: string | undefined): void {
  if (alarm === undefined) return;
  const known = attributes['alarm'];
  if (known === undefined) attributes['alarm'] = alarm;
  else if (!String(known).split(',').includes(alarm)) attributes['alarm'] = `${known},${alarm}`;
}

/** Sets what is there. */
export function setIfPresent(attributes: Attributes, key: string, value: string | number | boolean | undefined): void {
  if (value !== undefined) attributes[key] = value;
}

/** A name that a device or its user gives to a value: letters of any script, digits, and a few marks. */
const OWN_KEY = /^[\p{L}_][\p{L}\p{N}_.#-]{0,63}$/u;

/** Sets a value under the device's own name for it. What is no such name is left out; false says so. */
export function setDeviceNamed(attributes: Attributes, key: string, value: string | number | boolean): boolean {
  if (key === '__proto__' || !OWN_KEY.test(key)) return false;
  attributes[key] = value;
  return true;
}

/** km/h of one knot. */
export const KNOT_KMH = 1.852;
