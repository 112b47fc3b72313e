import type pg from 'pg';
import {
  becomeTenant,
  float8Array,
  int8Array,
  type Queryable,
  queryAsTenant,
  textArray,
  transaction,
} from '../../database/index.ts';
import { BEGIN, type Counter, countOf, type State } from './count.ts';

const at = (n: number): string => `to_timestamp($${n}::float8 / 1000)`;

/** As it is stored: what is not known is missing. */
type StoredState = Partial<Omit<State, 'at'>> & { readonly at?: number | null };

const toState = (stored: StoredState): State => ({
  at: stored.at ?? Number.NEGATIVE_INFINITY,
  odometer: { ...BEGIN.odometer, ...stored.odometer },
  engine: { ...BEGIN.engine, ...stored.engine },
  fix: stored.fix,
  ignition: stored.ignition,
});

/** A time that a device is in a vehicle, epoch ms. */
export interface Carried {
  readonly deviceId: number;
  readonly vehicleId: string;
  readonly tenantId: number;
  readonly from: number;
  readonly to: number | null;
}

/** Vehicles of devices from a time (epoch ms) on, by the beginning. */
export async function readCarried(tx: Queryable, deviceIds: readonly number[], from: number): Promise<Carried[]> {
  const { rows } = await tx.query<Carried>({
    name: 'read-carried-devices',
    text: `select device_id as "deviceId", vehicle_id as "vehicleId", tenant_id as "tenantId", valid_from as "from",
        valid_to as "to"
      from pairing where device_id = any($1::bigint[]) and coalesce(valid_to, 'infinity') > ${at(2)} order by valid_from`,
    values: [int8Array(deviceIds), from],
  });
  return rows;
}

/** States of vehicles, locked in the order of their ids; those that have none are missing. */
export async function lockStates(tx: Queryable, vehicleIds: readonly string[]): Promise<Map<string, State>> {
  const { rows } = await tx.query<{ id: string; state: StoredState }>({
    name: 'lock-counters',
    text: `select vehicle_id as id, state from vehicle_counter where vehicle_id = any($1::text[])
      order by vehicle_id for update`,
    values: [textArray(vehicleIds)],
  });
  return new Map(rows.map(({ id, state }) => [id, toState(state)]));
}

export interface Counted {
  readonly vehicleId: string;
  readonly tenantId: number;
  readonly state: State;
  /** reports from then on (epoch ms) have to be counted again; undefined: unchanged */
  readonly recountFrom: number | undefined;
  /** states before the first report of these days, epoch ms */
  readonly days: ReadonlyMap<number, State>;
}

const numbers = (list: readonly (number | undefined)[]): Buffer => float8Array(list.map((value) => value ?? null));

export async function writeStates(tx: Queryable, counted: readonly Counted[]): Promise<void> {
  if (counted.length === 0) return;
  await tx.query({
    name: 'write-counters',
    text: `
      insert into vehicle_counter (vehicle_id, tenant_id, odometer_m, engine_ms, state, recount_from, updated_at)
      select id, tenant, odometer, engine, state::jsonb, to_timestamp(again / 1000), now()
      from unnest($1::text[], $2::bigint[], $3::float8[], $4::float8[], $5::text[], $6::float8[])
        as t(id, tenant, odometer, engine, state, again)
      where exists (select from vehicle v where v.id = t.id)
      on conflict (vehicle_id) do update set odometer_m = excluded.odometer_m, engine_ms = excluded.engine_ms,
        state = excluded.state, recount_from = least(vehicle_counter.recount_from, excluded.recount_from),
        updated_at = now()`,
    values: [
      textArray(counted.map(({ vehicleId }) => vehicleId)),
      int8Array(counted.map(({ tenantId }) => tenantId)),
      numbers(counted.map(({ state }) => countOf(state.odometer))),
      numbers(counted.map(({ state }) => countOf(state.engine))),
      textArray(counted.map(({ state }) => JSON.stringify(state))),
      numbers(counted.map(({ recountFrom }) => recountFrom)),
    ],
  });
  const days = counted.flatMap(({ vehicleId, tenantId, days: of }) =>
    [...of].map(([day, state]) => ({ vehicleId, tenantId, day, state })),
  );
  if (days.length === 0) return;
  await tx.query({
    name: 'write-counter-days',
    text: `
      insert into vehicle_counter_day (vehicle_id, tenant_id, day, state)
      select id, tenant, (to_timestamp(day / 1000) at time zone 'UTC')::date, state::jsonb
      from unnest($1::text[], $2::bigint[], $3::float8[], $4::text[]) as t(id, tenant, day, state)
      where exists (select from vehicle v where v.id = t.id)
      on conflict (vehicle_id, day) do update set state = excluded.state`,
    values: [
      textArray(days.map(({ vehicleId }) => vehicleId)),
      int8Array(days.map(({ tenantId }) => tenantId)),
      float8Array(days.map(({ day }) => day)),
      textArray(days.map(({ state }) => JSON.stringify(state))),
    ],
  });
}

