import type { Attributes, Position } from '#codec';
import { isInstant } from './instants.ts';

/**
 * Makes a decoded record storable without losing it: coordinates out of range make it a record without fix
 * (the original values are kept in `rawLatitude`, `rawLongitude`), an invalid time is omitted, course is
 * normalized to 0 to 360, numbers that JSON cannot represent are dropped. No position is refused for its time.
 */
export function normalise(position: Position): Position {
  if (isInOrder(position)) return position;
  const { latitude, longitude, altitude, speed, course, accuracy, deviceTime, fixTime, outdated, ...rest } = position;
  const attributes = finite(position.attributes);
  const onGlobe =
    latitude !== undefined && longitude !== undefined && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  const times = {
    ...(isStorable(deviceTime) ? { deviceTime } : {}),
    ...(isStorable(fixTime) ? { fixTime } : {}),
  };
  if (!onGlobe) {
    if (Number.isFinite(latitude)) attributes['rawLatitude'] = latitude as number;
    if (Number.isFinite(longitude)) attributes['rawLongitude'] = longitude as number;
    return { ...rest, ...times, valid: false, outdated: true, attributes };
  }
  return {
    ...rest,
    ...times,
    ...(outdated ? { outdated } : {}),
    latitude,
    longitude,
    ...numbers({ altitude, speed, accuracy }),
    ...(Number.isFinite(course) ? { course: (((course as number) % 360) + 360) % 360 } : {}),
    attributes,
  };
}

const isStorable = (time: number | undefined): time is number =>
  time !== undefined && time >= 0 && isInstant(Math.floor(time));
const isFine = (n: number | undefined): boolean => n === undefined || Number.isFinite(n);

function isInOrder(p: Position): boolean {
  if (p.outdated ? p.latitude !== undefined : p.latitude === undefined || p.longitude === undefined) return false;
  if (!(p.outdated || (Math.abs(p.latitude!) <= 90 && Math.abs(p.longitude!) <= 180))) return false;
  if ((p.deviceTime !== undefined && !isStorable(p.deviceTime)) || (p.fixTime !== undefined && !isStorable(p.fixTime)))
    return false;
  if (p.course !== undefined && !(p.course >= 0 && p.course <= 360)) return false;
  if (!isFine(p.altitude) || !isFine(p.speed) || !isFine(p.accuracy)) return false;
  for (const key in p.attributes) {
    const value = p.attributes[key];
    if (typeof value === 'number' && !Number.isFinite(value)) return false;
  }
  return true;
}

function finite(attributes: Attributes): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, v]) => typeof v !== 'number' || Number.isFinite(v)));
}

function numbers<T extends Record<string, number | undefined>>(values: T): { [K in keyof T]?: number } {
  const kept = Object.entries(values).filter(([, v]) => v !== undefined && Number.isFinite(v));
  return Object.fromEntries(kept) as { [K in keyof T]?: number };
}
