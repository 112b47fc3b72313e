import type pg from 'pg';
import * as store from './store.ts';

/** A lock that one process holds until its connection ends. */
export class LeaderLock {
  readonly #connect: () => pg.Client;
  #session: pg.Client | undefined;
  #isHeld = false;

  constructor(connect: () => pg.Client) {
    this.#connect = connect;
  }

  /** True if this process holds the lock, after trying to acquire it. Rejects if the database is unavailable. */
  async acquire(): Promise<boolean> {
    if (this.#isHeld) return true;
    const session = this.#session ?? (await this.#open());
    try {
      this.#isHeld = await store.tryLeaderLock(session);
    } catch (error) {
      await this.release();
      throw error;
    }
    return this.#isHeld;
  }

  async release(): Promise<void> {
    const session = this.#session;
    this.#forget();
    await session?.end().catch(() => {});
  }

  async #open(): Promise<pg.Client> {
    const session = this.#connect();
    session.on('end', () => {
      if (this.#session === session) this.#forget();
    });
    await session.connect();
    this.#session = session;
    return session;
  }

  #forget(): void {
    this.#session = undefined;
    this.#isHeld = false;
  }
}