/** A vehicle whose reports have to be counted again, locked. */
export async function takeRecount(
  tx: Queryable,
): Promise<{ readonly vehicleId: string; readonly tenantId: number; readonly from: number } | undefined> {
  const { rows } = await tx.query<{ vehicleId: string; tenantId: number; from: number }>(
    `select vehicle_id as "vehicleId", tenant_id as "tenantId", recount_from as "from" from vehicle_counter
     where recount_from is not null order by updated_at limit 1 for update skip locked`,
  );
  const [found] = rows;
  if (found !== undefined) {
    await tx.query('update vehicle_counter set recount_from = null where vehicle_id = $1', [found.vehicleId]);
  }
  return found;
}

/** The state before a time (epoch ms), at the beginning of the last day that is known; later days are forgotten. */
export async function rewind(tx: Queryable, vehicleId: string, to: number): Promise<State> {
  await tx.query(
    `delete from vehicle_counter_day where vehicle_id = $1 and day > (${at(2)} at time zone 'UTC')::date`,
    [vehicleId, to],
  );
  const { rows } = await tx.query<{ state: StoredState }>(
    'select state from vehicle_counter_day where vehicle_id = $1 order by day desc limit 1',
    [vehicleId],
  );
  return rows[0] === undefined ? BEGIN : toState(rows[0].state);
}

/** Devices that the vehicle carried from a time (epoch ms) on, oldest first. */
export async function readDevicesOf(
  tx: Queryable,
  vehicleId: string,
  from: number,
): Promise<{ readonly deviceId: number; readonly imei: string; readonly from: number; readonly to: number | null }[]> {
  const { rows } = await tx.query(
    `select p.device_id as "deviceId", d.imei, p.valid_from as "from", p.valid_to as "to"
     from pairing p join device d on d.id = p.device_id
     where p.vehicle_id = $1 and coalesce(p.valid_to, 'infinity') > ${at(2)} order by p.valid_from`,
    [vehicleId, from],
  );
  return rows;
}

export interface Entry {
  readonly at: number;
  readonly odometerM: number | undefined;
  readonly engineMs: number | undefined;
}

/** What people have set from a time (epoch ms) on, oldest first. */
export async function readEntries(tx: Queryable, vehicleId: string, after: number): Promise<Entry[]> {
  const { rows } = await tx.query<{ at: number; odometerM: number | null; engineMs: number | null }>(
    `select at, odometer_m as "odometerM", engine_ms as "engineMs" from vehicle_counter_entry
     where vehicle_id = $1 and ($2::float8 is null or at > ${at(2)}) order by at, id`,
    [vehicleId, Number.isFinite(after) ? after : null],
  );
  return rows.map((row) => ({
    at: row.at,
    odometerM: row.odometerM ?? undefined,
    engineMs: row.engineMs ?? undefined,
  }));
}

