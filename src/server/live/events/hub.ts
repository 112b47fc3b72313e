import type { ServerResponse } from 'node:http';
import pLimit from 'p-limit';
import type pg from 'pg';
import type { Clock } from '../../../platform/clock.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Log } from '../../../platform/log.ts';
import { createPollLoop, type PollLoop } from '../../../platform/poll-loop.ts';
import { compare, type Feed, type Place, readEntries, readFloor, readHead } from '../../ingest/feed/index.ts';
import { catchUp } from './catch-up.ts';
import { Client, sees, type View, wants } from './client.ts';
import type { LiveEvent, Resume } from './event.ts';
import type { EventSource } from './source.ts';
import { type DeviceIdentity, readVehiclesOf, type SeenVehicles } from './store.ts';

export interface HubDeps {
  readonly feed: Feed;
  readonly source: EventSource;
  /** as the role that sees every tenant */
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly log: Log;
  readonly mostClients: number;
  /** whether the credential is still valid */
  readonly holds: (token: string) => Promise<boolean>;
  /** ms between two reads of the feed, and between two keep-alive comments */
  readonly everyMs?: number;
  readonly beatMs?: number;
}

const EVERY_MS = 50;
const AT_ONCE = 50;
const BEAT_MS = 15_000;
/** a client whose buffer is full for this long is disconnected */
const BLOCKED_MS = 60_000;
const MAX_PAUSE_MS = 5_000;
/** reconnect delay that clients are told */
const RETRY_MS = 2_000;
const NO_VEHICLES: SeenVehicles = new Set();
/** maximum number of clients that catch up concurrently */
const CATCHING_UP = 3;

/** Event streams of this process, with one shared reader of the feed. */
export class Hub {
  readonly #deps: HubDeps;
  readonly #clients = new Set<Client>();
  readonly #stopping = new AbortController();
  readonly #catchUpLimit = pLimit(CATCHING_UP);
  /** subscribers of a device; computed again when clients, or their permissions, change */
  #subscribers = new Map<number, readonly Client[]>();
  /** all live clients have received the events up to here */
  #at: Place | undefined;
  #loop: PollLoop | undefined;
  #beatAt = 0;

  constructor(deps: HubDeps) {
    this.#deps = deps;
  }

  get size(): number {
    return this.#clients.size;
  }

  /** Throws AppError `unavailable` if there are too many clients or the database is unreachable. */
  async open(response: ServerResponse, view: View, token: string, resume: Resume | undefined): Promise<void> {
    const isFull = this.#clients.size >= this.#deps.mostClients;
    if (isFull || this.#stopping.signal.aborted) throw new AppError('unavailable', 'Too many event streams', [], 30);
    const { from, isForgotten } = await this.#beginning(resume);
    const client = new Client(response, view, token, from);
    response.on('error', () => {});
    response.once('close', () => {
      this.#clients.delete(client);
      this.#subscribers = new Map();
    });
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    });
    response.write(`retry: ${RETRY_MS}\n\n`);
    if (isForgotten) response.write('event: gap\ndata: {"reason":"the events that follow are no longer kept"}\n\n');
    this.#clients.add(client);
    this.#deps.feed.expect('live', true);
    await this.#readVehicles(view);
    this.#bringUp(client);
    if (this.#loop !== undefined) return;
    this.#loop = this.#poll();
    this.#loop.start();
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    for (const client of this.#clients) client.end();
    await this.#loop?.stop();
    this.#deps.feed.expect('live', false);
  }

  async #beginning(resume: Resume | undefined): Promise<{ from: Resume; isForgotten: boolean }> {
    const { pool } = this.#deps;
    const whole = (place: Place): Resume => ({ place, token: '' });
    // a client that does not resume receives events from here on
    if (resume === undefined) return { from: whole(await readHead(pool)), isForgotten: false };
    const [head, floor] = await Promise.all([readHead(pool), readFloor(pool)]);
    if (compare(resume.place, floor) < 0) return { from: whole(floor), isForgotten: true };
    // the id is beyond the head: of another database, or forged
    return { from: compare(resume.place, head) > 0 ? whole(head) : resume, isForgotten: false };
  }

