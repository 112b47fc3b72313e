import type pg from 'pg';
import { DAY_MS } from '../../../../platform/durations.ts';
import { copyAsTenant, formatTimestamp, monthOf, queryAsTenant } from '../../../database/index.ts';
import { comparePlaces, type HistoryReader, readerOf } from '../../../history/index.ts';
import { EARLIEST } from '../../../kernel/http/index.ts';
import { type Fixes, makeFixes } from '../../track/fixes.ts';
import { type Columns, fillFix } from './columns.ts';

/** A device's stretch of time, epoch ms, both ends included. */
export interface Stretch {
  readonly deviceId: number;
  readonly from: number;
  readonly to: number;
}

/** fixes that are processed together: some milliseconds with a polygon of 1,000 corners */
const ROOM = 512;

/** What takes fixes: a promise is waited for before more are read. */
export type FeedFixes = (fixes: Fixes) => Promise<void> | undefined | void;

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  readonly most?: number;
  /** what is read beside time and place; speed and ignition without it */
  readonly columns?: Columns;
}

const NAMES: Readonly<Record<Columns, string>> = {
  places: 'time, latitude, longitude',
  motion: 'time, latitude, longitude, speed, ignition',
  all: 'time, latitude, longitude, speed, ignition, course, altitude',
};

/**
 * Statements of COPY take no parameters: only numbers and our own texts stand in them. The tenant is held by the policy,
 * once a row: millions of them are read here. A record without a place of its own is left out.
 */
const fixesOf = ({ deviceId, from, to }: Stretch): string => `device_id = ${Math.trunc(deviceId)}
  and time >= ${timestamp(from)} and time <= ${timestamp(to)}
  and valid and not outdated and latitude is not null and longitude is not null`;

const timestamp = (epochMs: number): string => `'${formatTimestamp(epochMs)}'::timestamptz`;

/**
 * Feeds the valid fixes of a stretch, in order of time and id, as they come from an index-only scan: memory does not
 * grow with their number. At most `most` of them.
 */
export async function readFixes(
  streams: pg.Pool,
  tenantId: number,
  stretch: Stretch,
  feed: FeedFixes,
  options: ReadOptions = {},
): Promise<void> {
  const history = readerOf(streams);
  if (history === undefined) {
    await readRowFixes(streams, tenantId, stretch, feed, options);
    return;
  }
  const { most = Number.POSITIVE_INFINITY, signal } = options;
  let left = most;
  const counted: FeedFixes = (fixes) => {
    left -= fixes.count;
    return feed(fixes);
  };
  const leftOver = () => (Number.isFinite(left) ? { most: left } : {});
  await history.across(
    tenantId,
    stretch,
    {
      rows: (part, guard) => readRowFixes(streams, tenantId, part, counted, { ...options, ...leftOver(), guard }),
      files: (part) => feedFiles(history, tenantId, part, counted, { ...leftOver(), signal }),
    },
    () => left <= 0,
  );
}

async function readRowFixes(
  streams: pg.Pool,
  tenantId: number,
  stretch: Stretch,
  feed: FeedFixes,
  { signal, most, columns = 'motion', guard }: ReadOptions & Guarded,
): Promise<void> {
  const limit = most === undefined ? 'all' : String(Math.trunc(most));
  const select = `select ${NAMES[columns]} from position_all where ${fixesOf(stretch)} order by time, id limit ${limit}`;
  await copyFixes(streams, tenantId, select, feed, { columns, signal, guard });
}

interface Guarded {
  readonly guard?: pg.QueryConfig | undefined;
}

interface RowFix {
  readonly time: number;
  readonly id: Buffer;
  readonly latitude: number;
  readonly longitude: number;
  readonly speed: number | null;
  readonly ignition: boolean | null;
  readonly course: number | null;
  readonly altitude: number | null;
  readonly [column: string]: unknown;
}

