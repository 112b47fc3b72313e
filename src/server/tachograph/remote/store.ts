import type pg from 'pg';
import { queryAsTenant } from '../../database/index.ts';
import { claim, end, type JobTable, type Leased, postpone, renew } from '../../kernel/jobs/index.ts';
import { CARD_DAYS, UNIT_DAYS } from '../downloads/due.ts';

/** A schedule, its newest request and the newest download that counts. Times are epoch ms. */
export interface ScheduleRow {
  readonly id: string;
  readonly tenantId: number;
  readonly driverId: string | null;
  readonly targa: string | null;
  readonly everyDays: number;
  readonly state: 'waiting' | 'requested' | 'received' | 'failed';
  readonly requestedAt: number | null;
  readonly endedAt: number | null;
  readonly imei: string | null;
  readonly commandId: string | null;
  readonly error: string | null;
  readonly fileId: string | null;
  readonly downloadedAt: number | null;
  readonly [column: string]: unknown;
}

const COLUMNS = `s.id, s.tenant_id as "tenantId", s.driver_id as "driverId", v.targa, s.every_days as "everyDays", s.state,
  s.requested_at as "requestedAt", s.ended_at as "endedAt", s.imei, s.command_id as "commandId", s.error,
  (select d.id from ddd_file d where d.id = s.file_id) as "fileId", newest.at as "downloadedAt"`;
const FROM = `ddd_schedule s left join vehicle v on v.id = s.vehicle_id
  left join lateral (
    select max(f.downloaded_at) as at from ddd_file f
    where f.tenant_id = s.tenant_id and not f.is_incomplete and (f.verdict <> 'invalid' or f.admitted_at is not null)
      and case when s.driver_id is null then f.kind = 'vehicle-unit' and f.plate = v.targa
        else f.kind <> 'vehicle-unit' and f.driver_id = s.driver_id end) newest on true`;

const MS = (ms: string): string => `to_timestamp(${ms}::float8 / 1000)`;

export interface ScheduleQuery {
  readonly id?: string;
  readonly drivers?: readonly string[];
  readonly plates?: readonly string[];
  readonly after?: string | undefined;
  readonly limit: number;
}

export function listSchedules(
  app: pg.Pool,
  tenantId: number,
  { id, drivers, plates, after, limit }: ScheduleQuery,
): Promise<ScheduleRow[]> {
  return queryAsTenant<ScheduleRow>(app, tenantId, {
    text: `select ${COLUMNS} from ${FROM}
      where s.tenant_id = $1 and ($2::text is null or s.id = $2) and ($3::text is null or s.id > $3)
        and ($4::text[] is null or s.driver_id = any($4)) and ($5::text[] is null or v.targa = any($5))
      order by s.id limit $6`,
    values: [tenantId, id ?? null, after ?? null, drivers ?? null, plates ?? null, limit],
  });
}

export interface NewSchedule {
  readonly id: string;
  readonly driverId?: string | undefined;
  readonly targa?: string | undefined;
  readonly everyDays: number;
  readonly createdBy: string;
  /** epoch ms */
  readonly createdAt: number;
}

/** Id of the schedule of the driver or vehicle, new or changed; undefined if there is no such driver or vehicle. */
export async function putSchedule(app: pg.Pool, tenantId: number, schedule: NewSchedule): Promise<string | undefined> {
  const { id, driverId, targa, everyDays, createdBy, createdAt } = schedule;
  const kind = driverId === undefined ? 'vehicle' : 'driver';
  const rows = await queryAsTenant<{ id: string }>(app, tenantId, {
    text: `insert into ddd_schedule (id, tenant_id, ${kind}_id, every_days, created_by, created_at)
      select $2, $1, o.id, $4, $5, ${MS('$6')} from ${kind} o
      where o.tenant_id = $1 and o.${kind === 'driver' ? 'id' : 'targa'} = $3
      on conflict (${kind}_id) where ${kind}_id is not null do update set every_days = excluded.every_days
      returning id`,
    values: [tenantId, id, driverId ?? targa ?? '', everyDays, createdBy, createdAt],
  });
  return rows[0]?.id;
}

export async function deleteSchedule(app: pg.Pool, tenantId: number, id: string): Promise<boolean> {
  const rows = await queryAsTenant(app, tenantId, {
    text: 'delete from ddd_schedule where tenant_id = $1 and id = $2 returning id',
    values: [tenantId, id],
  });
  return rows.length > 0;
}

export interface DueLimits {
  /** epoch ms */
  readonly now: number;
  /** a failed request is repeated after it, ms */
  readonly retryMs: number;
  readonly limit: number;
}

/** A request that begins now, and the devices that may answer it, the newest pairing first. */
export interface Claimed {
  readonly id: string;
  readonly tenantId: number;
  readonly imeis: readonly string[];
  readonly [column: string]: unknown;
}

