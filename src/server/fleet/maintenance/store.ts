import type pg from 'pg';
import { type Queryable, queryAsTenant, runAsTenant } from '../../database/index.ts';

/** A vehicle to which a plan applies, with its counters. Distances are m, engine times ms, times epoch ms. */
export interface Covered {
  readonly tenantId: number;
  readonly planId: string;
  readonly planName: string;
  readonly vehicleId: string;
  readonly targa: string;
  readonly everyKm: number | null;
  readonly everyEngineHours: number | null;
  readonly everyDays: number | null;
  readonly remindKm: number | null;
  readonly remindEngineHours: number | null;
  readonly remindDays: number | null;
  readonly odometerM: number | null;
  readonly engineMs: number | null;
  readonly since: number | null;
  readonly startOdometerM: number | null;
  readonly startEngineMs: number | null;
  /** the last time that it was done; null: never */
  readonly doneId: string | null;
  readonly doneAt: number | null;
  readonly doneOdometerM: number | null;
  readonly doneEngineMs: number | null;
  readonly [column: string]: unknown;
}

const APPLIES =
  'v.tenant_id = p.tenant_id and (p.all_vehicles or v.id = any (p.vehicles) or v.group_id = any (p.groups))';

const COVERED = `
  select p.tenant_id as "tenantId", p.id as "planId", p.name as "planName", v.id as "vehicleId", v.targa,
    p.every_km as "everyKm", p.every_engine_hours as "everyEngineHours", p.every_days as "everyDays",
    p.remind_km as "remindKm", p.remind_engine_hours as "remindEngineHours", p.remind_days as "remindDays",
    c.odometer_m as "odometerM", c.engine_ms as "engineMs",
    s.since, s.odometer_m as "startOdometerM", s.engine_ms as "startEngineMs",
    d.id as "doneId", d.at as "doneAt", d.odometer_m as "doneOdometerM", d.engine_ms as "doneEngineMs"
  from maintenance_plan p
  join vehicle v on ${APPLIES}
  left join vehicle_counter c on c.vehicle_id = v.id
  left join maintenance_start s on s.plan_id = p.id and s.vehicle_id = v.id
  left join lateral (
    select id, at, odometer_m, engine_ms from maintenance_done
    where plan_id = p.id and vehicle_id = v.id order by at desc, id desc limit 1) d on true`;

/** Remembers since when plans apply to vehicles, and their counters then; also of vehicles that came later. */
const START = `
  insert into maintenance_start (plan_id, vehicle_id, tenant_id, odometer_m, engine_ms)
  select p.id, v.id, p.tenant_id, c.odometer_m, c.engine_ms
  from maintenance_plan p join vehicle v on ${APPLIES} left join vehicle_counter c on c.vehicle_id = v.id`;

export interface CoveredQuery {
  readonly planId: string | null;
  readonly targa: string | null;
  /** after this plate and plan */
  readonly after: readonly [string, string] | null;
  readonly limit: number;
}

/** By plate and plan. */
export function readCovered(app: pg.Pool, tenantId: number, query: CoveredQuery): Promise<Covered[]> {
  return queryAsTenant<Covered>(app, tenantId, {
    name: 'read-maintenance-covered',
    text: `${COVERED}
      where p.tenant_id = $1 and ($2::text is null or p.id = $2) and ($3::text is null or v.targa = $3 or v.id = $3)
        and ($4::text is null or (v.targa, p.id) > ($4, $5))
      order by v.targa, p.id limit $6`,
    values: [tenantId, query.planId, query.targa, query.after?.[0] ?? null, query.after?.[1] ?? null, query.limit],
  });
}

/** Of a plan; all of it, where it applies to new vehicles. */
export async function startPlan(app: pg.Pool, tenantId: number, planId: string): Promise<void> {
  await runAsTenant(app, tenantId, {
    text: `${START} where p.tenant_id = $1 and p.id = $2 on conflict do nothing`,
    values: [tenantId, planId],
  });
}