/** Feeds the fixes of days that have files: those of the files, and of rows that arrived after them. */
async function feedFiles(
  history: HistoryReader,
  tenantId: number,
  stretch: Stretch,
  feed: FeedFixes,
  { signal, most = Number.POSITIVE_INFINITY, onlyDriven = false }: ReadOptions & { readonly onlyDriven?: boolean },
): Promise<void> {
  signal?.throwIfAborted();
  const late = await queryAsTenant<RowFix>(history.app, tenantId, {
    text: `select time, id, latitude, longitude, speed, ignition, course, altitude from position_all
      where ${fixesOf(stretch)} order by time, id`,
  });
  const found = await history.find(tenantId, stretch);
  const chunks = await history.readFixes(found, {
    withIds: late.length > 0,
    // a late fix may lie between those that are left out
    onlyDriven: onlyDriven && late.length === 0,
  });
  const fixes = makeFixes(ROOM);
  let left = most;
  const flush = async (): Promise<void> => {
    signal?.throwIfAborted();
    if (fixes.count > 0) await feed(fixes);
    fixes.count = 0;
  };
  const put = async (take: (i: number) => void): Promise<void> => {
    if (left-- <= 0) return;
    if (fixes.count === ROOM) await flush();
    take(fixes.count++);
  };
  const putRow = (row: RowFix): Promise<void> =>
    put((i) => {
      fixes.at[i] = row.time;
      fixes.latitude[i] = row.latitude;
      fixes.longitude[i] = row.longitude;
      fixes.speed[i] = row.speed ?? Number.NaN;
      fixes.ignition[i] = row.ignition === null ? -1 : Number(row.ignition);
      fixes.course[i] = row.course ?? Number.NaN;
      fixes.altitude[i] = row.altitude ?? Number.NaN;
    });
  let next = 0;
  for (const chunk of chunks) {
    for (let j = 0; j < chunk.count; j++) {
      if (next < late.length) {
        const place = { time: chunk.at[j]!, id: chunk.ids[j]! };
        while (next < late.length && comparePlaces(late[next]!, place) < 0) await putRow(late[next++]!);
        if (next < late.length && comparePlaces(late[next]!, place) === 0) next++;
      }
      if (left <= 0) break;
      if (fixes.count === ROOM) await flush();
      left--;
      const i = fixes.count++;
      fixes.at[i] = chunk.at[j]!;
      fixes.latitude[i] = chunk.latitude[j]!;
      fixes.longitude[i] = chunk.longitude[j]!;
      fixes.speed[i] = chunk.speed[j]!;
      fixes.ignition[i] = chunk.ignition[j]!;
      fixes.course[i] = chunk.course[j]!;
      fixes.altitude[i] = chunk.altitude[j]!;
    }
  }
  while (next < late.length) await putRow(late[next++]!);
  await flush();
}

/** moments at which a stretch is looked at before it is read, and fixes that are looked at there */
const SAMPLES = 64;
const LOOK = 8;
/**
 * With as many of them off it pays to look for what was driven; with more that go on and off within a few fixes, as a
 * loose wire does, it does not.
 */
const MANY = 16;

/**
 * Feeds the fixes of a stretch that trips are made of. Of fixes that follow each other with the ignition off, only the
 * first and the last are sure to be among them: a parked vehicle is most of a month, and the database passes over it for
 * a third of what sending it costs. One fix may come twice in a row.
 */
export async function readDriven(
  pools: { readonly app: pg.Pool; readonly streams: pg.Pool },
  tenantId: number,
  { deviceId, from, to }: Stretch,
  feed: FeedFixes,
  signal?: AbortSignal,
): Promise<void> {
  // a month has a table of its own; looking for the next fix in two of them would look through the later one each time
  for (let first = from; first <= to; first = monthOf(first).next) {
    const month = { deviceId, from: first, to: Math.min(to, monthOf(first).next - 1) };
    const rows = async (stretch: Stretch, guard?: pg.QueryConfig): Promise<void> => {
      const { off, mixed } = await sample(pools.app, tenantId, stretch);
      if (off < MANY || mixed > MANY) await readRowFixes(pools.streams, tenantId, stretch, feed, { signal, guard });
      else await copyFixes(pools.streams, tenantId, drivenByDay(stretch), feed, { columns: 'motion', signal, guard });
    };
    const history = readerOf(pools.streams);
    if (history === undefined) await rows(month);
    else {
      const files = (part: Stretch) => feedFiles(history, tenantId, part, feed, { signal, onlyDriven: true });
      await history.across(tenantId, month, { rows, files });
    }
  }
}

/** At how many of 64 moments of a stretch, evenly apart, the next fixes say that the ignition is off, or on and off. */
async function sample(app: pg.Pool, tenantId: number, { deviceId, from, to }: Stretch) {
  const rows = await queryAsTenant<{ off: number; mixed: number }>(app, tenantId, {
    name: 'sample-ignition',
    text: `select count(*) filter (where looked.always)::int as off,
        count(*) filter (where looked.sometimes and not looked.always)::int as mixed
      from generate_series(0, ${SAMPLES - 1}) n cross join lateral (
        select bool_and(off) as always, bool_or(off) as sometimes from (
          select ignition is false as off from position_all
          where device_id = $1 and time >= $2::timestamptz and time <= $3::timestamptz
            and time >= $2::timestamptz + n * ($3::timestamptz - $2::timestamptz) / ${SAMPLES}
            and valid and not outdated
          order by time, id limit ${LOOK}) next) looked`,
    values: [deviceId, formatTimestamp(from), formatTimestamp(to)],
  });
  return rows[0]!;
}

/**
 * A stretch of several days (UTC) is searched day by day, so that a day has the same fixes in every request: what
 * is kept of days begins and ends with what the fixes of one say.
 */
function drivenByDay(stretch: Stretch): string {
  const days: string[] = [];
  for (let from = stretch.from; from <= stretch.to; from = (Math.floor(from / DAY_MS) + 1) * DAY_MS) {
    const to = Math.min(stretch.to, (Math.floor(from / DAY_MS) + 1) * DAY_MS - 1);
    days.push(`(${timestamp(from)}, ${timestamp(to)})`);
  }
  if (days.length === 1) return drivenOf(fixesOf(stretch));
  // the bounds of all of it choose the partition before the statement is run
  const fixes = `${fixesOf(stretch)} and time >= day.first and time <= day.last`;
  return `select found.* from (values ${days.join(', ')}) day(first, last) cross join lateral (${drivenOf(fixes)}) found`;
}

