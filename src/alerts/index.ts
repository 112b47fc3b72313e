import type pg from 'pg';
import { createFollower, type Feed } from '../feed/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { createEvaluator } from './evaluator.ts';
import type { Teller } from './tell.ts';

export { type Raise, type Raised, raiseBy } from './raise.ts';
export type { Channels } from './telling/deliveries.ts';

export interface AlertsDeps {
  /** as the role whose work crosses tenants */
  readonly pool: pg.Pool;
  readonly feed: Feed;
  readonly clock: Clock;
  readonly log: Log;
  readonly teller: Teller;
  /** ms between two looks at the feed, and for silent devices */
  readonly everyMs?: number;
  readonly silenceEveryMs?: number;
}

/** Evaluates rules over what happens, off the path of ingest. */
export interface Alerts {
  start(): void;
  stop(): Promise<void>;
  /** Evaluates all that there is now. */
  run(): Promise<void>;
  /** s that the oldest entry has waited that is not evaluated yet */
  lag(): Promise<number>;
}

export const EVERY_MS = 400;
const AT_ONCE = 50;

export function createAlerts({
  pool,
  feed,
  clock,
  log,
  teller,
  everyMs = EVERY_MS,
  silenceEveryMs,
}: AlertsDeps): Alerts {
  const evaluator = createEvaluator({
    ...{ feed, clock, teller },
    ...(silenceEveryMs === undefined ? {} : { silenceEveryMs }),
  });
  return createFollower({
    ...{ name: 'rules', pool, log, everyMs, atOnce: AT_ONCE },
    handle: (tx, entries, before) => evaluator.handle(tx, entries, before),
    alsoDue: () => evaluator.isDue(),
  });
}
