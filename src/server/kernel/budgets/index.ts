import type pg from 'pg';
import type { Log } from '../../../platform/log.ts';
import { Mutex } from '../../../platform/mutex.ts';
import { createPollLoop } from '../../../platform/poll-loop.ts';
import { type Budget, type BudgetOptions, Entry } from './budget.ts';
import { addPoints, deleteEnded } from './store.ts';

export type { Budget, BudgetOptions, Count } from './budget.ts';

/** Budgets shared by all API processes. */
export interface Budgets {
  create(options: BudgetOptions): Budget;
  /** Exchanges counts with the other processes immediately. */
  exchange(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

export interface BudgetsDeps {
  readonly pool: pg.Pool;
  readonly log: Log;
  readonly monotonic: () => number;
  /** Other API processes; if there are none, counts stay in memory. */
  readonly peers: { count(): number };
}

const EVERY_MS = 500;
const TRIM_EVERY = 120;
/** keys per statement */
const KEYS_AT_ONCE = 2_000;
/** keys per budget; the oldest are dropped first */
const MAX_KEYS = 50_000;

/**
 * Counts in memory. Twice a second the processes exchange the keys of which this process has counted at least half of
 * its share of the budget. Between two exchanges the processes together can exceed the budget.
 */
export function createBudgets({ pool, log, monotonic, peers }: BudgetsDeps): Budgets {
  const changed = new Set<Entry>();
  const exchanges = new Mutex();

  const exchangeChunk = async (entries: readonly Entry[]): Promise<void> => {
    const sent = entries.map(({ own }) => own);
    const ends = entries.map(({ endsAt }) => endsAt);
    const added = entries.map((entry, n) => ({ key: entry.hash, points: sent[n]!, windowMs: entry.options.windowMs }));
    const results = await addPoints(pool, added);
    const now = monotonic();
    for (const [n, entry] of entries.entries()) {
      // the window ended during the statement
      if (entry.endsAt !== ends[n]) continue;
      entry.own -= sent[n]!;
      entry.shared = results[n]!.points;
      entry.endsAt = now + results[n]!.leftMs;
    }
  };
  const exchange = (): Promise<void> =>
    exchanges.run(async () => {
      const entries = [...changed];
      changed.clear();
      const now = monotonic();
      const running = entries.filter((entry) => entry.own !== 0 && now < entry.endsAt);
      for (let at = 0; at < running.length; at += KEYS_AT_ONCE) {
        // if the database is unavailable each process counts separately
        await exchangeChunk(running.slice(at, at + KEYS_AT_ONCE)).catch((error: Error) => {
          log.debug({ reason: error.message }, 'budgets were not exchanged');
        });
      }
    });

  let rounds = 0;
  const loop = createPollLoop({
    everyMs: EVERY_MS,
    firstAfterMs: EVERY_MS,
    async round() {
      if (changed.size > 0) await exchange();
      if (++rounds % TRIM_EVERY === 0 && peers.count() > 0) await deleteEnded(pool);
      return false;
    },
    onError: (error) => log.debug({ reason: error.message }, 'budgets were not trimmed'),
  });

  return {
    exchange,
    start: () => loop.start(),
    stop: () => loop.stop(),
    create: (options) => createBudget(options, { monotonic, peers, changed, exchange }),
  };
}

interface Exchange extends Pick<BudgetsDeps, 'monotonic' | 'peers'> {
  /** entries for the next exchange */
  readonly changed: Set<Entry>;
  exchange(): Promise<void>;
}

function createBudget(options: BudgetOptions, { monotonic, peers, changed, exchange }: Exchange): Budget {
  const entries = new Map<string, Entry>();
  const entryOf = (key: string, now: number): Entry => {
    const known = entries.get(key);
    if (known !== undefined) {
      known.renew(now);
      return known;
    }
    if (entries.size >= MAX_KEYS) entries.delete(entries.keys().next().value!);
    const entry = new Entry(options, key, now);
    entries.set(key, entry);
    return entry;
  };
  const add = (key: string): { entry: Entry; now: number } => {
    const now = monotonic();
    const entry = entryOf(key, now);
    entry.own++;
    return { entry, now };
  };
  return {
    options,
    add(key) {
      const { entry, now } = add(key);
      const { points } = entry;
      // no exchange if the budget is used up, or if few points are counted
      if (points <= options.points + 1) {
        const others = peers.count();
        if (others > 0 && points >= options.points / (2 * (others + 1))) changed.add(entry);
      }
      return entry.count(now);
    },
    get(key) {
      const now = monotonic();
      const entry = entries.get(key);
      return entry === undefined || now >= entry.endsAt ? undefined : entry.count(now);
    },
    giveBack(key) {
      const entry = entries.get(key);
      if (entry === undefined || entry.points === 0 || monotonic() >= entry.endsAt) return;
      entry.own--;
      if (peers.count() > 0) changed.add(entry);
    },
    async addShared(key) {
      const { entry } = add(key);
      if (peers.count() > 0) {
        changed.add(entry);
        await exchange();
      }
      return entry.count(monotonic());
    },
  };
}