export interface CounterRow {
  readonly vehicleId: string;
  readonly targa: string;
  readonly odometerM: number | null;
  readonly engineMs: number | null;
  readonly state: { readonly odometer?: Counter; readonly engine?: Counter; readonly at?: number | null } | null;
  readonly setAt: number | null;
  readonly setBy: string | null;
  readonly [column: string]: unknown;
}

/** Counters of a vehicle; undefined if there is no such vehicle. */
export async function readCounters(
  app: pg.Pool,
  tenantId: number,
  name: { readonly id: string; readonly targa: string },
): Promise<CounterRow | undefined> {
  const rows = await queryAsTenant<CounterRow>(app, tenantId, {
    name: 'read-counters',
    text: `
      select v.id as "vehicleId", v.targa, c.odometer_m as "odometerM", c.engine_ms as "engineMs", c.state,
        e.at as "setAt", e.set_by as "setBy"
      from vehicle v left join vehicle_counter c on c.vehicle_id = v.id
      left join lateral (select at, set_by from vehicle_counter_entry where vehicle_id = v.id
        order by at desc, id desc limit 1) e on true
      where v.tenant_id = $1 and (v.id = $2 or v.targa = $3) order by v.id = $2 desc limit 1`,
    values: [tenantId, name.id, name.targa],
  });
  return rows[0];
}

export interface HistoryRow {
  readonly at: number;
  readonly odometerM: number | null;
  readonly engineMs: number | null;
  readonly odometerBeforeM: number | null;
  readonly engineBeforeMs: number | null;
  readonly note: string | null;
  readonly setBy: string;
  readonly [column: string]: unknown;
}

/** The last 1,000 corrections of a vehicle, newest first. */
export const readHistory = (app: pg.Pool, tenantId: number, vehicleId: string): Promise<HistoryRow[]> =>
  queryAsTenant<HistoryRow>(app, tenantId, {
    name: 'read-counter-history',
    text: `select at, odometer_m as "odometerM", engine_ms as "engineMs", odometer_before_m as "odometerBeforeM",
        engine_before_ms as "engineBeforeMs", note, set_by as "setBy"
      from vehicle_counter_entry where tenant_id = $1 and vehicle_id = $2 order by at desc, id desc limit 1000`,
    values: [tenantId, vehicleId],
  });

/** Stores what a person has set, and the counters that follow. */
export function setCounters(
  app: pg.Pool,
  tenantId: number,
  set: {
    readonly vehicleId: string;
    readonly entry: Entry;
    readonly note: string | null;
    readonly by: string;
    readonly correct: (state: State) => State;
  },
): Promise<void> {
  return transaction(app, async (tx) => {
    await tx.query(becomeTenant(tenantId));
    await tx.query('insert into vehicle_counter (vehicle_id, tenant_id) values ($1, $2) on conflict do nothing', [
      set.vehicleId,
      tenantId,
    ]);
    const before = (await lockStates(tx, [set.vehicleId])).get(set.vehicleId) ?? BEGIN;
    const state = set.correct(before);
    const { odometerM = null, engineMs = null } = set.entry;
    await tx.query(
      `insert into vehicle_counter_entry (vehicle_id, tenant_id, at, odometer_m, engine_ms, odometer_before_m,
         engine_before_ms, note, set_by)
       values ($1, $2, ${at(3)}, $4, $5, $6, $7, $8, $9)`,
      [
        set.vehicleId,
        tenantId,
        set.entry.at,
        odometerM,
        engineMs,
        countOf(before.odometer) ?? null,
        countOf(before.engine) ?? null,
        set.note,
        set.by,
      ],
    );
    await tx.query(
      `update vehicle_counter set odometer_m = $2, engine_ms = $3, state = $4, updated_at = now() where vehicle_id = $1`,
      [set.vehicleId, countOf(state.odometer) ?? null, countOf(state.engine) ?? null, JSON.stringify(state)],
    );
  });
}
