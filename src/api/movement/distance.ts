import { readerOf } from '../../history/index.ts';
import { restrictedUser } from '../../platform/restriction.ts';
import { TRIP_DEFAULTS, type Trip, TripDetector } from '../../track/trips.ts';
import { countByDay, type DayRow, readDays, writeDays } from './days/store.ts';
import { readDriven, type Stretch } from './fixes/store.ts';
import type { Pools } from './trips.ts';

const DAY_MS = 86_400_000;
/** with fewer whole days it is faster to read all fixes than to look for what is known of them */
const LEAST_DAYS = 3;
/** days that are looked up together: no statement lasts long */
const DAYS_AT_ONCE = 92;

/**
 * Meters of the routes of a device in these stretches. What a whole day (UTC) adds is kept, with the state of the trip
 * detection at its beginning and end: of a long stretch only those days are read that are new or have other records than
 * before.
 */
export async function readDistance(pools: Pools, tenantId: number, stretches: readonly Stretch[]): Promise<number> {
  let metres = 0;
  const add = (trip: Trip): void => {
    metres += trip.distanceM;
  };
  for (const stretch of stretches) {
    const first = Math.ceil(stretch.from / DAY_MS);
    const last = Math.floor((stretch.to + 1) / DAY_MS) - 1;
    let from = stretch.from;
    let detector = new TripDetector(TRIP_DEFAULTS, add);
    // a user of some vehicles may not see all records of a day
    if (last - first + 1 >= LEAST_DAYS && restrictedUser() === undefined) {
      if (from < first * DAY_MS) await feed(pools, tenantId, { ...stretch, to: first * DAY_MS - 1 }, detector);
      let { state } = detector;
      for (let day = first; day <= last; day += DAYS_AT_ONCE) {
        const days = { deviceId: stretch.deviceId, first: day, last: Math.min(last, day + DAYS_AT_ONCE - 1) };
        const found = await readWholeDays(pools, tenantId, days, state);
        metres += found.distanceM;
        state = found.state;
      }
      detector = TripDetector.resume(state, TRIP_DEFAULTS, add);
      from = (last + 1) * DAY_MS;
    }
    if (from <= stretch.to) await feed(pools, tenantId, { ...stretch, from }, detector);
    detector.finish();
  }
  return metres;
}

const feed = (pools: Pools, tenantId: number, stretch: Stretch, detector: TripDetector): Promise<void> =>
  readDriven(pools, tenantId, stretch, (fixes) => detector.feed(fixes));

interface Days {
  readonly deviceId: number;
  /** since 1970-01-01, UTC, both included */
  readonly first: number;
  readonly last: number;
}

/** What whole days add, from a state of the detector on; its state in the end. */
async function readWholeDays(
  pools: Pools,
  tenantId: number,
  { deviceId, first, last }: Days,
  begin: string,
): Promise<{ readonly distanceM: number; readonly state: string }> {
  const [known, counts, files] = await Promise.all([
    readDays(pools.app, tenantId, deviceId, first, last),
    countByDay(pools.app, tenantId, deviceId, first, last),
    filesByDay(pools, tenantId, { deviceId, from: first * DAY_MS, to: (last + 1) * DAY_MS - 1 }),
  ]);
  const rows = new Map(known.map((row) => [row.day, row]));
  const changed: DayRow[] = [];
  let distanceM = 0;
  let state = begin;
  for (let day = first; day <= last; day++) {
    const positions = counts.get(day) ?? 0;
    const file = files.get(day) ?? '';
    if (positions === 0 && file === '') continue;
    const row = rows.get(day);
    const isCurrent = row !== undefined && row.positions === positions && row.file === file;
    if (isCurrent && row.before === state) {
      distanceM += row.distanceM;
      state = row.after;
      continue;
    }
    let metres = 0;
    const detector = TripDetector.resume(state, TRIP_DEFAULTS, (trip) => {
      metres += trip.distanceM;
    });
    await feed(pools, tenantId, { deviceId, from: day * DAY_MS, to: (day + 1) * DAY_MS - 1 }, detector);
    const after = detector.state;
    // a stretch that begins elsewhere soon agrees with what is kept: it does not replace it
    if (!isCurrent) changed.push({ day, positions, file, distanceM: metres, before: state, after });
    distanceM += metres;
    state = after;
  }
  await writeDays(pools.app, tenantId, { deviceId }, changed);
  return { distanceM, state };
}

/** The files of each day, by the names that they have while they do not change. */
async function filesByDay(pools: Pools, tenantId: number, stretch: Stretch): Promise<ReadonlyMap<number, string>> {
  const found = await readerOf(pools.app)?.find(tenantId, stretch);
  return new Map(found?.files.map(({ day, path }) => [Date.parse(`${day}T00:00:00Z`) / DAY_MS, path]) ?? []);
}