  #join(client: Client): void {
    client.isLive = true;
    this.#subscribers = new Map();
  }

  /** Sends a client the events that it has missed, then new ones as they occur. */
  #bringUp(client: Client): void {
    const { pool, source, log } = this.#deps;
    const isStopped = (): boolean => this.#stopping.signal.aborted;
    this.#catchUpLimit(() => catchUp({ pool, source, end: () => this.#at, isStopped }, client)).then(
      (outcome) => {
        if (outcome === 'full') this.#waitFor(client);
        if (outcome !== 'live') return;
        client.ahead = client.at.place;
        this.#join(client);
      },
      (error: Error) => {
        log.warn({ reason: error.message }, 'an event stream could not be brought up');
        client.destroy();
      },
    );
  }

  /** Waits until the buffer is drained, then catches up. */
  #waitFor(client: Client): void {
    client.isLive = false;
    client.blockedSince ??= this.#deps.clock.monotonic();
    this.#subscribers = new Map();
    client.whenRead(() => {
      client.blockedSince = undefined;
      if (client.isOpen) this.#bringUp(client);
    });
  }

  #live(): Client[] {
    return [...this.#clients].filter(({ isLive }) => isLive);
  }

  #subscribersOf(device: DeviceIdentity): readonly Client[] {
    const known = this.#subscribers.get(device.deviceId);
    if (known !== undefined) return known;
    const found = this.#live().filter((client) => sees(client.view, device));
    this.#subscribers.set(device.deviceId, found);
    return found;
  }

  #send(events: readonly LiveEvent[]): void {
    for (const event of events) {
      const list =
        event.device === undefined || event.userId !== undefined ? this.#live() : this.#subscribersOf(event.device);
      for (const client of list) {
        if (!client.isLive || !wants(client.view, event) || client.knows(event) || client.send(event)) continue;
        this.#waitFor(client);
      }
    }
  }

  /**
   * Reads the vehicles of the client's user after it was added to `#clients`, so that later changes, which are
   * entries of the feed, reach it by `#refresh`. Until then it sees none.
   */
  async #readVehicles(view: View): Promise<void> {
    if (view.userId === undefined) return;
    const vehicles = await readVehiclesOf(this.#deps.pool, [view.userId]);
    view.vehicles = vehicles.get(view.userId) ?? NO_VEHICLES;
    this.#subscribers = new Map();
  }

  /** Reads the vehicles of all users again. */
  async #refresh(): Promise<void> {
    this.#deps.source.forget();
    const users = [...new Set([...this.#clients].flatMap(({ view }) => view.userId ?? []))];
    const vehicles = await readVehiclesOf(this.#deps.pool, users);
    for (const { view } of this.#clients) {
      // a client added meanwhile keeps its own result
      if (view.userId !== undefined) view.vehicles = vehicles.get(view.userId) ?? view.vehicles;
    }
    this.#subscribers = new Map();
  }

  /** True if there is more. */
  async #round(): Promise<boolean> {
    const { pool, source } = this.#deps;
    this.#at ??= await readHead(pool);
    const entries = await readEntries(pool, this.#at, AT_ONCE);
    for (const entry of entries) {
      if (entry.kind === 'rules') await this.#refresh();
      const events = await source.eventsOf(entry, (device) => this.#subscribersOf(device).length > 0);
      // no client can join until the end of the entry
      this.#send(events);
      this.#at = entry;
      for (const client of this.#clients) if (client.isLive && !client.knows(entry)) client.passed(entry);
    }
    return entries.length === AT_ONCE;
  }

  async #beat(): Promise<void> {
    const now = this.#deps.clock.monotonic();
    if (now < this.#beatAt) return;
    this.#beatAt = now + (this.#deps.beatMs ?? BEAT_MS);
    await this.#refresh();
    for (const client of this.#clients) {
      if (client.blockedSince === undefined) client.beat();
      else if (now - client.blockedSince > BLOCKED_MS) client.destroy();
      this.#deps.holds(client.token).then(
        (holds) => {
          if (!holds) client.end();
        },
        () => {},
      );
    }
  }

  /** Runs while there are clients. */
  #poll(): PollLoop {
    const { log, everyMs = EVERY_MS } = this.#deps;
    return createPollLoop({
      everyMs,
      longestPauseMs: MAX_PAUSE_MS,
      round: async () => {
        if (this.#clients.size === 0) {
          this.#rest();
          return false;
        }
        await this.#beat();
        return this.#round();
      },
      onError(error, failures) {
        if (failures === 1) log.warn({ reason: error.message }, 'event streams wait for the database');
      },
    });
  }

  #rest(): void {
    this.#deps.feed.expect('live', false);
    void this.#loop?.stop();
    this.#loop = undefined;
    // the next client begins at the then current end of the feed
    this.#at = undefined;
  }
}
