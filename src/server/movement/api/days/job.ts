import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import type { Clock } from '../../../../platform/clock.ts';
import { DAY_MS, HOUR_MS } from '../../../../platform/durations.ts';
import type { Log } from '../../../../platform/log.ts';
import { createPollLoop } from '../../../../platform/poll-loop.ts';
import { isDatabaseAway } from '../../../database/index.ts';
import { TRIP_DEFAULTS, TRIP_VERSION, TripDetector } from '../../track/trips.ts';
import { keepDays } from '../distance.ts';
import type { Pools } from '../trips.ts';
import { listBehind } from './store.ts';

/** Calculates whole days soon after they have ended, so that a report over a year finds them kept. */
export interface DistanceJob {
  start(): void;
  /** Resolves when all days that have ended are kept. */
  run(): Promise<void>;
  stop(): Promise<void>;
}

export interface DistanceJobDeps {
  readonly pools: Pools & { readonly ingest: pg.Pool };
  readonly clock: Clock;
  readonly log: Log;
  /** how far back days are kept; 0: none are calculated before they are asked for */
  readonly mostDays: number;
}

const FIRST_AFTER_MS = 120_000;
/** records that arrive late in the night are part of the day that they belong to */
const SETTLES_MS = 2 * HOUR_MS;
const DAYS_AT_ONCE = 31;
/** pause after each step, as a multiple of its duration: requests have priority */
const REST = 4;
const MAX_REST_MS = 10_000;

/** Several processes may work at the same devices: they write the same. Each begins at another one. */
export function createDistanceJob({ pools, clock, log, mostDays }: DistanceJobDeps): DistanceJob {
  const stopping = new AbortController();
  const rest = (workedMs: number): Promise<void> =>
    wait(Math.min(MAX_REST_MS, REST * workedMs), undefined, { ref: false, signal: stopping.signal }).catch(() => {});
  const round = async (pauses: boolean): Promise<void> => {
    const last = Math.floor((clock.now() - SETTLES_MS) / DAY_MS) - 1;
    const behind = await listBehind(pools.ingest, { first: last - mostDays + 1, last, algorithm: TRIP_VERSION });
    const begin = Math.floor(Math.random() * behind.length);
    for (const { tenantId, deviceId, day, after } of [...behind.slice(begin), ...behind.slice(0, begin)]) {
      let state = after ?? new TripDetector(TRIP_DEFAULTS, () => {}).state;
      for (let first = day; first <= last && !stopping.signal.aborted; first += DAYS_AT_ONCE) {
        const from = clock.monotonic();
        const days = { deviceId, first, last: Math.min(last, first + DAYS_AT_ONCE - 1) };
        state = await keepDays(pools, tenantId, days, state);
        if (pauses) await rest(clock.monotonic() - from);
      }
    }
  };
  const loop = createPollLoop({
    everyMs: HOUR_MS,
    firstAfterMs: FIRST_AFTER_MS,
    async round() {
      await round(true);
      return false;
    },
    onError(error) {
      if (isDatabaseAway(error)) log.debug({ reason: error.message }, 'distances of days wait for the database');
      else log.error({ err: error }, 'distances of days are not calculated');
    },
  });
  return {
    start() {
      if (mostDays > 0) loop.start();
    },
    run: () => round(false),
    async stop() {
      stopping.abort();
      await loop.stop();
    },
  };
}
