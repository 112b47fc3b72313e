import type pg from 'pg';
import * as store from './store.ts';

/** A lock that one process at a time holds, for as long as its connection lives. */
export class Turn {
  readonly #connect: () => pg.Client;
  #session: pg.Client | undefined;
  #isMine = false;

  constructor(connect: () => pg.Client) {
    this.#connect = connect;
  }

  /** Is it ours? Asks for it where it is not. Rejects where the database is away. */
  async take(): Promise<boolean> {
    if (this.#isMine) return true;
    const session = this.#session ?? (await this.#open());
    try {
      this.#isMine = await store.takeTurn(session);
    } catch (error) {
      await this.end();
      throw error;
    }
    return this.#isMine;
  }

  async end(): Promise<void> {
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
    this.#isMine = false;
  }
}
