import type pg from 'pg';
import type { Log } from '../log.ts';
import { createPollLoop } from '../poll-loop.ts';
import { type Budget, type BudgetOptions, Entry } from './budget.ts';
import { addPoints, deleteEnded } from './store.ts';

export type { Budget, BudgetOptions, Count } from './budget.ts';

/** Budgets that all API processes have in common. */
export interface Budgets {
  create(options: BudgetOptions): Budget;
  /** Adds what has been counted here to what the others have counted, now. */
  exchange(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

export interface BudgetsDeps {
  readonly pool: pg.Pool;
  readonly log: Log;
  readonly monotonic: () => number;
  /** Other API processes. Without one, all is counted in memory. */
  readonly peers: { count(): number };
}

const EVERY_MS = 500;
const TRIM_EVERY = 120;
/** keys of one statement */
const KEYS_AT_ONCE = 2_000;
/** keys of a budget that are remembered; the oldest are forgotten first */
const MOST_KEYS = 50_000;

/**
 * Counts in memory and exchanges with the other processes twice a second what may matter: a key of which this process
 * has counted half of its share of the budget. What the processes admit between two exchanges can be beyond the budget.
 */
export function createBudgets({ pool, log, monotonic, peers }: BudgetsDeps): Budgets {
  const changed = new Set<Entry>();
  let exchanging: Promise<void> = Promise.resolve();

  const exchangeChunk = async (entries: readonly Entry[]): Promise<void> => {
    const sent = entries.map(({ own }) => own);
    const ends = entries.map(({ endsAt }) => endsAt);
    const added = entries.map((entry, n) => ({ key: entry.hash, points: sent[n]!, windowMs: entry.options.windowMs }));
    const results = await addPoints(pool, added);
    const now = monotonic();
    for (const [n, entry] of entries.entries()) {
      // its window has ended meanwhile
      if (entry.endsAt !== ends[n]) continue;
      entry.own -= sent[n]!;
      entry.shared = results[n]!.points;
      entry.endsAt = now + results[n]!.leftMs;
    }
  };
  const exchange = (): Promise<void> => {
    exchanging = exchanging.then(async () => {
      const entries = [...changed];
      changed.clear();
      const now = monotonic();
      const running = entries.filter((entry) => entry.own !== 0 && now < entry.endsAt);
      for (let at = 0; at < running.length; at += KEYS_AT_ONCE) {
        // without the database each process counts on its own
        await exchangeChunk(running.slice(at, at + KEYS_AT_ONCE)).catch((error: Error) => {
          log.debug({ reason: error.message }, 'budgets were not exchanged');
        });
      }
    });
    return exchanging;
  };

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
  /** entries that are exchanged next */
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
    if (entries.size >= MOST_KEYS) entries.delete(entries.keys().next().value!);
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
      // one that is used up needs no further exchange, and one that is hardly used none yet
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
