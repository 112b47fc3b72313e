import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { compare, type Entry, type Place, readEntries } from '../../ingest/feed/index.ts';
import { type Client, sees, wants } from './client.ts';
import type { LiveEvent } from './event.ts';
import type { EventSource } from './source.ts';

export interface CatchUpDeps {
  readonly pool: pg.Pool;
  readonly source: EventSource;
  /** the position up to which live clients have received events; undefined if there is none yet */
  readonly end: () => Place | undefined;
  readonly isStopped: () => boolean;
}

const AT_ONCE = 20;
const PAUSE_MS = 20;

/**
 * Sends missed events to a client, entry by entry, until it has reached the live clients. `live`: it can join them in
 * this iteration of the event loop, and may be ahead of them; `full`: its buffer is full; `gone`: it has
 * disconnected.
 */
export async function catchUp(
  { pool, source, end, isStopped }: CatchUpDeps,
  client: Client,
): Promise<'live' | 'full' | 'gone'> {
  while (client.isOpen && !isStopped()) {
    if (client.isFull) return 'full';
    // taken before the read, so that the read contains everything up to it
    const reached = end();
    const entries = await readEntries(pool, beforeNext(client), AT_ONCE);
    for (const entry of entries) {
      const events = await source.eventsOf(entry, (device) => sees(client.view, device));
      if (!sendAll(client, entry, events)) return 'full';
    }
    if (entries.length === AT_ONCE) continue;
    if (reached !== undefined && compare(client.at.place, reached) < 0) client.passed(reached);
    const now = end();
    if (now !== undefined && compare(client.at.place, now) >= 0) return 'live';
    if (now === undefined) await wait(PAUSE_MS);
  }
  return 'gone';
}

/** Where reading continues: before the entry that was partially sent. */
const beforeNext = ({ at: { place, token } }: Client): Place =>
  token === '' ? place : { xid: place.xid, seq: place.seq - 1 };

/** False if the buffer of the client is full; its position is after the last sent event. */
function sendAll(client: Client, entry: Entry, events: readonly LiveEvent[]): boolean {
  const { place, token } = client.at;
  const isPart = token !== '' && compare(place, entry) === 0;
  const lastSent = isPart ? events.findIndex((event) => event.token === token) : -1;
  for (const event of events.slice(lastSent + 1)) {
    if (wants(client.view, event) && !client.send(event)) return false;
  }
  client.passed(entry);
  return true;
}
