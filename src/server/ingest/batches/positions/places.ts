import { distanceM } from '../../../../geometry/globe.ts';
import type { Clocked } from './clocks.ts';
import { rememberLast } from './remember-last.ts';
import type { PositionRow } from './row.ts';

/** Records with their places. */
export interface Placed extends Clocked {
  /** latitude and longitude of a valid fix */
  place(index: number): Place | undefined;
}

type Place = readonly [latitude: number, longitude: number];

export interface ImplausiblePlaces {
  /** fixes at 0, 0: what receivers without a fix report */
  readonly zero: readonly number[];
  /** fixes that the device cannot have reached, and from which it cannot have come back */
  readonly jumps: ReadonlySet<number>;
}

/** no shorter way is a jump, m */
const MIN_JUMP_M = 5_000;
/** as for trips */
const MAX_KMH = 300;
/** the fixes around a jump are at most this far apart in time, ms: further ones do not confirm each other */
const MAX_AROUND_MS = 900_000;
/** degrees of latitude or longitude that may be a jump: a cheap test */
const SUSPICIOUS_DEGREES = 0.04;

const NONE: ImplausiblePlaces = { zero: [], jumps: new Set() };

/**
 * Places in a batch that cannot be right. A place is judged by the fixes around it in time: a run of fixes that the device
 * can neither have reached nor left, while the fix before it and the one behind agree. A place that nothing follows is not.
 */
export function findImplausible(records: Placed): ImplausiblePlaces {
  const zero: number[] = [];
  let isFar = false;
  const devices = new Map<number, { place: Place | undefined }>();
  const lastOf = rememberLast((device: number) => {
    const last = devices.get(device) ?? { place: undefined };
    devices.set(device, last);
    return last;
  });
  for (let index = 0; index < records.count; index++) {
    const place = records.place(index);
    if (place === undefined) continue;
    if (place[0] === 0 && place[1] === 0) {
      zero.push(index);
      continue;
    }
    const last = lastOf(records.deviceId(index));
    isFar ||= last.place !== undefined && isDistant(last.place, place);
    last.place = place;
  }
  if (!isFar) return zero.length === 0 ? NONE : { zero, jumps: NONE.jumps };
  return { zero, jumps: findJumps(records, new Set(zero)) };
}

const isDistant = (a: Place, b: Place): boolean =>
  Math.abs(a[0] - b[0]) > SUSPICIOUS_DEGREES || Math.abs(a[1] - b[1]) > SUSPICIOUS_DEGREES;

interface Fix {
  readonly index: number;
  readonly time: number;
  readonly place: Place;
}

function findJumps(records: Placed, without: ReadonlySet<number>): ReadonlySet<number> {
  const byDevice = new Map<number, Fix[]>();
  for (let index = 0; index < records.count; index++) {
    const place = records.place(index);
    if (place === undefined || without.has(index)) continue;
    const device = records.deviceId(index);
    const list = byDevice.get(device) ?? [];
    list.push({ index, time: records.time(index), place });
    byDevice.set(device, list);
  }
  const jumps = new Set<number>();
  for (const fixes of byDevice.values()) {
    fixes.sort((a, b) => a.time - b.time);
    for (let at = 1; at < fixes.length - 1; at++) {
      const before = fixes[at - 1]!;
      if (isReachable(before, fixes[at]!)) continue;
      const back = backFrom(fixes, at, before);
      if (back === undefined) continue;
      for (const { index } of fixes.slice(at, back)) jumps.add(index);
      at = back;
    }
  }
  return jumps;
}

/** Where the device is again at a place that it can have reached from `before`, and not from the fix ahead of it. */
function backFrom(fixes: readonly Fix[], from: number, before: Fix): number | undefined {
  for (let at = from + 1; at < fixes.length; at++) {
    const fix = fixes[at]!;
    if (fix.time - before.time > MAX_AROUND_MS) return undefined;
    if (isReachable(before, fix) && !isReachable(fixes[at - 1]!, fix)) return at;
  }
  return undefined;
}

function isReachable(a: Fix, b: Fix): boolean {
  const metres = distanceM(a.place[0], a.place[1], b.place[0], b.place[1]);
  return metres < MIN_JUMP_M || (metres / Math.max(1, b.time - a.time)) * 3_600 <= MAX_KMH;
}

/** A fix that is kept, but is no place of the device. */
const markPlace = <T extends PositionRow>(row: T): T => ({ ...row, valid: false });

/** The same with the reason, which cannot be seen from the record itself. */
export const markJump = <T extends PositionRow>(row: T): T => ({
  ...markPlace(row),
  attributes: JSON.stringify({ ...(JSON.parse(row.attributes) as object), implausible: 'jump' }),
});

/** The rows, those with an implausible place marked. */
export function checkPlaces<T extends PositionRow>(rows: readonly T[]): readonly T[] {
  const { zero, jumps } = findImplausible({
    count: rows.length,
    deviceId: (index) => rows[index]!.deviceId,
    time: (index) => rows[index]!.time,
    serverTime: (index) => rows[index]!.serverTime,
    place: (index) => placeOf(rows[index]!),
  });
  if (zero.length === 0 && jumps.size === 0) return rows;
  const isZero = new Set(zero);
  return rows.map((row, index) => (jumps.has(index) ? markJump(row) : isZero.has(index) ? markPlace(row) : row));
}

const placeOf = ({ valid, outdated, latitude, longitude }: PositionRow): Place | undefined =>
  valid && !outdated && latitude !== undefined && longitude !== undefined ? [latitude, longitude] : undefined;
