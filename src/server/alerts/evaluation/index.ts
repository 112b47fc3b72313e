import type pg from 'pg';
import type { Clock } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import { readerOf } from '../../history/index.ts';
import { createShardedFollower, type Feed, type Place, SHARDS, type Shards } from '../../ingest/feed/index.ts';
import { createEvaluator, type EvaluatorSettings } from './evaluator.ts';
import type { Notifier } from './notify.ts';

export { createBacktest } from './backtest/index.ts';
export { createFindingNotifier, type NotifyFinding } from './findings.ts';

export interface AlertsDeps {
  /** as the role whose work crosses tenants */
  readonly pool: pg.Pool;
  readonly feed: Feed;
  readonly clock: Clock;
  readonly log: Log;
  readonly notifier: Notifier;
  readonly settings: EvaluatorSettings;
  /** shards that this process works on; all unless given */
  readonly shards?: Shards | undefined;
  /** ms between two polls of the feed, and between two checks for silent devices */
  readonly everyMs?: number;
  readonly silenceEveryMs?: number;
  /** ms between two looks at the clock, and without a report after which it decides */
  readonly clockEveryMs?: number;
  readonly quietMs?: number;
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
  shards,
  everyMs = EVERY_MS,
  silenceEveryMs,
  clockEveryMs,
  quietMs,
}: AlertsDeps): Alerts {
  const ofShard = (number: number) => {
    const evaluator = createEvaluator({
      feed,
      clock,
      notifier,
      settings: { ...settings, late: { ...settings.late, history: readerOf(pool) } },
      shard: { number, of: SHARDS },
      ...(silenceEveryMs === undefined ? {} : { silenceEveryMs }),
      ...(clockEveryMs === undefined ? {} : { clockEveryMs }),
      ...(quietMs === undefined ? {} : { quietMs }),
    });
    return {
      handle: (...args: Parameters<typeof evaluator.handle>) => evaluator.handle(...args),
      kinds: (before: Place) => evaluator.kinds(before),
      alsoDue: () => evaluator.isDue(),
    };
  };
  return createShardedFollower({
    name: 'rules',
    pool,
    log,
    everyMs,
    batchSize: AT_ONCE,
    shards,
    work: ofShard,
  });
}
