import type pg from 'pg';
import { queryAsTenant } from '../../database/index.ts';
import type { StoredDay } from '../engine/reports/driver-days.ts';
import { ascendingId, type RevocableRow, revocableStore, stamp } from '../revocable/store.ts';

/** A carriage that a person entered; `from` is the loading, `to` the unloading. */
export interface TransportRow extends RevocableRow {
  readonly targa: string;
  readonly loadedIn: number;
  readonly unloadedIn: number;
  readonly isCombined: boolean;
  readonly reference: string;
  readonly createdBy: string;
  readonly createdAt: number;
}

export const transports = revocableStore<TransportRow>(
  'driver_transport',
  `targa, loaded_in as "loadedIn", unloaded_in as "unloadedIn", is_combined as "isCombined", reference,
   created_by as "createdBy", created_at as "createdAt"`,
);

export type NewTransport = Pick<
  TransportRow,
  | 'driverId'
  | 'targa'
  | 'from'
  | 'to'
  | 'loadedIn'
  | 'unloadedIn'
  | 'isCombined'
  | 'reference'
  | 'createdBy'
  | 'createdAt'
>;

export async function insertTransport(app: pg.Pool, tenantId: number, transport: NewTransport): Promise<TransportRow> {
  const { driverId, targa, from, to, loadedIn, unloadedIn, isCombined, reference, createdBy, createdAt } = transport;
  const rows = await queryAsTenant<TransportRow>(app, tenantId, {
    text: `insert into driver_transport (id, tenant_id, driver_id, targa, began, ended, loaded_in, unloaded_in, is_combined,
             reference, created_by, created_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) returning ${transports.columns}`,
    values: [
      ascendingId('trp', createdAt),
      tenantId,
      driverId,
      targa,
      stamp(from),
      stamp(to),
      loadedIn,
      unloadedIn,
      isCombined,
      reference,
      createdBy,
      stamp(createdAt),
    ],
  });
  return rows[0]!;
}

interface Between {
  readonly from: string;
  readonly to: string;
}

/** Drivers with loading, unloading or a place abroad on these UTC days, or with an entered carriage. */
export async function driversAbroad(
  app: pg.Pool,
  tenantId: number,
  { from, to, home, limit }: Between & { readonly home: number; readonly limit: number },
): Promise<string[]> {
  const rows = await queryAsTenant<{ id: string }>(app, tenantId, {
    text: `select distinct driver_id as id from driver_day
           where tenant_id = $1 and day between $2::date and $3::date and jsonb_path_exists(content,
             '$.places[*] ? ((@.country > 0 && @.country < 253 && @.country != $home) || @.kind like_regex "load")',
             jsonb_build_object('home', $4::int))
           union
           select driver_id from driver_transport
           where tenant_id = $1 and revoked_at is null and began < ($3::date + 1)::timestamptz and ended >= $2::date::timestamptz
           order by 1 limit $5`,
    values: [tenantId, from, to, home, limit],
  });
  return rows.map(({ id }) => id);
}

/** Which of these plates are of vehicles that the caller sees. */
export async function platesSeen(app: pg.Pool, tenantId: number, plates: readonly string[]): Promise<string[]> {
  const rows = await queryAsTenant<{ targa: string }>(app, tenantId, {
    text: 'select targa from vehicle where tenant_id = $1 and targa = any($2::text[])',
    values: [tenantId, plates],
  });
  return rows.map(({ targa }) => targa);
}

/** Drivers who used these vehicles, by cards and units or by entered carriages. */
export async function driversOfVehicles(
  app: pg.Pool,
  tenantId: number,
  plates: readonly string[],
  { from, to, limit }: Between & { readonly limit: number },
): Promise<string[]> {
  const rows = await queryAsTenant<{ id: string }>(app, tenantId, {
    text: `select distinct driver_id as id from driver_day
           where tenant_id = $1 and day between $3::date and $4::date and exists (
             select from jsonb_array_elements(content -> 'uses') u where u ->> 'plate' = any($2::text[]))
           union
           select driver_id from driver_transport where tenant_id = $1 and revoked_at is null and targa = any($2::text[])
             and began < ($4::date + 1)::timestamptz and ended >= $3::date::timestamptz
           order by 1 limit $5`,
    values: [tenantId, plates, from, to, limit],
  });
  return rows.map(({ id }) => id);
}

export interface DriverNotes {
  readonly driverId: string;
  readonly places: StoredDay['places'];
  readonly uses: StoredDay['uses'];
  readonly [column: string]: unknown;
}

/** Places and vehicles of drivers, a row for each UTC day. */
export function readNotes(
  app: pg.Pool,
  tenantId: number,
  drivers: readonly string[],
  { from, to }: Between,
): Promise<DriverNotes[]> {
  return queryAsTenant<DriverNotes>(app, tenantId, {
    text: `select driver_id as "driverId", content -> 'places' as places, content -> 'uses' as uses from driver_day
           where tenant_id = $1 and driver_id = any($2::text[]) and day between $3::date and $4::date order by day`,
    values: [tenantId, drivers, from, to],
  });
}

export interface PostedDriver {
  readonly id: string;
  readonly name: string;
  readonly licenceNumber: string | null;
  readonly cards: readonly string[];
  readonly [column: string]: unknown;
}

export function readPostedDrivers(app: pg.Pool, tenantId: number, ids: readonly string[]): Promise<PostedDriver[]> {
  return queryAsTenant<PostedDriver>(app, tenantId, {
    text: `select r.id, r.name, r.licence_number as "licenceNumber",
             (select coalesce(array_agg(distinct f.card_number order by f.card_number), '{}') from ddd_file f
              where f.driver_id = r.id and f.card_number is not null) as cards
           from driver r where r.tenant_id = $1 and r.id = any($2::text[]) order by r.id`,
    values: [tenantId, ids],
  });
}
