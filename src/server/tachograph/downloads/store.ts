import type pg from 'pg';
import { queryAsTenant } from '../../database/index.ts';

/** Newest download of a vehicle or of a driver's card, as far as there is one. Times are epoch ms. */
interface StateRow {
  readonly fileId: string | null;
  readonly downloadedAt: number | null;
  readonly periodFrom: string | null;
  readonly periodTo: string | null;
  readonly verdict: string | null;
  readonly generations: readonly string[] | null;
  readonly [column: string]: unknown;
}

export interface VehicleStateRow extends StateRow {
  readonly targa: string;
  readonly nextCalibration: number | null;
}

export interface DriverStateRow extends StateRow {
  readonly driverId: string;
  readonly cardNumber: string | null;
  readonly cardExpiry: number | null;
  readonly lastDay: string | null;
  readonly missingDays: number;
}

export interface StateQuery {
  /** id of the user whose vehicles or drivers they are; null: all of the tenant */
  readonly userId: string | null;
  readonly after: string;
  readonly limit: number;
  /** epoch ms: files downloaded in the interval */
  readonly from: number;
  readonly to: number;
}

const NEWEST_COLUMNS = `f.id as "fileId", f.downloaded_at as "downloadedAt", f.period_from::text as "periodFrom",
  f.period_to::text as "periodTo", f.verdict, f.generations`;
/** What is cut, damaged or forged is no download that was due. */
const COUNTS = `not f.is_incomplete and (f.verdict <> 'invalid' or f.admitted_at is not null)`;
const WITHIN = `f.downloaded_at >= to_timestamp($5::float8 / 1000) and f.downloaded_at <= to_timestamp($6::float8 / 1000)`;

const valuesOf = (tenantId: number, { userId, after, limit, from, to }: StateQuery): unknown[] => [
  tenantId,
  userId,
  after,
  limit,
  from,
  to,
];

/** Vehicles that a user sees, in the order of their plates. */
export function readVehicleStates(app: pg.Pool, tenantId: number, query: StateQuery): Promise<VehicleStateRow[]> {
  return queryAsTenant<VehicleStateRow>(app, tenantId, {
    name: 'read-vehicle-downloads',
    text: `
      select v.targa, ${NEWEST_COLUMNS},
        (select max(c.next_calibration) from ddd_file c where c.tenant_id = $1 and c.plate = v.targa
         and c.kind = 'vehicle-unit' and c.id <> all ((select disbelieved_files())::text[])) as "nextCalibration"
      from vehicle v
      left join lateral (
        select f.* from ddd_file f where f.tenant_id = $1 and f.plate = v.targa and f.kind = 'vehicle-unit' and ${COUNTS} and ${WITHIN}
        order by f.downloaded_at desc, f.id desc limit 1) f on true
      where v.tenant_id = $1 and v.targa > $3
        and ($2::text is null or exists (
          select from app_user u where u.tenant_id = $1 and u.id = $2 and (u.all_vehicles or exists (
            select from user_vehicle uv where uv.user_id = u.id and uv.vehicle_id = v.id))))
      order by v.targa limit $4`,
    values: valuesOf(tenantId, query),
  });
}

/** Drivers that a user sees: those of their vehicles, and themselves; all of them where they see all vehicles. */
export function readDriverStates(app: pg.Pool, tenantId: number, query: StateQuery): Promise<DriverStateRow[]> {
  return queryAsTenant<DriverStateRow>(app, tenantId, {
    name: 'read-driver-downloads',
    text: `
      select r.id as "driverId", coalesce(f.card_number, r.card_number) as "cardNumber",
        f.card_expiry as "cardExpiry", ${NEWEST_COLUMNS},
        (select max(day)::text from driver_day d where d.driver_id = r.id) as "lastDay",
        (select count(*)::int from driver_day d where d.driver_id = r.id and d.content -> 'fileIds' = '[]') as "missingDays"
      from driver r
      left join lateral (
        select f.* from ddd_file f where f.tenant_id = $1 and f.driver_id = r.id and ${COUNTS} and ${WITHIN}
        order by f.downloaded_at desc, f.id desc limit 1) f on true
      where r.tenant_id = $1 and r.id > $3
        and ($2::text is null or r.user_id = $2 or exists (
          select from app_user u where u.tenant_id = $1 and u.id = $2 and (u.all_vehicles or exists (
            select from user_vehicle uv join pairing p on p.vehicle_id = uv.vehicle_id
            where uv.user_id = u.id and p.driver_id = r.id) or exists (
            select from user_vehicle uv join vehicle v on v.id = uv.vehicle_id
            join vehicle_stay s on s.tenant_id = $1 and s.plate = v.targa and s.file_id <> all ((select disbelieved_files())::text[])
            join driver_card c on c.tenant_id = $1 and c.nation = s.nation and c.number = s.number
            where uv.user_id = u.id and c.driver_id = r.id))))
      order by r.id limit $4`,
    values: valuesOf(tenantId, query),
  });
}

const HEAD_BYTES = 2_048;

/** The first bytes of stored files. */
export function readHeads(
  app: pg.Pool,
  tenantId: number,
  ids: readonly string[],
): Promise<{ readonly id: string; readonly head: Buffer }[]> {
  return queryAsTenant<{ id: string; head: Buffer }>(app, tenantId, {
    text: `select file_id as id, substring(bytes from 1 for ${HEAD_BYTES}) as head from ddd_content
      where tenant_id = $1 and file_id = any ($2)`,
    values: [tenantId, ids],
  });
}
