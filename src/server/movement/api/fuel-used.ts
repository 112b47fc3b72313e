import type pg from 'pg';
import { endFuel, type FuelChange, type FuelSample, type FuelState, followFuel } from '../track/fuel.ts';
import { type Gauge, gaugesOf, leastChange } from '../track/fuel-gauge.ts';
import { usedBetween } from '../track/fuel-used.ts';
import type { Trip } from '../track/trips.ts';
import { readLevels } from './fuel/store.ts';
import { readTotalsNear, reportsFuelUsed } from './store.ts';
import type { VehicleDevice } from './vehicle-lookup.ts';

export type FuelAt = (trip: Trip) => number | null;

/** maximum time between an end of a trip and the total that is used for it, ms */
const NEAR_MS = 600_000;
/** readings before the first trip and behind the last one, ms: what the level was there */
const AROUND_MS = 3_600_000;

/**
 * Fuel used on trips, l: the difference of the vehicle's own total at their ends, otherwise the fall of the level of its
 * tank with what was put in, without what was taken out. null if neither is known.
 */
export async function fuelBetween(
  pools: { readonly app: pg.Pool; readonly streams: pg.Pool },
  tenantId: number,
  device: VehicleDevice,
  trips: readonly Trip[],
  signal: AbortSignal,
): Promise<FuelAt> {
  if (trips.length === 0) return () => null;
  const byTotal = await byTotals(pools.app, tenantId, device.id, trips);
  if (trips.every((trip) => byTotal(trip) !== null)) return byTotal;
  const byLevel = await byLevels(pools.streams, tenantId, device, trips, signal);
  return (trip) => byTotal(trip) ?? byLevel(trip);
}

async function byTotals(app: pg.Pool, tenantId: number, deviceId: number, trips: readonly Trip[]): Promise<FuelAt> {
  if (!(await reportsFuelUsed(app, tenantId, deviceId))) return () => null;
  const times = trips.flatMap(({ start, end }) => [start.at, end.at]);
  const totals = new Map<number, number | null>();
  for (let i = 0; i < times.length; i += 500) {
    const part = times.slice(i, i + 500);
    const found = await readTotalsNear(app, tenantId, deviceId, part, NEAR_MS);
    for (const [n, time] of part.entries()) totals.set(time, found[n] ?? null);
  }
  return ({ start, end }) => {
    const [first, last] = [totals.get(start.at) ?? null, totals.get(end.at) ?? null];
    // a total that falls was set back
    return first === null || last === null || last < first ? null : Math.round((last - first) * 100) / 100;
  };
}

/** By the first gauge that has readings and gives liters. */
async function byLevels(
  streams: pg.Pool,
  tenantId: number,
  { id: deviceId, tank }: VehicleDevice,
  trips: readonly Trip[],
  signal: AbortSignal,
): Promise<FuelAt> {
  const from = trips[0]!.start.at - AROUND_MS;
  const to = trips.at(-1)!.end.at + AROUND_MS;
  for (const gauge of gaugesOf(tank)) {
    if (gauge.unit !== 'litres') continue;
    const least = leastChange(gauge, tank);
    const levels = collect(gauge, least);
    await readLevels(streams, tenantId, { deviceId, from, to }, gauge.attribute, levels.add, signal);
    const found = levels.end();
    if (found.at.length > 0) return ({ start, end }) => usedBetween(found, start.at, end.at, least);
  }
  return () => null;
}

function collect(gauge: Gauge, least: number) {
  const options = { least, unit: gauge.unit };
  const [at, litres, changes]: [number[], number[], FuelChange[]] = [[], [], []];
  let state: FuelState | undefined;
  return {
    add(reading: FuelSample): void {
      const sample = { ...reading, level: gauge.level(reading.level) };
      const zeros = state?.zeros ?? 0;
      const step = followFuel(state, sample, options);
      state = step.state;
      // a reading of 0 that the detector does not believe
      if (state.zeros > zeros && state.at !== sample.at) return;
      at.push(sample.at);
      litres.push(sample.level);
      if (step.ended !== undefined) changes.push(step.ended);
    },
    end() {
      const last = endFuel(state, options);
      return { at, litres, changes: last === undefined ? changes : [...changes, last] };
    },
  };
}
