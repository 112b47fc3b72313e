import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { createPollLoop } from '../../platform/poll-loop.ts';
import type { Listener } from './listener.ts';
import { notify } from './store.ts';

/** The other API processes of this database. */
export interface Peers {
  /** of this process, new at each start */
  readonly id: string;
  /** processes that have been heard from of late, without this one */
  count(): number;
  /** Notifies the others that this process ends. */
  stop(): Promise<void>;
}

export interface PeersDeps {
  readonly pool: pg.Pool;
  readonly listener: Listener;
  /** monotonic, ms */
  readonly monotonic: () => number;
  /** ms between two notifications */
  readonly everyMs?: number;
}

const CHANNEL = 'fleetgate_peer';
const EVERY_MS = 2_000;
/** until this process receives its own notification */
const FIRST_MS = 100;
/** intervals without a notification after which a process counts as ended */
const MISSED = 3;

/**
 * Each process notifies the others that it runs. What is derived from the number of processes (shares of work, whether
 * anything has to be exchanged) may be wrong for some seconds; nothing may depend on it for its correctness.
 */
export function startPeers({ pool, listener, monotonic, everyMs = EVERY_MS }: PeersDeps): Peers {
  const id = randomUUID();
  const heard = new Map<string, number>();
  /** before it, answers of the others are not received */
  let isListening = false;
  let again: NodeJS.Timeout | undefined;
  const forget = listener.on(CHANNEL, (payload) => {
    const [peer = '', state] = payload.split(' ');
    if (peer === id) {
      isListening = true;
      return;
    }
    if (state === 'stops') heard.delete(peer);
    else heard.set(peer, monotonic());
    if (state === 'starts') loop.wake();
  });
  const loop = createPollLoop({
    everyMs,
    async round() {
      // a process that starts is answered at once
      await notify(pool, CHANNEL, [`${id} ${isListening ? 'runs' : 'starts'}`]);
      if (!isListening) again = setTimeout(() => loop.wake(), FIRST_MS).unref();
      return false;
    },
    // until the database is back, the others count this process as ended
    onError: () => {},
  });
  loop.start();
  return {
    id,
    count() {
      const since = monotonic() - MISSED * everyMs;
      for (const [peer, at] of heard) if (at < since) heard.delete(peer);
      return heard.size;
    },
    async stop() {
      forget();
      clearTimeout(again);
      await loop.stop();
      await notify(pool, CHANNEL, [`${id} stops`]).catch(() => {});
    },
  };
}
