import type { Fix } from './types.ts';

/** A report as if it had been made at another place. */
export function placedAt(fix: Fix, latitude: number, longitude: number): Fix {
  const { id, at, valid, outdated, speed, course, ignition } = fix;
  return {
    id,
    at,
    valid,
    outdated,
    speed,
    course,
    ignition,
    mentions: (name) => fix.mentions(name),
    attributes: () => fix.attributes(),
    latitude,
    longitude,
  };
}