/** Of all plans of all tenants. */
export async function startPlans(ingest: Queryable): Promise<void> {
  await ingest.query(`${START}
    where not exists (select from maintenance_start s where s.plan_id = p.id and s.vehicle_id = v.id)
    on conflict do nothing`);
}

/** Of all tenants that are on, in the order of plans and vehicles; `after`: the last pair that was read. */
export async function readAllCovered(
  ingest: Queryable,
  after: readonly [string, string] | null,
  limit: number,
): Promise<Covered[]> {
  const { rows } = await ingest.query<Covered>(
    `${COVERED} 
     where is_tenant_active(p.tenant_id) and ($1::text is null or (p.id, v.id) > ($1, $2)) order by p.id, v.id limit $3`,
    [after?.[0] ?? null, after?.[1] ?? null, limit],
  );
  return rows;
}

export interface Done {
  readonly id: string;
  readonly planId: string | null;
  readonly planName: string;
  readonly targa: string;
  readonly at: number;
  readonly odometerM: number | null;
  readonly engineMs: number | null;
  readonly note: string | null;
  readonly cost: number | null;
  readonly doneBy: string;
  readonly [column: string]: unknown;
}

/** A vehicle of the tenant by id or plate with its counters; undefined if the caller sees none. */
export async function findVehicle(
  app: pg.Pool,
  tenantId: number,
  name: { readonly id: string; readonly targa: string },
): Promise<{ readonly id: string; readonly odometerM: number | null; readonly engineMs: number | null } | undefined> {
  const rows = await queryAsTenant<{ id: string; odometerM: number | null; engineMs: number | null }>(app, tenantId, {
    text: `select v.id, c.odometer_m as "odometerM", c.engine_ms as "engineMs"
           from vehicle v left join vehicle_counter c on c.vehicle_id = v.id
           where v.tenant_id = $1 and (v.id = $2 or v.targa = $3) order by v.id = $2 desc limit 1`,
    values: [tenantId, name.id, name.targa],
  });
  return rows[0];
}

export async function addDone(
  app: pg.Pool,
  tenantId: number,
  done: Omit<Done, 'targa'> & { readonly vehicleId: string },
): Promise<void> {
  await runAsTenant(app, tenantId, {
    text: `insert into maintenance_done (id, tenant_id, plan_id, plan_name, vehicle_id, at, odometer_m, engine_ms, note,
        cost, done_by)
      values ($1, $2, $3, $4, $5, to_timestamp($6::float8 / 1000), $7, $8, $9, $10, $11)`,
    values: [
      done.id,
      tenantId,
      done.planId,
      done.planName,
      done.vehicleId,
      done.at,
      done.odometerM,
      done.engineMs,
      done.note,
      done.cost,
      done.doneBy,
    ],
  });
}

/** What was done on a vehicle, newest first; `before`: time and id of the last one that was read. */
export function readDone(
  app: pg.Pool,
  tenantId: number,
  query: {
    readonly vehicleId: string;
    readonly before: readonly [number, string] | null;
    readonly limit: number;
  },
): Promise<Done[]> {
  return queryAsTenant<Done>(app, tenantId, {
    name: 'read-maintenance-done',
    text: `select d.id, d.plan_id as "planId", d.plan_name as "planName", v.targa, d.at, d.odometer_m as "odometerM",
        d.engine_ms as "engineMs", d.note, d.cost::float8 as cost, d.done_by as "doneBy"
      from maintenance_done d join vehicle v on v.id = d.vehicle_id
      where d.tenant_id = $1 and d.vehicle_id = $2
        and ($3::float8 is null or (d.at, d.id) < (to_timestamp($3 / 1000), $4))
      order by d.at desc, d.id desc limit $5`,
    values: [tenantId, query.vehicleId, query.before?.[0] ?? null, query.before?.[1] ?? null, query.limit],
  });
}
