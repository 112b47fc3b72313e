import { CodecError } from './errors.ts';
import type { Attributes, Network, Position } from './messages.ts';

type Filled = { -readonly [K in keyof Position]: Position[K] };

/** What a record says of its fix. Times are epoch ms, speed is km/h; `deviceTime` is the fix's where it is absent. */
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

/** A position with a fix. Throws CodecError `bad-value` where it is not on the globe or has no time. */
export function positionOf(fix: Fix, attributes: Attributes, network?: Network): Position {
  const { latitude, longitude, time, accuracy } = fix;
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180))
    throw new CodecError('bad-value', `${latitude}, ${longitude} is not on the globe`);
  if (!Number.isFinite(time)) throw new CodecError('bad-value', 'a fix without a time');
  const turned = (fix.course ?? 0) % 360;
  // One literal, then what few records have: spreading makes objects that are slow to make and to read.
  const position: Filled = {
    type: 'position',
    deviceTime: fix.deviceTime ?? time,
    fixTime: time,
    valid: fix.valid,
    latitude,
    longitude,
    altitude: fix.altitude ?? 0,
    speed: fix.speed ?? 0,
    course: turned < 0 ? turned + 360 : turned,
    attributes,
  };
  if (accuracy !== undefined) position.accuracy = accuracy;
  return withNetwork(position, network);
}

/** 9999-12-31: the last day that a calendar text holds. */
const LATEST = 253_402_214_400_000;

/**
 * A record with a fix, times in epoch ms. One literal for the usual case, so that all positions have one shape. Where
 * the coordinates are off the globe there is no fix: they stay as raw values. A time that no calendar has is left out.
 */
export function createPosition(
  time: number,
  valid: boolean,
  latitude: number,
  longitude: number,
  altitude: number,
  speed: number,
  course: number,
  network: Network | undefined,
  attributes: Attributes,
): Position {
  const isOnGlobe = latitude >= -90 && latitude <= 90 && longitude >= -180 && longitude <= 180;
  if (isOnGlobe && time <= LATEST) {
    const position: Position = {
      type: 'position',
      deviceTime: time,
      fixTime: time,
      valid,
      latitude,
      longitude,
      altitude,
      speed,
      course,
      attributes,
    };
    return network === undefined ? position : { ...position, network };
  }
  const times = time <= LATEST ? { deviceTime: time } : {};
  const more = network === undefined ? {} : { network };
  if (isOnGlobe)
    return { type: 'position', ...times, valid, latitude, longitude, altitude, speed, course, ...more, attributes };
  if (Number.isFinite(latitude)) attributes['rawLatitude'] = latitude;
  if (Number.isFinite(longitude)) attributes['rawLongitude'] = longitude;
  return { type: 'position', ...times, valid: false, outdated: true, ...more, attributes };
}

/** A record that carries no fix of its own. */
export function statusPosition(attributes: Attributes, deviceTime?: number, network?: Network): Position {
  const position: Filled = { type: 'position', valid: false, outdated: true, attributes };
  if (deviceTime !== undefined && Number.isFinite(deviceTime)) position.deviceTime = deviceTime;
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

export const KNOT_KMH = 1.852;

/** Degrees of a number that has degrees in its hundreds and minutes below (4807.5 is 48.125). */
export function degreesFromDdmm(ddmm: number): number {
  const degrees = Math.trunc(ddmm / 100);
  return degrees + (ddmm - degrees * 100) / 60;
}
