import type pg from 'pg';
import type { Log } from '../../platform/log.ts';
import { createPollLoop } from '../../platform/poll-loop.ts';
import { readReplayed, readWritten } from './store.ts';

export interface ReplicaDeps {
  readonly primary: pg.Pool;
  readonly replica: pg.Pool;
  /** ms that the replica may be behind */
  readonly maxLagMs: number;
  readonly monotonic: () => number;
  readonly log: Log;
}

/** How far a replica is behind. */
export interface Replica {
  /** ms, at most: since the newest moment whose state of the primary the replica is known to have */
  lagMs(): number;
  /** Runs one comparison now. */
  compare(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

const EVERY_MS = 1_000;
const MAX_SAMPLES = 1_000;

/**
 * Compares the end of the log of the primary, as it was at a moment, with what the replica has applied of it. The times that
 * PostgreSQL reports do not suffice: a replica of an idle primary appears to be far behind, and one that has lost its
 * connection to the primary up to date.
 */
export function createReplica({ primary, replica, maxLagMs, monotonic, log }: ReplicaDeps): Replica {
  let samples: { readonly at: number; readonly written: bigint }[] = [];
  let asOf = Number.NEGATIVE_INFINITY;
  let isBehind = true;
  const lagMs = (): number => monotonic() - asOf;
  const compare = async (): Promise<void> => {
    const at = monotonic();
    samples.push({ at, written: await readWritten(primary) });
    if (samples.length > MAX_SAMPLES) samples.shift();
    const replayed = await readReplayed(replica);
    const reached = samples.findLastIndex(({ written }) => written <= replayed);
    if (reached < 0) return;
    asOf = samples[reached]!.at;
    samples = samples.slice(reached);
  };
  const note = (): void => {
    const was = isBehind;
    isBehind = lagMs() > maxLagMs;
    if (was && !isBehind) log.info('reports read from the replica');
    else if (!was && isBehind) log.warn('reports read from the primary: the replica is behind, or does not answer');
  };
  const loop = createPollLoop({
    everyMs: EVERY_MS,
    async round() {
      try {
        await compare();
      } finally {
        note();
      }
      return false;
    },
    onError: () => {},
  });
  return { lagMs, compare, start: () => loop.start(), stop: () => loop.stop() };
}

type Connect = (callback?: (...args: unknown[]) => void) => Promise<pg.PoolClient>;

/** A pool of clients of the replica while it is not too far behind and can be connected to, and otherwise of the primary. */
export function createReadPool(primary: pg.Pool, replica: pg.Pool, isUsable: () => boolean): pg.Pool {
  const connectReplica = replica.connect.bind(replica) as Connect;
  const connectPrimary = primary.connect.bind(primary) as Connect;
  const connect = (): Promise<pg.PoolClient> =>
    isUsable() ? connectReplica().catch(() => connectPrimary()) : connectPrimary();
  return Object.assign(Object.create(replica) as pg.Pool, {
    connect: (callback?: (...args: unknown[]) => void) => {
      const connecting = connect();
      if (callback === undefined) return connecting;
      connecting.then(
        (client) => callback(undefined, client, (error?: Error) => client.release(error)),
        (error: Error) => callback(error),
      );
      return undefined;
    },
  });
}
