import type pg from 'pg';
import { formatTimestamp, queryAsTenant } from '../../database/index.ts';
import { comparePlaces, merge, readerOf } from '../../history/index.ts';
import type { Stretch } from './fixes/store.ts';

export interface DeviceByName {
  readonly id: number;
  readonly imei: string;
  readonly name: string | null;
  readonly hasPosition: boolean;
  readonly options: Readonly<Record<string, string | number | boolean>>;
  readonly [column: string]: unknown;
}

/** Devices with this id or name, the id first; all of the tenant's without one. */
export async function findDevicesByName(
  app: pg.Pool,
  tenantId: number,
  called: { readonly targa: string; readonly written: string } | undefined,
): Promise<DeviceByName[]> {
  return queryAsTenant<DeviceByName>(app, tenantId, {
    name: 'find-devices-by-name',
    text: `
      select d.id, d.imei, d.name, t.device_options || d.options as options, n.device_id is not null as "hasPosition"
      from device d join tenant t on t.tenant_id = d.tenant_id left join position_newest n on n.device_id = d.id
      where d.tenant_id = $1 and ($2::text is null or d.imei in ($2, $3)
        or upper(regexp_replace(d.name, '[\\s-]', '', 'g')) = $3)
      order by d.imei = $2 desc, d.imei = $3 desc, d.imei`,
    values: [tenantId, called?.written ?? null, called?.targa ?? null],
  });
}

/** The zone of a tenant's days. */
export async function readTimeZone(app: pg.Pool, tenantId: number): Promise<string> {
  const rows = await queryAsTenant<{ timezone: string }>(app, tenantId, {
    name: 'read-time-zone',
    text: 'select timezone from tenant where tenant_id = $1',
    values: [tenantId],
  });
  return rows[0]?.timezone ?? 'UTC';
}

/** Does the device report a total of the fuel that it used? */
export async function reportsFuelUsed(app: pg.Pool, tenantId: number, deviceId: number): Promise<boolean> {
  const rows = await queryAsTenant(app, tenantId, {
    name: 'reports-fuel-used',
    text: `select from position_newest
           where device_id = $1 and tenant_id = $2
             and jsonb_typeof(last_value_of(known, attributes, values_at, 'fuelUsed')->0) = 'number'`,
    values: [deviceId, tenantId],
  });
  return rows.length > 0;
}

/** The total of fuel used in the last record at or before each time that has one, at most `withinMs` older. */
export async function readTotalsNear(
  app: pg.Pool,
  tenantId: number,
  deviceId: number,
  times: readonly number[],
  withinMs: number,
): Promise<(number | null)[]> {
  const rows = await queryAsTenant<{ total: number | null; time: number | null; id: Buffer | null }>(app, tenantId, {
    name: 'read-totals-near',
    text: `
      select found.total, found.time, found.id from unnest($3::timestamptz[]) with ordinality as asked(at, n)
      left join lateral (
        select (attributes->>'fuelUsed')::float8 as total, time, id from position_all
        where device_id = $1 and tenant_id = $2 and time <= asked.at and time >= asked.at - $4 * interval '1 ms'
          and not clock_suspect and json_typeof(attributes->'fuelUsed') = 'number'
        order by time desc, id desc limit 1) found on true
      order by asked.n`,
    values: [deviceId, tenantId, times.map(formatTimestamp), withinMs],
  });
  const history = readerOf(app);
  if (history === undefined || times.length === 0) return rows.map(({ total }) => total);
  const from = times.reduce((a, b) => Math.min(a, b)) - withinMs;
  const found = await history.find(tenantId, { deviceId, from, to: times.reduce((a, b) => Math.max(a, b)) });
  const filed = await history.readNumbersNear(found, 'fuelUsed', times, withinMs);
  return rows.map(({ total, time, id }, n) => {
    const other = filed[n];
    const isLater = other !== undefined && (time === null || id === null || comparePlaces(other, { time, id }) > 0);
    return isLater ? other.value : total;
  });
}

export interface AlarmRow {
  readonly time: number;
  readonly latitude: number | null;
  readonly longitude: number | null;
  /** comma-separated names */
  readonly alarm: string;
  readonly [column: string]: unknown;
}

/** rows of one query */
const ALARMS_AT_ONCE = 10_000;

/** Records of a stretch with an alarm, oldest first. Reads the attributes of each record. */
export async function readAlarms(app: pg.Pool, tenantId: number, stretch: Stretch): Promise<AlarmRow[]> {
  const rows: (AlarmRow & { id: Buffer })[] = [];
  for (let count = ALARMS_AT_ONCE; count === ALARMS_AT_ONCE; ) {
    const next = await readSomeAlarms(app, tenantId, stretch, rows.at(-1));
    rows.push(...next);
    count = next.length;
  }
  const history = readerOf(app);
  if (history === undefined) return rows;
  const found = await history.find(tenantId, stretch);
  const filed = (await history.readRows(found, { containing: '"alarm"', isSuspect: false })).flatMap((row) => {
    const { alarm } = JSON.parse(row.attributes) as { alarm?: unknown };
    return typeof alarm === 'string' ? [{ ...row, alarm }] : [];
  });
  return merge<AlarmRow & { id: Buffer }>(rows, filed as (AlarmRow & { id: Buffer })[]);
}

function readSomeAlarms(
  app: pg.Pool,
  tenantId: number,
  stretch: Stretch,
  after: { readonly time: number; readonly id: Buffer } | undefined,
): Promise<(AlarmRow & { id: Buffer })[]> {
  return queryAsTenant<AlarmRow & { id: Buffer }>(app, tenantId, {
    name: 'read-alarms',
    text: `select time, id, latitude, longitude, attributes->>'alarm' as alarm from position_all
      where device_id = $1 and tenant_id = $2 and time >= $3::timestamptz and time <= $4::timestamptz
        and not clock_suspect and attributes::text like '%"alarm"%' and json_typeof(attributes->'alarm') = 'string'
        and (time, id) > ($5::timestamptz, $6::bytea)
      order by time, id limit ${ALARMS_AT_ONCE}`,
    values: [
      stretch.deviceId,
      tenantId,
      formatTimestamp(stretch.from),
      formatTimestamp(stretch.to),
      after === undefined ? '-infinity' : formatTimestamp(after.time),
      after?.id ?? Buffer.alloc(0),
    ],
  });
}
