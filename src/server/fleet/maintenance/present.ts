import { HOUR_MS } from '../../../platform/durations.ts';
import { toInstantOrNull } from '../../kernel/http/index.ts';
import { type Due, dueOf } from './due.ts';
import type { Covered } from './store.ts';

const times = (value: number | null, factor: number): number | null => (value === null ? null : value * factor);
const KM_M = 1_000;

/** `now` in epoch ms. A vehicle that was not yet seen under the plan begins now. */
export function dueOfCovered(row: Covered, now: number): Due {
  const reading = { at: now, odometerM: row.odometerM, engineMs: row.engineMs };
  const start =
    row.since === null ? reading : { at: row.since, odometerM: row.startOdometerM, engineMs: row.startEngineMs };
  const done =
    row.doneAt === null ? undefined : { at: row.doneAt, odometerM: row.doneOdometerM, engineMs: row.doneEngineMs };
  return dueOf(
    {
      everyM: times(row.everyKm, KM_M),
      everyEngineMs: times(row.everyEngineHours, HOUR_MS),
      everyDays: row.everyDays,
      remindM: times(row.remindKm, KM_M),
      remindEngineMs: times(row.remindEngineHours, HOUR_MS),
      remindDays: row.remindDays,
    },
    start,
    done,
    reading,
  );
}

const rounded = (value: number | null, unit: number): number | null =>
  value === null ? null : Math.round((value / unit) * 100) / 100;

export const toKm = (metres: number | null): number | null => rounded(metres, KM_M);
export const toHours = (ms: number | null): number | null => rounded(ms, HOUR_MS);

export function presentDue(row: Covered, due: Due) {
  return {
    planId: row.planId,
    planName: row.planName,
    vehicleId: row.vehicleId,
    targa: row.targa,
    state: due.state,
    dueInKm: toKm(due.inM),
    dueInHours: toHours(due.inEngineMs),
    dueAt: toInstantOrNull(due.at),
    odometerKm: toKm(row.odometerM),
    engineHours: toHours(row.engineMs),
    lastDoneAt: toInstantOrNull(row.doneAt),
  };
}