/** Devices that are paired with the vehicle, or with the vehicle that the driver is paired with. */
const DEVICES = `select d.imei, p.valid_from from pairing p join device d on d.id = p.device_id
  where p.valid_to is null and (p.vehicle_id = s.vehicle_id or p.vehicle_id in (
    select q.vehicle_id from pairing q where q.driver_id = s.driver_id and q.valid_to is null))`;

/** Marks what is due as requested. With `only`, that schedule, whether it is due or not, unless a request is open. */
export async function claimDue(
  ingest: pg.Pool,
  { now, retryMs, limit }: DueLimits,
  only?: { readonly tenantId: number; readonly id: string },
): Promise<Claimed[]> {
  const { rows } = await ingest.query<Claimed>(
    `with due as (
       select s.id from ${FROM}
       where s.state <> 'requested' and is_tenant_active(s.tenant_id) and case when $4::text is null then
           (newest.at is null or newest.at + make_interval(days => s.every_days) <= ${MS('$1')})
           and (s.ended_at is null or s.state = 'received' and newest.at > s.requested_at
             or s.ended_at <= ${MS('$1')} - make_interval(secs => $2::float8 / 1000))
         else s.id = $4 and s.tenant_id = $5 end
       order by s.ended_at nulls first, s.id limit $3 for update of s skip locked)
     update ddd_schedule s set state = 'requested', requested_at = ${MS('$1')}, ended_at = null, imei = null,
       command_id = null, error = null, file_id = null
     from due where s.id = due.id
     returning s.id, s.tenant_id as "tenantId",
       array(select x.imei from (${DEVICES}) x order by x.valid_from desc, x.imei) as imeis`,
    [now, retryMs, limit, only?.id ?? null, only?.tenantId ?? null],
  );
  return rows;
}

export async function noteCommand(
  ingest: pg.Pool,
  id: string,
  { imei, commandId }: { readonly imei: string; readonly commandId: string },
): Promise<void> {
  await ingest.query('update ddd_schedule set imei = $2, command_id = $3 where id = $1', [id, imei, commandId]);
}

export async function failRequest(ingest: pg.Pool, id: string, error: string, now: number): Promise<void> {
  await ingest.query(
    `update ddd_schedule set state = 'failed', error = $2, ended_at = ${MS('$3')} where id = $1 and state = 'requested'`,
    [id, error, now],
  );
}

/** Ends requests whose command has failed, and those without a file `timeoutMs` after the command was sent. */
export async function failLate(
  ingest: pg.Pool,
  { now, timeoutMs }: { readonly now: number; readonly timeoutMs: number },
): Promise<void> {
  await ingest.query(
    `update ddd_schedule s set state = 'failed', ended_at = ${MS('$1')}, error = case when c.failed then c.state else 'no-file' end
     from ddd_schedule o left join lateral (
       select c.state, c.sent_at, c.state in ('failed', 'expired', 'cancelled') as failed from command c
       where c.id = o.command_id and c.tenant_id = o.tenant_id) c on true
     where s.id = o.id and s.state = 'requested' and (c.failed
       or coalesce(c.sent_at, case when c.state = 'pending' then null else s.requested_at end)
         <= ${MS('$1')} - make_interval(secs => $2::float8 / 1000))`,
    [now, timeoutMs],
  );
}

/** A file of the device cannot be used: what was requested from it has failed. */
export async function failRequestsOf(
  ingest: pg.Pool,
  { tenantId, imei }: { readonly tenantId: number; readonly imei: string },
  error: string,
  now: number,
): Promise<void> {
  await ingest.query(
    `update ddd_schedule set state = 'failed', error = $3, ended_at = ${MS('$4')}
     where tenant_id = $1 and imei = $2 and state = 'requested'`,
    [tenantId, imei, error, now],
  );
}

/** A file has come of the card of the driver or of the unit of the vehicle. */
export async function noteReceived(
  ingest: pg.Pool,
  tenantId: number,
  file: {
    readonly driverId: string | null;
    readonly plate: string | null;
    readonly fileId: string;
    /** the reason if it does not count as a download */
    readonly error: string | null;
  },
  now: number,
): Promise<void> {
  await ingest.query(
    `update ddd_schedule s set state = case when $6::text is null then 'received' else 'failed' end, file_id = $4,
       error = $6, ended_at = ${MS('$5')},
       requested_at = coalesce(s.requested_at, ${MS('$5')})
     where s.tenant_id = $1 and ($6::text is null or s.state = 'requested') and (s.driver_id = $2
       or s.vehicle_id = (select v.id from vehicle v where v.tenant_id = $1 and v.targa = $3))`,
    [tenantId, file.driverId, file.driverId === null ? file.plate : null, file.fileId, now, file.error],
  );
}

