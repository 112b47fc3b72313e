import type pg from 'pg';
import type { Trip } from '../track/trips.ts';
import { readTotalsNear, reportsFuelUsed } from './store.ts';

export type FuelAt = (trip: Trip) => number | null;

/** maximum time between an end of a trip and the total that is used for it, ms */
const NEAR_MS = 600_000;

/** Fuel used on trips, l, as the difference of the vehicle's own total at their ends; null if it reports none. */
export async function fuelBetween(
  app: pg.Pool,
  tenantId: number,
  deviceId: number,
  trips: readonly Trip[],
): Promise<FuelAt> {
  if (trips.length === 0 || !(await reportsFuelUsed(app, tenantId, deviceId))) return () => null;
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
