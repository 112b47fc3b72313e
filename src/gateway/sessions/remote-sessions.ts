import { SESSION_QUERIES } from '../../contract/events.ts';
import type { Log } from '../../platform/log.ts';
import type { OtherSession, SessionQuery, SessionRegistry } from '../ports.ts';

/** Lifetime of a cached answer: for the logins that waited for it and for following datagrams. */
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
 * Sessions of devices on other gateways, from the registry of the API. If the registry is unreachable, devices are
 * admitted as if they had none.
 */
export class RemoteSessions {
  readonly #registry: SessionRegistry;
  readonly #now: () => number;
  readonly #log: Log;
  /** oldest first */
  readonly #known = new Map<string, Known>();
  /** batch of the next request and of the current one */
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

  /** Drops the cached answer: the device has opened a session here. */
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

  /**
   * Logins of one iteration of the event loop share a request; those that arrive during a request share the next one.
   */
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
