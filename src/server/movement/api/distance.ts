import { DAY_MS } from '../../../platform/durations.ts';
import { restrictedUser } from '../../../platform/restriction.ts';
import { readerOf } from '../../history/index.ts';
import { TRIP_DEFAULTS, TRIP_VERSION, type Trip, TripDetector } from '../track/trips.ts';
import { readDaysAhead } from './days/ahead.ts';
import { countByDay, type Day, type DayRow, readDays, writeDays } from './days/store.ts';
import { readDriven, type Stretch } from './fixes/store.ts';
import type { Pools } from './trips.ts';
import { twoAtATime } from './two-at-a-time.ts';

/** with fewer whole days it is faster to read all fixes than to look for what is known of them */
const MIN_DAYS = 3;
/** days that are looked up together: no statement lasts long */
const DAYS_AT_ONCE = 92;

/**
 * Meters of the routes of a device in these stretches. What a whole day (UTC) adds is kept, with the state of the trip
 * detection at its beginning and end: of a long stretch only those days are read that are new, have other records than
 * before, or were calculated by another version of the detection.
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
    if (last - first + 1 >= MIN_DAYS && restrictedUser() === undefined) {
      if (from < first * DAY_MS) await feed(pools, tenantId, { ...stretch, to: first * DAY_MS - 1 }, detector);
      let { state } = detector;
      for (const known of await lookUpDays(pools, tenantId, { deviceId: stretch.deviceId, first, last })) {
        const found = await addWholeDays(pools, tenantId, known, state);
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

/**
 * Calculates those of the whole days that are not kept, or no longer as they were, going on from a state of the trip
 * detection. Its state after them.
 */
export async function keepDays(pools: Pools, tenantId: number, days: Days, begin: string): Promise<string> {
  let state = begin;
  for (const known of await lookUpDays(pools, tenantId, days)) {
    ({ state } = await addWholeDays(pools, tenantId, known, state));
  }
  return state;
}

const feed = (pools: Pools, tenantId: number, stretch: Stretch, detector: TripDetector): Promise<void> =>
  readDriven(pools, tenantId, stretch, (fixes) => detector.feed(fixes));

interface Days {
  readonly deviceId: number;
  /** since 1970-01-01, UTC, both included */
  readonly first: number;
  readonly last: number;
}

/** What is kept of days, and what they consist of now. */
interface KnownDays extends Days {
  readonly rows: ReadonlyMap<number, DayRow>;
  readonly counts: ReadonlyMap<number, number>;
  readonly files: ReadonlyMap<number, string>;
}

/** Counting the records of a year takes most of the time: two parts of it are counted at a time. */
function lookUpDays(pools: Pools, tenantId: number, { deviceId, first, last }: Days): Promise<KnownDays[]> {
  const parts: Days[] = [];
  for (let day = first; day <= last; day += DAYS_AT_ONCE) {
    parts.push({ deviceId, first: day, last: Math.min(last, day + DAYS_AT_ONCE - 1) });
  }
  return twoAtATime(parts, async (part) => {
    const [kept, counts, files] = await Promise.all([
      readDays(pools.app, tenantId, deviceId, part.first, part.last),
      countByDay(pools.app, tenantId, deviceId, part.first, part.last),
      filesByDay(pools, tenantId, { deviceId, from: part.first * DAY_MS, to: (part.last + 1) * DAY_MS - 1 }),
    ]);
    return { ...part, rows: new Map(kept.map((row) => [row.day, row])), counts, files };
  });
}

/** Distance of whole days, starting from a state of the detector; with its state at the end. */
async function addWholeDays(
  pools: Pools,
  tenantId: number,
  known: KnownDays,
  begin: string,
): Promise<{ readonly distanceM: number; readonly state: string }> {
  const { deviceId, first, last, rows } = known;
  const changed: DayRow[] = [];
  const days: Day[] = [];
  for (let day = first; day <= last; day++) {
    const positions = known.counts.get(day) ?? 0;
    const file = known.files.get(day) ?? '';
    if (positions > 0 || file !== '') days.push({ day, positions, file });
  }
  const isCurrent = ({ day, positions, file }: Day): boolean => {
    const row = rows.get(day);
    return row?.algorithm === TRIP_VERSION && row.positions === positions && row.file === file;
  };
  const reader = readDaysAhead(
    pools,
    tenantId,
    deviceId,
    days.filter((day) => !isCurrent(day)),
  );
  let distanceM = 0;
  let state = begin;
  for (const each of days) {
    const row = rows.get(each.day);
    const isKept = isCurrent(each);
    if (row !== undefined && isKept && row.before === state) {
      distanceM += row.distanceM;
      state = row.after;
      continue;
    }
    let metres = 0;
    const detector = TripDetector.resume(state, TRIP_DEFAULTS, (trip) => {
      metres += trip.distanceM;
    });
    for (const fixes of await reader.read(each)) detector.feed(fixes);
    const after = detector.state;
    // a stretch that begins elsewhere soon agrees with what is kept: it does not replace it
    if (!isKept) changed.push({ ...each, algorithm: TRIP_VERSION, distanceM: metres, before: state, after });
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
