import type pg from 'pg';
import { becomeTenant, type Queryable, queryAsTenant, transaction } from '../../database/index.ts';

export interface PairingRow {
  readonly id: string;
  readonly version: number;
  readonly targa: string;
  readonly imei: string | null;
  readonly driverId: string | null;
  readonly source: 'card' | 'ibutton' | 'app' | 'manual' | 'ddd' | 'device';
  /** epoch ms */
  readonly from: number;
  readonly to: number | null;
  readonly [column: string]: unknown;
}

const COLUMNS = `p.id, p.version, v.targa, d.imei, p.driver_id as "driverId", p.source, p.valid_from as "from",
  p.valid_to as "to"`;
const FROM = 'from pairing p join vehicle v on v.id = p.vehicle_id left join known_device d on d.id = p.device_id';

export interface PairingQuery {
  readonly id?: string | undefined;
  readonly targhe: readonly string[] | null;
  readonly imeis: readonly string[] | null;
  readonly drivers: readonly string[] | null;
  readonly kind: 'device' | 'driver' | 'both';
  /** epoch ms: pairings that hold at some time between */
  readonly from: number;
  readonly to: number;
  readonly after: string;
  readonly limit: number;
}

/** Only the conditions that are asked for are written, so that each shape has a plan of its own. */
export function listPairings(app: pg.Pool, tenantId: number, query: PairingQuery): Promise<PairingRow[]> {
  const values: unknown[] = [tenantId, query.after, query.from, query.to, query.limit];
  const given = (
    [
      ['id', 'p.id = ', query.id ?? null],
      ['targhe', 'v.targa = any', query.targhe],
      ['imeis', 'd.imei = any', query.imeis],
      ['drivers', 'p.driver_id = any', query.drivers],
    ] as const
  ).filter(([, , value]) => value !== null);
  const conditions = given.map(([, condition, value]) => `and ${condition}($${values.push(value)})`);
  if (query.kind !== 'both') conditions.push(`and p.device_id is ${query.kind === 'device' ? 'not ' : ''}null`);
  return queryAsTenant<PairingRow>(app, tenantId, {
    name: ['list-pairings', query.kind, ...given.map(([field]) => field)].join('-'),
    text: `
      select ${COLUMNS} ${FROM}
      where p.tenant_id = $1 and p.id > $2 and p.valid_from <= to_timestamp($4::float8 / 1000)
        and coalesce(p.valid_to, 'infinity') > to_timestamp($3::float8 / 1000) ${conditions.join(' ')}
      order by p.id limit $5`,
    values,
  });
}

/** A time that a device was in a vehicle. Epoch ms, both ends included. */
export interface CarriedRow {
  readonly deviceId: number;
  readonly from: number;
  readonly to: number;
  readonly [column: string]: unknown;
}

/** When devices that report positions were in a vehicle, between two times (epoch ms); of one device if `imei` is set. */
export function readCarried(
  app: pg.Pool,
  tenantId: number,
  of: { readonly targa: string; readonly imei: string | null; readonly from: number; readonly to: number },
): Promise<CarriedRow[]> {
  return queryAsTenant<CarriedRow>(app, tenantId, {
    name: 'read-carried',
    text: `
      select * from (
        select p.device_id as "deviceId", greatest(1000 * extract(epoch from p.valid_from)::float8, $4) as "from",
               least(1000 * extract(epoch from coalesce(p.valid_to, 'infinity'))::float8 - 1, $5) as "to"
        from pairing p join vehicle v on v.id = p.vehicle_id join position_newest n on n.device_id = p.device_id
          join known_device d on d.id = p.device_id
        where p.tenant_id = $1 and v.targa = $2 and ($3::text is null or d.imei = $3)) stretch
      where "from" <= "to" order by "from"`,
    values: [tenantId, of.targa, of.imei, of.from, of.to],
  });
}

/** A period in which a driver used a vehicle, by a downloaded card or unit. */
export interface VehicleUseRow {
  readonly targa: string;
  readonly driverId: string;
  /** epoch ms */
  readonly from: number;
  readonly to: number | null;
  readonly odometerFromKm: number | null;
  readonly odometerToKm: number | null;
  readonly source: 'card' | 'vu';
  readonly [column: string]: unknown;
}

/** Of vehicles and drivers of the fleet, oldest first; the same period from several downloads is listed once. */
export function listVehicleUses(
  app: pg.Pool,
  tenantId: number,
  query: Pick<PairingQuery, 'targhe' | 'drivers' | 'from' | 'to' | 'limit'>,
): Promise<VehicleUseRow[]> {
  return queryAsTenant<VehicleUseRow>(app, tenantId, {
    name: 'list-vehicle-uses',
    text: `
      select * from (
        select distinct on (v.targa, c.driver_id, s.source, s.began) v.targa, c.driver_id as "driverId",
          s.began as "from", s.ended as "to", s.odometer_from as "odometerFromKm", s.odometer_to as "odometerToKm",
          s.source
        from vehicle_stay s
        join vehicle v on v.tenant_id = s.tenant_id and v.targa = s.plate
        join driver_card c on c.tenant_id = s.tenant_id and c.nation = s.nation and c.number = s.number
        where s.tenant_id = $1 and ($2::text[] is null or v.targa = any($2))
          and ($3::text[] is null or c.driver_id = any($3)) and s.file_id <> all ((select disbelieved_files())::text[])
          and s.began <= to_timestamp($5::float8 / 1000)
          and coalesce(s.ended, s.began) >= to_timestamp($4::float8 / 1000)
        order by v.targa, c.driver_id, s.source, s.began, s.ended desc nulls last) stays
      order by "from", targa limit $6`,
    values: [tenantId, query.targhe, query.drivers, query.from, query.to, query.limit],
  });
}