/** A whole file of a device that is to be archived. */
export interface DeviceFile {
  readonly id: string;
  readonly tenantId: number;
  readonly imei: string;
  readonly name: string;
  /** counts how often the device has sent it as a whole */
  readonly version: number;
  readonly [column: string]: unknown;
}

/** `at` is the end of the lease of a file that is `running`, and the time of the archive of others. */
const DEVICE_FILES: JobTable = {
  name: 'device-file',
  table: 'ddd_device_file',
  key: 'device_file_id',
  until: 'at',
  isOpen: `j.outcome = 'running'`,
  order: 'device_file_id',
  columns: 'c.device_file_id::text as id, c.tenant_id as "tenantId", d.imei, f.name, c.version',
  joins: 'join device_file f on f.id = c.device_file_id join device d on d.id = f.device_id',
};

const MAX_FILES_ENTERED = 50;

/** Enters whole files with a name of a tachograph file that have not been archived as they are now. */
export async function enterDeviceFiles(ingest: pg.Pool): Promise<void> {
  await ingest.query(
    `insert into ddd_device_file as a (device_file_id, tenant_id, bytes, version, at, outcome)
     select f.id, f.tenant_id, size.bytes, f.version, '-infinity', 'running' from device_file f
     cross join lateral (select coalesce(sum(length(c.bytes)), 0) as bytes from file_chunk c where c.file_id = f.id) size
     left join ddd_device_file a on a.device_file_id = f.id
     where f.complete and f.media = 'other' and is_tachograph_name(f.name) and a.outcome is distinct from 'running'
       and (a.version is distinct from f.version or a.bytes <> size.bytes)
     order by f.id limit ${MAX_FILES_ENTERED}
     on conflict (device_file_id) do update set bytes = excluded.bytes, version = excluded.version, at = excluded.at,
       outcome = excluded.outcome where a.outcome <> 'running'`,
  );
}

export async function claimDeviceFile(ingest: pg.Pool, leaseMs: number): Promise<(DeviceFile & Leased) | undefined> {
  return (await claim<DeviceFile>(ingest, DEVICE_FILES, { limit: 1, leaseMs }))[0];
}

export const renewDeviceFile = (ingest: pg.Pool, file: DeviceFile & Leased, leaseMs: number): Promise<boolean> =>
  renew(ingest, DEVICE_FILES, file.id, file, leaseMs);

export const postponeDeviceFile = (ingest: pg.Pool, file: DeviceFile & Leased, pauseMs: number): Promise<boolean> =>
  postpone(ingest, DEVICE_FILES, file.id, file, pauseMs);

/** Undefined if the device has begun to send it again since it was claimed. */
export async function readDeviceFile(
  ingest: pg.Pool,
  { id, version }: Pick<DeviceFile, 'id' | 'version'>,
): Promise<Uint8Array | undefined> {
  const { rows } = await ingest.query<{ bytes: Buffer }>(
    `select c.bytes from file_chunk c join device_file f on f.id = c.file_id
     where f.id = $1 and f.version = $2 and f.complete order by c.start`,
    [id, version],
  );
  return rows.length === 0 ? undefined : Buffer.concat(rows.map(({ bytes }) => bytes));
}

/** It is entered again once it is whole. */
export async function removeDeviceFile(ingest: pg.Pool, { id, lease }: DeviceFile & Leased): Promise<void> {
  await ingest.query(
    `delete from ddd_device_file where device_file_id = $1 and outcome = 'running' and at = $2::timestamptz`,
    [id, lease],
  );
}

export interface ArchivedAs {
  /** rejected: the archive does not have all of it */
  readonly outcome: 'stored' | 'duplicate' | 'rejected';
  readonly code?: string | undefined;
  readonly fileId?: string | undefined;
  /** of the bytes that the device has sent */
  readonly sha256: Uint8Array;
}

/** `now`: epoch ms. False if another process has claimed the file since. */
export const noteArchived = (
  ingest: pg.Pool,
  file: DeviceFile & Leased,
  { outcome, code, fileId, sha256 }: ArchivedAs,
  now: number,
): Promise<boolean> =>
  end(
    ingest,
    DEVICE_FILES,
    file.id,
    file,
    { name: 'archived', set: `outcome = $3, code = $4, file_id = $5, sha256 = $6, at = ${MS('$7')}` },
    [outcome, code ?? null, fileId ?? null, sha256, now],
  );

export const dueDaysOf = ({ driverId }: Pick<ScheduleRow, 'driverId'>): typeof CARD_DAYS | typeof UNIT_DAYS =>
  driverId === null ? UNIT_DAYS : CARD_DAYS;
