import type pg from 'pg';
import type { Clock } from '../../../platform/clock.ts';
import { HOUR_MS } from '../../../platform/durations.ts';
import type { Job } from '../../../platform/jobs.ts';
import type { Log } from '../../../platform/log.ts';
import { createPollLoop } from '../../../platform/poll-loop.ts';
import type { Due } from './due.ts';
import { dueOfCovered } from './present.ts';
import * as store from './store.ts';

/** Notifies users by their rules `maintenance_due`; a key that was used before notifies nobody again. */
export type NotifyMaintenance = (finding: {
  readonly tenantId: number;
  readonly type: 'maintenance_due';
  readonly key: string;
  /** epoch ms */
  readonly at: number;
  readonly vehicleId: string;
  readonly detail: string;
}) => Promise<number>;

export interface MaintenanceAlarms extends Job {
  /** One look at all plans; number of messages. */
  look(): Promise<number>;
}

export interface AlarmsDeps {
  readonly ingest: pg.Pool;
  readonly clock: Clock;
  readonly log: Log;
  readonly everyMs: number;
  /** without it no user is notified */
  readonly notify: NotifyMaintenance | undefined;
}

const PAGE = 1_000;
const FIRST_AFTER_MS = 60_000;

/** Looks for vehicles that are due by a plan. Each state of each interval is told once, by whichever process sees it first. */
export function createMaintenanceAlarms({ ingest, clock, log, everyMs, notify }: AlarmsDeps): MaintenanceAlarms {
  const look = async (): Promise<number> => {
    await store.startPlans(ingest);
    if (notify === undefined) return 0;
    let told = 0;
    for (let after: readonly [string, string] | null = null; ; ) {
      const rows = await store.readAllCovered(ingest, after, PAGE);
      for (const row of rows) {
        const due = dueOfCovered(row, clock.now());
        if (due.state === 'ok') continue;
        const { tenantId, planId, planName, vehicleId, doneId } = row;
        told += await notify({
          tenantId,
          type: 'maintenance_due',
          key: `${planId}/${vehicleId}/${doneId ?? 'start'}/${due.state}`,
          at: clock.now(),
          vehicleId,
          detail: `${planName}: ${inWords(due)}`,
        });
      }
      const last = rows.at(-1);
      if (rows.length < PAGE || last === undefined) return told;
      after = [last.planId, last.vehicleId];
    }
  };
  const loop = createPollLoop({
    everyMs,
    firstAfterMs: Math.min(FIRST_AFTER_MS, everyMs),
    async round() {
      await look();
      return false;
    },
    onError: (error) => log.warn({ reason: error.message }, 'looking for maintenance that is due failed'),
  });
  return { look, start: () => loop.start(), stop: () => loop.stop() };
}

/** `due in 400 km`, `overdue by 12 h, on 2026-11-30`. */
function inWords({ state, inM, inEngineMs, at }: Due): string {
  const isLate = state === 'overdue';
  const left = [
    ...(inM === null ? [] : [[inM / 1_000, 'km'] as const]),
    ...(inEngineMs === null ? [] : [[inEngineMs / HOUR_MS, 'h'] as const]),
  ].filter(([value]) => (isLate ? value <= 0 : value > 0));
  const amounts = left.map(([value, unit]) => `${Math.abs(Math.round(value))} ${unit}`);
  const date = at === null ? [] : [`on ${new Date(at).toISOString().slice(0, 10)}`];
  const words = [...(amounts.length === 0 ? [] : [`${isLate ? 'by' : 'in'} ${amounts.join(', ')}`]), ...date];
  return `${isLate ? 'overdue' : 'due'} ${words.join(', ')}`;
}
