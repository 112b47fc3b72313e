/** One valid fix of a vehicle. */
export interface Fix {
  /** epoch ms */
  readonly at: number;
  /** degrees, WGS 84 */
  readonly latitude: number;
  readonly longitude: number;
  /** km/h; undefined if it was not reported */
  readonly speed?: number | undefined;
  /** undefined if it was not reported */
  readonly ignition?: boolean | undefined;
}

/**
 * A run of fixes in columns, as it comes from the database: no object for each. Its owner may refill it once it has
 * been read, so no consumer may keep it.
 */
export interface Fixes {
  readonly count: number;
  /** epoch ms, never falling */
  readonly at: Float64Array;
  readonly latitude: Float64Array;
  readonly longitude: Float64Array;
  /** km/h; NaN where it was not reported, or not read */
  readonly speed: Float64Array;
  /** 1 on, 0 off, -1 not reported, or not read */
  readonly ignition: Int8Array;
  /** degrees; NaN where it was not reported, or not read */
  readonly course: Float64Array;
  /** m above mean sea level; NaN where it was not reported, or not read */
  readonly altitude: Float64Array;
}

/** Columns with capacity for `room` fixes; the writer sets `count`. */
export function makeFixes(room: number): Fixes & { count: number } {
  return {
    count: 0,
    at: new Float64Array(room),
    latitude: new Float64Array(room),
    longitude: new Float64Array(room),
    speed: new Float64Array(room).fill(Number.NaN),
    ignition: new Int8Array(room).fill(-1),
    course: new Float64Array(room).fill(Number.NaN),
    altitude: new Float64Array(room).fill(Number.NaN),
  };
}

/** A copy of some of them, from the first index to before the last. */
export function sliceFixes(fixes: Fixes, first: number, last: number): Fixes {
  return {
    count: last - first,
    at: fixes.at.slice(first, last),
    latitude: fixes.latitude.slice(first, last),
    longitude: fixes.longitude.slice(first, last),
    speed: fixes.speed.slice(first, last),
    ignition: fixes.ignition.slice(first, last),
    course: fixes.course.slice(first, last),
    altitude: fixes.altitude.slice(first, last),
  };
}

export function fixAt(fixes: Fixes, i: number): Fix {
  const speed = fixes.speed[i]!;
  const ignition = fixes.ignition[i]!;
  return {
    at: fixes.at[i]!,
    latitude: fixes.latitude[i]!,
    longitude: fixes.longitude[i]!,
    speed: Number.isNaN(speed) ? undefined : speed,
    ignition: ignition < 0 ? undefined : ignition === 1,
  };
}

/**
 * Fixes in columns, sorted by time and, within one time, by their values, without duplicates. The
 * database already returns them in this order.
 */
export function toFixes(list: readonly Fix[]): Fixes {
  const sorted = [...list].sort(compareFixes);
  const fixes = makeFixes(sorted.length);
  for (const fix of sorted) {
    const { count } = fixes;
    if (count > 0 && compareFixes(fixAt(fixes, count - 1), fix) === 0) continue;
    fixes.at[count] = fix.at;
    fixes.latitude[count] = fix.latitude;
    fixes.longitude[count] = fix.longitude;
    fixes.speed[count] = fix.speed ?? Number.NaN;
    fixes.ignition[count] = fix.ignition === undefined ? -1 : fix.ignition ? 1 : 0;
    fixes.count = count + 1;
  }
  return fixes;
}

const compareFixes = (a: Fix, b: Fix): number =>
  a.at - b.at ||
  a.latitude - b.latitude ||
  a.longitude - b.longitude ||
  (a.speed ?? -1) - (b.speed ?? -1) ||
  Number(a.ignition ?? -1) - Number(b.ignition ?? -1);
