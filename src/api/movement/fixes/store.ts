import type pg from 'pg';
import { copyAsTenant, formatTimestamp, monthOf, queryAsTenant } from '../../../platform/postgres/index.ts';
import { type Fixes, makeFixes } from '../../../track/fixes.ts';
import { EARLIEST } from '../../http/index.ts';
import { type Columns, fillFix } from './columns.ts';

/** A device's stretch of time, epoch ms, both ends included. */
export interface Stretch {
  readonly deviceId: number;
  readonly from: number;
  readonly to: number;
}

/** fixes that are worked on at once: with a ring of a thousand corners, some milliseconds */
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
  and time >= '${formatTimestamp(from)}'::timestamptz and time <= '${formatTimestamp(to)}'::timestamptz
  and valid and not outdated and latitude is not null and longitude is not null`;

/**
 * Feeds the valid fixes of a stretch, in order of time and id, as they come from an index-only scan: memory does not
 * grow with their number. At most `most` of them.
 */
export async function readFixes(
  streams: pg.Pool,
  tenantId: number,
  stretch: Stretch,
  feed: FeedFixes,
  { signal, most, columns = 'motion' }: ReadOptions = {},
): Promise<void> {
  const limit = most === undefined ? 'all' : String(Math.trunc(most));
  const select = `select ${NAMES[columns]} from position where ${fixesOf(stretch)} order by time, id limit ${limit}`;
  await copyFixes(streams, tenantId, select, feed, columns, signal);
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
    const stretch = { deviceId, from: first, to: Math.min(to, monthOf(first).next - 1) };
    const { off, mixed } = await sample(pools.app, tenantId, stretch);
    if (off < MANY || mixed > MANY) await readFixes(pools.streams, tenantId, stretch, feed, { signal });
    else await copyFixes(pools.streams, tenantId, drivenOf(stretch), feed, 'motion', signal);
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
          select ignition is false as off from position
          where device_id = $1 and time >= $2::timestamptz and time <= $3::timestamptz
            and time >= $2::timestamptz + n * ($3::timestamptz - $2::timestamptz) / ${SAMPLES}
            and valid and not outdated
          order by time, id limit ${LOOK}) next) looked`,
    values: [deviceId, formatTimestamp(from), formatTimestamp(to)],
  });
  return rows[0]!;
}

/**
 * Finds where the ignition went on and off by looking from one to the other, and reads from the fix before on to the
 * first one off. What bounds the index stands bare: a row (time, id) does so from below alone, and an expression such as
 * coalesce not at all, since the policies come first.
 */
function drivenOf(stretch: Stretch): string {
  const fixes = fixesOf(stretch);
  const next = (after: string, state: string): string => `lateral (select time, id from position
    where ${fixes} and (time, id) > (${after}) and ignition is ${state} order by time, id limit 1)`;
  const run = `on_run.on_time as on_time, on_run.on_id as on_id, coalesce(off_run.time, 'infinity') as off_time,
    off_run.id as off_id`;
  return `with recursive run as (
    select ${run}
    from (select time as on_time, id as on_id from position where ${fixes} and ignition is not false
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
  (select ${NAMES.motion} from position where ${fixes} order by time, id limit 1)
  union all
  select driven.* from run cross join lateral (
    (select ${NAMES.motion} from position
     where ${fixes} and time <= run.on_time and (time < run.on_time or id < run.on_id)
     order by time desc, id desc limit 1)
    union all
    (select ${NAMES.motion} from position
     where ${fixes} and time >= run.on_time and (time > run.on_time or id >= run.on_id)
       and time <= run.off_time and (time < run.off_time or id <= run.off_id)
     order by time, id)) driven`;
}

async function copyFixes(
  streams: pg.Pool,
  tenantId: number,
  select: string,
  feed: FeedFixes,
  columns: Columns,
  signal: AbortSignal | undefined,
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
  const rows = await queryAsTenant<{ time: number; latitude: number; longitude: number }>(app, tenantId, {
    name: 'read-fix-before',
    text: `select time, latitude, longitude from position
      where device_id = $1 and tenant_id = $2 and time < $3::timestamptz and time >= $4::timestamptz
        and valid and not outdated and latitude is not null and longitude is not null
      order by time desc, id desc limit 1`,
    values: [deviceId, tenantId, formatTimestamp(before), formatTimestamp(Math.max(before - withinMs, EARLIEST))],
  });
  const row = rows[0];
  if (row === undefined) return undefined;
  const fixes = makeFixes(1);
  fixes.at[0] = row.time;
  fixes.latitude[0] = row.latitude;
  fixes.longitude[0] = row.longitude;
  fixes.speed[0] = Number.NaN;
  fixes.ignition[0] = -1;
  fixes.count = 1;
  return fixes;
}