export interface NewPairing {
  readonly id: string;
  readonly targa: string;
  readonly imei: string | undefined;
  readonly driverId: string | undefined;
  readonly source: PairingRow['source'];
  readonly from: number;
  readonly to: number | null;
}

/** Names that no record of the tenant has, with the code that says so. */
export function findUnknown(
  app: pg.Pool,
  tenantId: number,
  { targhe, drivers, imeis }: Readonly<Record<'targhe' | 'drivers' | 'imeis', readonly string[]>>,
): Promise<{ readonly code: 'unknown-vehicle' | 'unknown-driver' | 'unknown-device'; readonly name: string }[]> {
  return queryAsTenant(app, tenantId, {
    name: 'find-unknown-of-history',
    text: `
      select 'unknown-vehicle' as code, asked as name from unnest($2::text[]) as a(asked)
      where not exists (select from vehicle where tenant_id = $1 and targa = asked)
      union all
      select 'unknown-driver', asked from unnest($3::text[]) as a(asked)
      where not exists (select from driver where tenant_id = $1 and id = asked)
      union all
      select 'unknown-device', asked from unnest($4::text[]) as a(asked)
      where not exists (select from device where tenant_id = $1 and imei = asked)`,
    values: [tenantId, targhe, drivers, imeis],
  });
}

export type PairingOutcome = 'paired' | 'unknown-vehicle' | 'unknown-device' | 'unknown-driver' | 'overlaps';

/** An open pairing of either side that began before ends where this one begins. */
export function insertPairing(app: pg.Pool, tenantId: number, pairing: NewPairing): Promise<PairingOutcome> {
  return transaction(app, async (tx) => {
    await tx.query(becomeTenant(tenantId));
    const vehicle = await lock(tx, 'select id from vehicle where tenant_id = $1 and targa = $2 for update', [
      tenantId,
      pairing.targa,
    ]);
    if (vehicle === undefined) return 'unknown-vehicle';
    const isDevice = pairing.imei !== undefined;
    const other = isDevice
      ? await lock(tx, 'select id from device where tenant_id = $1 and imei = $2 for update', [tenantId, pairing.imei])
      : await lock(tx, 'select id from driver where tenant_id = $1 and id = $2 for update', [
          tenantId,
          pairing.driverId,
        ]);
    if (other === undefined) return isDevice ? 'unknown-device' : 'unknown-driver';
    const column = isDevice ? 'device_id' : 'driver_id';
    const sides = [tenantId, vehicle, other, pairing.from];
    await tx.query(
      `update pairing set valid_to = to_timestamp($4::float8 / 1000), version = version + 1, updated_at = now()
       where tenant_id = $1 and (vehicle_id = $2 and ${column} is not null or ${column} = $3) and valid_to is null
         and valid_from < to_timestamp($4::float8 / 1000)`,
      sides,
    );
    const overlapping = await tx.query(
      `select from pairing where tenant_id = $1 and (vehicle_id = $2 and ${column} is not null or ${column} = $3)
         and coalesce(valid_to, 'infinity') > to_timestamp($4::float8 / 1000)
         and valid_from < coalesce(to_timestamp($5::float8 / 1000), 'infinity')`,
      [...sides, pairing.to],
    );
    if ((overlapping.rowCount ?? 0) > 0) throw new Overlap();
    await tx.query(
      `insert into pairing (id, tenant_id, vehicle_id, ${column}, source, valid_from, valid_to)
       values ($1, $2, $3, $4, $5, to_timestamp($6::float8 / 1000), to_timestamp($7::float8 / 1000))`,
      [pairing.id, tenantId, vehicle, other, pairing.source, pairing.from, pairing.to],
    );
    return 'paired';
  }).catch((error) => {
    if (error instanceof Overlap) return 'overlaps';
    throw error;
  });
}

/** rolls back what was closed */
class Overlap extends Error {}

async function lock(tx: Queryable, text: string, values: unknown[]): Promise<string | number | undefined> {
  return (await tx.query<{ id: string | number }>(text, values)).rows[0]?.id;
}

/** False if it is not there in this version, or would end before it begins. */
export async function endPairing(
  app: pg.Pool,
  tenantId: number,
  at: { readonly id: string; readonly version: number },
  to: number,
): Promise<boolean> {
  const rows = await queryAsTenant(app, tenantId, {
    text: `update pairing set valid_to = to_timestamp($4::float8 / 1000), version = version + 1, updated_at = now()
           where tenant_id = $1 and id = $2 and version = $3 and valid_from < to_timestamp($4::float8 / 1000)
             and coalesce(valid_to, 'infinity') >= to_timestamp($4::float8 / 1000)
           returning id`,
    values: [tenantId, at.id, at.version, to],
  });
  return rows.length === 1;
}

export async function deletePairing(app: pg.Pool, tenantId: number, id: string): Promise<boolean> {
  const rows = await queryAsTenant(app, tenantId, {
    text: 'delete from pairing where tenant_id = $1 and id = $2 returning id',
    values: [tenantId, id],
  });
  return rows.length === 1;
}
