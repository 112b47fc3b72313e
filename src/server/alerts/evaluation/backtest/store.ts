import type pg from 'pg';
import { formatTimestamp, queryAsTenant } from '../../../database/index.ts';
import { readerOf } from '../../../history/index.ts';
import type { ReportPlace } from '../../rules/index.ts';
import { withFiled } from '../filed-reports.ts';
import { bytesOfId, type ReportRow } from '../report.ts';
import type { CommandRow, RuleRow, WatchRow } from '../store.ts';

/** What a backtest reads. Policies limit it to the tenant, and to the vehicles of the user. Times are epoch ms. */
export interface Scope {
  readonly pool: pg.Pool;
  readonly tenantId: number;
  readonly from: number;
  readonly to: number;
}

export async function readGeofences(
  { pool, tenantId }: Scope,
  geofences: readonly string[],
): Promise<RuleRow['geofences']> {
  if (geofences.length === 0) return [];
  return queryAsTenant<RuleRow['geofences'][number] & { [column: string]: unknown }>(pool, tenantId, {
    name: 'backtest-geofences',
    text: 'select id, name, area from geofence where tenant_id = $1 and id = any($2::text[]) order by id',
    values: [tenantId, geofences],
  });
}

/** Devices that were in the vehicles within the interval, and devices that are watched themselves. */
export function readWatches(
  { pool, tenantId, from, to }: Scope,
  vehicleIds: readonly string[],
  deviceIds: readonly number[],
): Promise<WatchRow[]> {
  return queryAsTenant<WatchRow & { [column: string]: unknown }>(pool, tenantId, {
    name: 'backtest-watches',
    text: `select '' as "ruleId", d.id as "deviceId", d.imei, v.id as "vehicleId", v.targa, d.options,
                  v.fuel_tank_litres as litres, p.valid_from as "from", p.valid_to as "to"
           from vehicle v
           join pairing p on p.vehicle_id = v.id and p.device_id is not null
             and p.valid_from <= $5::timestamptz and (p.valid_to is null or p.valid_to > $4::timestamptz)
           join device d on d.id = p.device_id
           where v.tenant_id = $1 and v.id = any($2::text[])
           union all
           select '', d.id, d.imei, null, null, d.options, null, null, null
           from device d where d.tenant_id = $1 and d.id = any($3::int8[])
           order by 2, 8`,
    values: [tenantId, vehicleIds, deviceIds, formatTimestamp(from), formatTimestamp(to)],
  });
}

/** Reports of a device within the interval after a place in their order, at most `limit`. */
export async function readReports(
  { pool, tenantId, to }: Scope,
  deviceId: number,
  after: ReportPlace,
  limit: number,
): Promise<ReportRow[]> {
  const rows = await queryAsTenant<Record<string, unknown>>(pool, tenantId, {
    name: 'backtest-reports',
    text: `select time, id, server_time as "serverTime", latitude, longitude, speed, course, valid, outdated, ignition,
                  attributes::text as attributes
           from position_all
           where device_id = $1 and not clock_suspect and time >= $2::timestamptz
             and (time, id) > ($2::timestamptz, $3::bytea) and time <= $4::timestamptz
           order by time, id limit $5`,
    values: [deviceId, formatTimestamp(after.at), bytesOfId(after.id), formatTimestamp(to), limit],
  });
  return withFiled(readerOf(pool), { tenantId, deviceId }, { after, limit, to }, rows.map(toReportRow));
}

function toReportRow(row: Readonly<Record<string, unknown>>): ReportRow {
  const known = Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value ?? undefined]));
  return { ...known, id: (row['id'] as Buffer).toString('base64url').slice(0, 22) } as ReportRow;
}

