import { SESSION_QUERIES } from '../contract/events.ts';
import type { Log } from '../platform/log.ts';
import type { OtherSession, SessionQuery, SessionRegistry } from './ports.ts';

/** Answers are used by the logins that have waited for them, and by datagrams that follow. */
const FRESH_MS = 5_000;

interface Batch {
  readonly queries: Map<string, SessionQuery>;
  readonly done: Promise<void>;
}

interface Known {
  readonly at: number;
  readonly session: OtherSession | undefined;
}

/**
 * Sessions that devices have on other gateways, by the registry of the API. If it cannot be reached, devices are
 * admitted as if they had none: a device is not refused because something is not known.
 */
export class RemoteSessions {
  readonly #registry: SessionRegistry;
  readonly #now: () => number;
  readonly #log: Log;
  /** oldest first */
  readonly #known = new Map<string, Known>();
  /** what the next request asks for, and what the present one does */
  #waiting: Batch | undefined;
  #requested: Batch | undefined;

  constructor(registry: SessionRegistry, now: () => number, log: Log) {
    this.#registry = registry;
    this.#now = now;
    this.#log = log;
  }

  isKnown(imei: string, now: number): boolean {
    const known = this.#known.get(imei);
    return known !== undefined && now - known.at < FRESH_MS;
  }

  get(imei: string, now: number): OtherSession | undefined {
    return this.isKnown(imei, now) ? this.#known.get(imei)?.session : undefined;
  }

  /** The device has a session here: what was known before is of no use for its next login. */
  forget(imei: string): void {
    this.#known.delete(imei);
  }

  /** Resolves when `get` knows; never rejects. */
  lookUp(query: SessionQuery): Promise<void> {
    if (this.#requested?.queries.has(query.imei)) return this.#requested.done;
    this.#waiting ??= this.#nextBatch();
    if (!this.#waiting.queries.has(query.imei)) this.#waiting.queries.set(query.imei, query);
    return this.#waiting.done;
  }

  /** Logins of the same moment travel in one request, and those that come during a request in the next one. */
  #nextBatch(): Batch {
    const before = this.#requested?.done ?? new Promise<void>((resolve) => setImmediate(resolve));
    return { queries: new Map(), done: before.then(() => this.#request()) };
  }

  async #request(): Promise<void> {
    const batch = this.#waiting!;
    this.#waiting = undefined;
    this.#requested = batch;
    const queries = [...batch.queries.values()];
    for (let at = 0; at < queries.length; at += SESSION_QUERIES) {
      const part = queries.slice(at, at + SESSION_QUERIES);
      const found = await this.#find(part);
      const now = this.#now();
      this.#removeOld(now);
      for (const { imei } of part) {
        this.#known.delete(imei);
        this.#known.set(imei, { at: now, session: found.get(imei) });
      }
    }
    this.#requested = undefined;
  }

  async #find(queries: readonly SessionQuery[]): Promise<ReadonlyMap<string, OtherSession>> {
    try {
      return new Map((await this.#registry.find(queries)).map((session) => [session.imei, session]));
    } catch (error) {
      const reason = (error as Error).message;
      this.#log.warn({ reason, devices: queries.length }, 'sessions on other gateways are not known');
      return new Map();
    }
  }

  #removeOld(now: number): void {
    for (const [imei, { at }] of this.#known) {
      if (now - at < FRESH_MS) return;
      this.#known.delete(imei);
    }
  }
}