/**
 * Finds where the ignition went on and off by looking from one to the other, and reads from the fix before on to the
 * first one off. What bounds the index stands bare: a row (time, id) does so from below alone, and an expression such as
 * coalesce not at all, since the policies come first.
 */
function drivenOf(fixes: string): string {
  const next = (after: string, state: string): string => `lateral (select time, id from position_all
    where ${fixes} and (time, id) > (${after}) and ignition is ${state} order by time, id limit 1)`;
  const run = `on_run.on_time as on_time, on_run.on_id as on_id, coalesce(off_run.time, 'infinity') as off_time,
    off_run.id as off_id`;
  return `with recursive run as (
    select ${run}
    from (select time as on_time, id as on_id from position_all where ${fixes} and ignition is not false
          order by time, id limit 1) on_run
      left join ${next('on_run.on_time, on_run.on_id', 'false')} off_run on true
    union all
    select ${run}
    from run
      cross join lateral (select time as on_time, id as on_id
        from ${next('run.off_time, run.off_id', 'not false')} found) on_run
      left join ${next('on_run.on_time, on_run.on_id', 'false')} off_run on true
    where run.off_id is not null
  )
  (select ${NAMES.motion} from position_all where ${fixes} order by time, id limit 1)
  union all
  select driven.* from run cross join lateral (
    (select ${NAMES.motion} from position_all
     where ${fixes} and time <= run.on_time and (time < run.on_time or id < run.on_id)
     order by time desc, id desc limit 1)
    union all
    (select ${NAMES.motion} from position_all
     where ${fixes} and time >= run.on_time and (time > run.on_time or id >= run.on_id)
       and time <= run.off_time and (time < run.off_time or id <= run.off_id)
     order by time, id)) driven`;
}

async function copyFixes(
  streams: pg.Pool,
  tenantId: number,
  select: string,
  feed: FeedFixes,
  { columns, signal, guard }: Guarded & { readonly columns: Columns; readonly signal?: AbortSignal | undefined },
): Promise<void> {
  const fixes = makeFixes(ROOM);
  let waiting: Promise<void> | undefined;
  const flush = (): void => {
    if (fixes.count === 0) return;
    const wait = feed(fixes) ?? undefined;
    if (wait !== undefined) waiting = waiting === undefined ? wait : Promise.all([waiting, wait]).then(() => undefined);
    fixes.count = 0;
  };
  await copyAsTenant(
    streams,
    tenantId,
    `copy (${select}) to stdout (format binary)`,
    {
      row(view, at) {
        if (fixes.count === ROOM) flush();
        fillFix(fixes, view, at, columns);
      },
      pause() {
        flush();
        const wait = waiting;
        waiting = undefined;
        return wait;
      },
    },
    signal,
    guard,
  );
  flush();
  await waiting;
}

/** The last valid fix before a time, within `withinMs`. */
export async function readFixBefore(
  app: pg.Pool,
  tenantId: number,
  deviceId: number,
  before: number,
  withinMs: number,
): Promise<Fixes | undefined> {
  const rows = await queryAsTenant<{ time: number; id: Buffer; latitude: number; longitude: number }>(app, tenantId, {
    name: 'read-fix-before',
    text: `select time, id, latitude, longitude from position_all
      where device_id = $1 and tenant_id = $2 and time < $3::timestamptz and time >= $4::timestamptz
        and valid and not outdated and latitude is not null and longitude is not null
      order by time desc, id desc limit 1`,
    values: [deviceId, tenantId, formatTimestamp(before), formatTimestamp(Math.max(before - withinMs, EARLIEST))],
  });
  const stretch = { deviceId, from: Math.max(before - withinMs, EARLIEST), to: before - 1 };
  const row = newest(rows[0], await lastFixInFiles(app, tenantId, stretch));
  if (row === undefined) return undefined;
  const fixes = makeFixes(1);
  fixes.at[0] = row.time;
  fixes.latitude[0] = row.latitude!;
  fixes.longitude[0] = row.longitude!;
  fixes.speed[0] = Number.NaN;
  fixes.ignition[0] = -1;
  fixes.count = 1;
  return fixes;
}

interface PlacedFix {
  readonly time: number;
  readonly id: Buffer;
  readonly latitude: number | null;
  readonly longitude: number | null;
}

async function lastFixInFiles(app: pg.Pool, tenantId: number, stretch: Stretch): Promise<PlacedFix | undefined> {
  const history = readerOf(app);
  if (history === undefined) return undefined;
  const found = await history.find(tenantId, stretch);
  const rows = await history.readRows(found, { isValid: true, newestFirst: true, limit: 1 });
  return rows[0];
}

const newest = (a: PlacedFix | undefined, b: PlacedFix | undefined): PlacedFix | undefined =>
  a === undefined || (b !== undefined && comparePlaces(a, b) < 0) ? b : a;