/** The last report with a place before the interval, of those that are not in files yet. */
export async function readReportBefore(
  { pool, tenantId, from }: Scope,
  deviceId: number,
): Promise<ReportRow | undefined> {
  const rows = await queryAsTenant<Record<string, unknown>>(pool, tenantId, {
    name: 'backtest-report-before',
    text: `select time, id, server_time as "serverTime", latitude, longitude, speed, course, valid, outdated, ignition,
                  attributes::text as attributes
           from position_all
           where device_id = $1 and not clock_suspect and time < $2::timestamptz and valid and not outdated
           order by time desc, id desc limit 1`,
    values: [deviceId, formatTimestamp(from)],
  });
  return rows[0] === undefined ? undefined : toReportRow(rows[0]);
}

export interface StepRow extends CommandRow {
  readonly state: string;
  readonly at: number;
  readonly [column: string]: unknown;
}

/** Changes of the state of commands within the interval, in their order. */
export function readSteps(
  { pool, tenantId, from, to }: Scope,
  deviceIds: readonly number[],
  limit: number,
): Promise<StepRow[]> {
  return queryAsTenant<StepRow>(pool, tenantId, {
    name: 'backtest-commands',
    text: `select c.id, c.device_id as "deviceId", c.text, c.answer, h.to_state as state, h.at
           from command c join command_history h on h.command_id = c.id
           where c.tenant_id = $1 and c.device_id = any($2::int8[]) and h.to_state is not null
             and h.at >= $3::timestamptz and h.at <= $4::timestamptz
           order by h.id limit $5`,
    values: [tenantId, deviceIds, formatTimestamp(from), formatTimestamp(to), limit],
  });
}

/** When the server last received a report of a device before an instant, epoch ms. */
export async function readSeenBefore(
  { pool, tenantId, from }: Scope,
  deviceId: number,
  withinMs: number,
): Promise<number | undefined> {
  const rows = await queryAsTenant<{ at: number | null }>(pool, tenantId, {
    name: 'backtest-seen',
    text: `select max(server_time) as at from position_all
           where device_id = $1 and time < $2::timestamptz and time >= $3::timestamptz and server_time < $2::timestamptz`,
    values: [deviceId, formatTimestamp(from), formatTimestamp(from - withinMs)],
  });
  const at = rows[0]?.at ?? undefined;
  const history = readerOf(pool);
  if (history === undefined) return at;
  const found = await history.find(tenantId, { deviceId, from: from - withinMs, to: from - 1 });
  const times = (await history.readRows(found)).map(({ serverTime }) => serverTime).filter((time) => time < from);
  return times.reduce((last: number | undefined, time) => Math.max(last ?? time, time), at);
}

/** The language and time zone of a user; English, and the rule's, without one. */
export async function readReader(
  { pool, tenantId }: Scope,
  userId: string | undefined,
): Promise<{ readonly locale: string; readonly timezone: string | null }> {
  const unknown = { locale: 'en', timezone: null };
  if (userId === undefined) return unknown;
  const rows = await queryAsTenant<{ locale: string; timezone: string | null }>(pool, tenantId, {
    name: 'backtest-reader',
    text: 'select locale, timezone from app_user where tenant_id = $1 and id = $2',
    values: [tenantId, userId],
  });
  return rows[0] ?? unknown;
}

/** Who drove each vehicle at a time; in the order of the request. */
export async function readDrivers(
  { pool, tenantId }: Scope,
  list: readonly { readonly vehicleId: string | null; readonly at: number }[],
): Promise<readonly ({ readonly id: string; readonly name: string } | null)[]> {
  if (list.length === 0) return [];
  const rows = await queryAsTenant<{ driver: { id: string; name: string } | null }>(pool, tenantId, {
    name: 'backtest-drivers',
    text: `select (select json_build_object('id', d.id, 'name', d.name)
                   from pairing p join driver d on d.id = p.driver_id
                   where p.vehicle_id = k.vehicle_id and p.driver_id is not null and p.valid_from <= k.at
                     and (p.valid_to is null or p.valid_to > k.at)
                   order by p.valid_from desc limit 1) as driver
           from unnest($1::text[], $2::timestamptz[]) with ordinality as k(vehicle_id, at, n) order by k.n`,
    values: [list.map(({ vehicleId }) => vehicleId), list.map(({ at }) => formatTimestamp(at))],
  });
  return rows.map(({ driver }) => driver);
}
