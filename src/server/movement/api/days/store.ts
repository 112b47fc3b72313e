import type pg from 'pg';
import { float8Array, int8Array, queryAsTenant, textArray } from '../../../database/index.ts';
import type { Stretch } from '../fixes/store.ts';

/** A day that has records. */
export interface Day {
  /** days since 1970-01-01, UTC */
  readonly day: number;
  /** records that are rows, and the file that has the others; empty: none */
  readonly positions: number;
  readonly file: string;
}

/** A day of a device as it was calculated. */
export interface DayRow extends Day {
  /** `TRIP_VERSION` that it was calculated with */
  readonly algorithm: number;
  readonly distanceM: number;
  /** state of the detector at its beginning and at its end */
  readonly before: string;
  readonly after: string;
  readonly [column: string]: unknown;
}

const EPOCH = `date '1970-01-01'`;

/** Number of records of each day that has some. `first` and `last` are days since 1970-01-01, both included. */
export async function countByDay(
  app: pg.Pool,
  tenantId: number,
  deviceId: number,
  first: number,
  last: number,
): Promise<ReadonlyMap<number, number>> {
  const rows = await queryAsTenant<{ day: number; positions: number }>(app, tenantId, {
    name: 'movement-count-days',
    text: `select d.day, found.positions from generate_series($2::int, $3::int) d(day), lateral (
             select count(*)::int8 as positions from position_all
             where device_id = $1 and time >= timestamptz '1970-01-01Z' + d.day * interval '1 day'
               and time < timestamptz '1970-01-01Z' + (d.day + 1) * interval '1 day') found
           where found.positions > 0`,
    values: [deviceId, first, last],
  });
  return new Map(rows.map(({ day, positions }) => [day, positions]));
}

export function readDays(
  app: pg.Pool,
  tenantId: number,
  deviceId: number,
  first: number,
  last: number,
): Promise<DayRow[]> {
  return queryAsTenant<DayRow>(app, tenantId, {
    name: 'movement-read-days',
    text: `select day - ${EPOCH} as day, positions, file, algorithm, distance_m as "distanceM", before, after
           from movement_day where tenant_id = $1 and device_id = $2 and day >= ${EPOCH} + $3::int and day <= ${EPOCH} + $4::int order by day`,
    values: [tenantId, deviceId, first, last],
  });
}

export async function writeDays(
  app: pg.Pool,
  tenantId: number,
  { deviceId }: Pick<Stretch, 'deviceId'>,
  rows: readonly DayRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await queryAsTenant(app, tenantId, {
    name: 'movement-write-days',
    text: `insert into movement_day as m (device_id, tenant_id, day, positions, file, distance_m, before, after, algorithm)
           select $1, $2, ${EPOCH} + n.day::int, n.positions, n.file, n.distance, n.before, n.after, n.algorithm
           from unnest($3::int8[], $4::int8[], $5::text[], $6::float8[], $7::text[], $8::text[], $9::int8[])
             as n(day, positions, file, distance, before, after, algorithm)
           on conflict (tenant_id, device_id, day) do update set positions = excluded.positions,
             file = excluded.file, algorithm = excluded.algorithm, distance_m = excluded.distance_m, before = excluded.before, after = excluded.after`,
    values: [
      deviceId,
      tenantId,
      int8Array(rows.map(({ day }) => day)),
      int8Array(rows.map(({ positions }) => positions)),
      textArray(rows.map(({ file }) => file)),
      float8Array(rows.map(({ distanceM }) => distanceM)),
      textArray(rows.map(({ before }) => before)),
      textArray(rows.map(({ after }) => after)),
      int8Array(rows.map(({ algorithm }) => algorithm)),
    ],
  });
}

/** A device that has records of days which are not kept yet. */
export interface Behind {
  readonly tenantId: number;
  readonly deviceId: number;
  /** the first day that may have to be calculated, since 1970-01-01 */
  readonly day: number;
  /** state of the detector at the end of the day that is kept last; null: none is */
  readonly after: string | null;
  readonly [column: string]: unknown;
}

/** Devices of all tenants whose newest record is of a later day than the last one that this algorithm has kept. */
export async function listBehind(
  ingest: pg.Pool,
  { first, last, algorithm }: { readonly first: number; readonly last: number; readonly algorithm: number },
): Promise<Behind[]> {
  const { rows } = await ingest.query<Behind>({
    name: 'movement-list-behind',
    text: `select n.tenant_id as "tenantId", n.device_id as "deviceId", coalesce(kept.day - ${EPOCH} + 1, $1::int) as day,
             kept.after
           from position_newest n left join lateral (
             select m.day, m.after from movement_day m
             where m.tenant_id = n.tenant_id and m.device_id = n.device_id and m.day >= ${EPOCH} + $1::int
               and m.algorithm = $3
             order by m.day desc limit 1) kept on true
           where n.time >= timestamptz '1970-01-01Z' + coalesce(kept.day - ${EPOCH} + 1, $1::int) * interval '1 day'
             and coalesce(kept.day - ${EPOCH}, $1::int - 1) < $2::int
           order by 1, 2`,
    values: [first, last, algorithm],
  });
  return rows;
}
