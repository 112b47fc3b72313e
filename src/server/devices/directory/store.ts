import type pg from 'pg';
import type { DeviceEntry } from '../../../contract/events.ts';
import type { Queryable } from '../../database/index.ts';
import type { DirectoryStore, KnownDevice } from './directory.ts';

export type DeviceOptions = Readonly<Record<string, string | number | boolean>>;

/** The devices that gateways receive. */
export interface DeviceList {
  /** registered devices after an id, in its order */
  pageAfter(id: number, limit: number): Promise<readonly (DeviceEntry & { readonly id: number })[]>;
  find(imeis: readonly string[]): Promise<readonly DeviceEntry[]>;
  /** of these ids, or of all, those that are not admitted although unknown devices may be */
  refused(imeis: readonly string[] | undefined): Promise<readonly string[]>;
}

type Found = KnownDevice & { readonly imei: string };

const REGISTRATION_LOCK = 4_711_902_554;

export interface RegistrationLimits {
  readonly tenantId: number;
  readonly perHour: number;
}

/** Rows of devices of all tenants by device id, and automatic registration. */
export function directoryStore(pool: pg.Pool, limits: RegistrationLimits): DirectoryStore {
  return {
    find: (imeis) => find(pool, imeis),
    findClaims: (tenantId, imeis) => findClaims(pool, tenantId, imeis),
    async register(imeis) {
      // one process at a time, so that the allowance is not exceeded
      await pool.query({
        name: 'register-devices',
        text: `
          with lock as materialized (select pg_advisory_xact_lock($1) is null as mine),
          left_over as materialized (
            select greatest(0, $4::int - count(*)) as n from device, (select count(mine) from lock) t
            where registered_by = 'itself' and registered_at > now() - interval '1 hour')
          insert into device (tenant_id, imei, registered_by)
          select $2::int, imei, 'itself' from unnest($3::text[]) with ordinality as u(imei, place)
          where place <= (select n from left_over) and not exists (select from refused_device r where r.imei = u.imei)
          order by imei
          on conflict do nothing`,
        values: [REGISTRATION_LOCK, limits.tenantId, imeis, limits.perHour],
      });
      const found = await find(pool, imeis);
      if (found.length > 0)
        await forgetUnregisteredDevices(
          pool,
          found.map((d) => d.imei),
        );
      return found;
    },
  };
}

async function find(db: Queryable, imeis: readonly string[]): Promise<Found[]> {
  const { rows } = await db.query<Found>({
    name: 'find-devices',
    text: 'select id, tenant_id as "tenantId", imei from device where imei = any($1) and not is_claim',
    values: [imeis],
  });
  return rows;
}

async function findClaims(db: Queryable, tenantId: number, imeis: readonly string[]): Promise<Found[]> {
  const { rows } = await db.query<Found>({
    name: 'find-claims',
    text: `select id, tenant_id as "tenantId", imei from device
           where tenant_id = $1 and imei = any($2) and is_claim`,
    values: [tenantId, imeis],
  });
  return rows;
}

/** Removes devices that have been registered from the list of unregistered ones. */
export async function forgetUnregisteredDevices(db: Queryable, imeis: readonly string[]): Promise<void> {
  await db.query({
    name: 'forget-unregistered-devices',
    text: 'delete from knock where imei = any($1)',
    values: [imeis],
  });
}

/** The device list of downlinks, of all tenants. */
export function deviceList(pool: pg.Pool): DeviceList {
  return {
    async pageAfter(id, limit) {
      const { rows } = await pool.query<Listed>({
        name: 'list-devices',
        text: `${LISTED} where d.id > $1 and not d.is_claim and not ${REFUSED} order by d.id limit $2`,
        values: [id, limit],
      });
      return rows.map((row) => ({ id: row.id, ...toEntry(row) }));
    },
    async find(imeis) {
      const { rows } = await pool.query<Listed>({
        name: 'find-entries',
        text: `${LISTED} where d.imei = any($1) and not d.is_claim and not ${REFUSED}`,
        values: [imeis],
      });
      return rows.map(toEntry);
    },
    async refused(imeis) {
      const { rows } = await pool.query<{ imei: string }>({
        name: 'list-refused',
        text: `select distinct imei from refused_device u where ($1::text[] is null or imei = any($1)) and not exists (
                 select from device d where d.imei = u.imei and not d.is_claim and not ${REFUSED})`,
        values: [imeis ?? null],
      });
      return rows.map(({ imei }) => imei);
    },
  };
}

/** By the tenant that has the device: another one may have removed it before. */
const REFUSED = `exists (select from refused_device r where r.tenant_id = d.tenant_id and r.imei = d.imei)`;

/** Options of a device take precedence over those of its tenant. */
const LISTED = `
  select d.id, d.imei, t.device_options || d.options as options, d.pinned_protocol as protocol
  from device d join tenant t on t.tenant_id = d.tenant_id`;

interface Listed {
  readonly id: number;
  readonly imei: string;
  readonly protocol: string | null;
  readonly options: DeviceOptions;
}

const toEntry = ({ imei, options, protocol }: Listed): DeviceEntry => ({
  imei,
  ...(protocol === null ? {} : { protocol }),
  ...(Object.keys(options).length === 0 ? {} : { options }),
});
