import type pg from 'pg';
import { createFollower, type Feed } from '../feed/index.ts';
import { readerOf } from '../history/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { createEvaluator, type EvaluatorSettings } from './evaluator.ts';
import type { Notifier } from './notify.ts';

export { createBacktest } from './backtest/index.ts';
export { createFindingNotifier, type Finding, type NotifyFinding } from './findings.ts';
export type { Channels } from './notifications/deliveries.ts';

export interface AlertsDeps {
  /** as the role whose work crosses tenants */
  readonly pool: pg.Pool;
  readonly feed: Feed;
  readonly clock: Clock;
  readonly log: Log;
  readonly notifier: Notifier;
  readonly settings: EvaluatorSettings;
  /** ms between two polls of the feed, and between two checks for silent devices */
  readonly everyMs?: number;
  readonly silenceEveryMs?: number;
}

/** Evaluates rules over the entries of the feed, outside of the ingest path. */
export interface Alerts {
  start(): void;
  stop(): Promise<void>;
  /** Evaluates all entries that are there now. */
  run(): Promise<void>;
  /** age in s of the oldest entry that is not evaluated yet */
  lag(): Promise<number>;
}

export const EVERY_MS = 400;
const AT_ONCE = 50;

export function createAlerts({
  pool,
  feed,
  clock,
  log,
  notifier,
  settings,
  everyMs = EVERY_MS,
  silenceEveryMs,
}: AlertsDeps): Alerts {
  const evaluator = createEvaluator({
    feed,
    clock,
    notifier,
    settings: { ...settings, late: { ...settings.late, history: readerOf(pool) } },
    ...(silenceEveryMs === undefined ? {} : { silenceEveryMs }),
  });
  return createFollower({
    name: 'rules',
    pool,
    log,
    everyMs,
    batchSize: AT_ONCE,
    handle: (tx, entries, before) => evaluator.handle(tx, entries, before),
    alsoDue: () => evaluator.isDue(),
  });
}
