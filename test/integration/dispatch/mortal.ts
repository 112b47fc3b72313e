import type pg from 'pg';

/** What happens at the n-th step of a process, and whether it lives on. */
export interface Blow {
  /** counts from 1 */
  readonly at: number;
  /** the step is not taken, or is taken and nobody hears of it */
  readonly when: 'before' | 'after';
  readonly isFatal: boolean;
}

const away = (): Error => new Error('Connection terminated unexpectedly');

/** A process as far as its dealings with the world go: each statement and each line that it sends is a step. */
export class Mortal {
  steps = 0;
  isDead = false;
  hasStruck = false;
  readonly #blow: Blow | undefined;
  readonly #clients = new Set<() => void>();

  constructor(blow?: Blow) {
    this.#blow = blow;
  }

  /** Its way to the database. */
  pool(pool: pg.Pool): pg.Pool {
    const query = (...args: unknown[]) =>
      this.#ask(() => (pool.query as (...a: unknown[]) => Promise<unknown>)(...args));
    return { query, connect: () => this.#connect(pool) } as unknown as pg.Pool;
  }

  /** Sends something that is not answered. */
  send(work: () => void): void {
    const blow = this.#next();
    if (this.isDead && blow === undefined) return;
    if (blow?.when !== 'before') work();
  }

  /** A process that is gone has no connections; what it had begun is undone. */
  bury(): void {
    this.isDead = true;
    for (const close of Array.from(this.#clients)) close();
  }

  #next(): Blow | undefined {
    if (this.isDead || ++this.steps !== this.#blow?.at) return undefined;
    this.hasStruck = true;
    this.isDead = this.#blow.isFatal;
    return this.#blow;
  }

  async #ask<T>(work: () => Promise<T>, broken: () => void = () => {}): Promise<T> {
    const wasDead = this.isDead;
    const blow = this.#next();
    if (wasDead || blow !== undefined) broken();
    if (wasDead || blow?.when === 'before') throw away();
    const result = await work();
    if (blow !== undefined || this.isDead) throw away();
    return result;
  }

  async #connect(pool: pg.Pool): Promise<pg.PoolClient> {
    let connected: pg.PoolClient | undefined;
    const client = await this.#ask(async () => {
      connected = await pool.connect();
      return connected;
    }).catch((error: unknown) => {
      connected?.release();
      throw error;
    });
    let isBroken = false;
    const sent = new Set<Promise<unknown>>();
    const close = (): void => {
      if (!this.#clients.delete(close)) return;
      // what has left is done or undone by the server; then the connection is gone
      void Promise.allSettled(sent).then(() => client.release(isBroken || this.isDead ? away() : undefined));
    };
    this.#clients.add(close);
    const ask = client.query as (...args: unknown[]) => Promise<unknown>;
    return {
      query: (...args: unknown[]) => {
        if (isBroken) return Promise.reject(away());
        const work = (): Promise<unknown> => {
          const statement = ask.apply(client, args);
          sent.add(statement);
          statement.catch(() => {});
          return statement;
        };
        const answer = this.#ask(work, () => {
          isBroken = true;
        });
        answer.catch(() => {});
        return answer;
      },
      release: () => close(),
    } as unknown as pg.PoolClient;
  }
}
