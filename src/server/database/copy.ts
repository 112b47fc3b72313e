import type pg from 'pg';
import { timeSlices } from '../../platform/time-slices.ts';
import { asAppError } from './pool.ts';
import { becomeTenant } from './store.ts';

/** Takes one row of the binary copy format: `view.getInt16(at)` is its number of columns. */
export type TakeRow = (view: DataView, at: number) => void;

export interface CopyTaker {
  readonly row: TakeRow;
  /** after each piece that the network brought; what it returns is waited for before more is read */
  pause?(): Promise<void> | undefined;
}

/** Rows that a statement was to read have been moved to a file since it was made; it has read none of them. */
export class SealedMeanwhile extends Error {
  override readonly name = 'SealedMeanwhile';
}

/** A table of a past day is emptied when its rows are in files: not between the guard and the rows. */
const BEGIN_GUARDED = `begin isolation level repeatable read read only; lock table position_narrow in access share mode`;
const COPY_DATA = 0x64;
const COPY_OUT = 0x48;
const COPY_DONE = 0x63;
const NOTICE = 0x4e;
const PARAMETER = 0x53;
/** rows between two looks at the clock */
const ROWS_AT_ONCE = 256;
/** signature, flags and length of what follows them */
const HEADER_BYTES = 19;

/**
 * Rows of one statement as a tenant, in the binary copy format and as fast as they come: nothing is kept. `copy` is a
 * statement without parameters, `copy (…) to stdout (format binary)`. A pool of `streams` is needed. When `signal` aborts, the connection is cut, which ends
 * the statement. `guard` is a query of the same instant that must find no row. Throws SealedMeanwhile if it does, AppError `unavailable` where the database is away, the signal's reason where it aborted.
 */
export async function copyAsTenant(
  pool: pg.Pool,
  tenantId: number,
  copy: string,
  taker: CopyTaker,
  signal?: AbortSignal,
  guard?: pg.QueryConfig,
): Promise<void> {
  signal?.throwIfAborted();
  let client: pg.PoolClient;
  try {
    client = await pool.connect();
  } catch (error) {
    throw asAppError(error);
  }
  let isBroken = true;
  const cut = (): void => void streamOf(client).destroy();
  signal?.addEventListener('abort', cut, { once: true });
  try {
    signal?.throwIfAborted();
    await client.query(guard === undefined ? 'begin' : BEGIN_GUARDED);
    await client.query(becomeTenant(tenantId));
    if (guard !== undefined && (await client.query(guard)).rows.length > 0) {
      await client.query('rollback');
      isBroken = false;
      throw new SealedMeanwhile();
    }
    await copyOut(client, copy, taker);
    await client.query('commit');
    isBroken = false;
  } catch (error) {
    signal?.throwIfAborted();
    throw asAppError(error);
  } finally {
    signal?.removeEventListener('abort', cut);
    client.release(isBroken);
  }
}

const streamOf = (client: pg.PoolClient): Stream => client.connection.stream;

type Stream = NodeJS.ReadableStream & { destroy(): unknown; isPaused(): boolean };

/** What of pg's connection a query of its own kind may use. */
interface Connection {
  readonly stream: Stream;
  query(text: string): void;
}

/** Reads the socket itself while rows come: pg would make an event of each. */
function copyOut(client: pg.PoolClient, text: string, taker: CopyTaker): Promise<void> {
  return new Promise((resolve, reject) => {
    let failure: Error | undefined;
    const reader = new CopyReader(taker, (error) => {
      failure ??= error;
    });
    const query = {
      submit(connection: Connection): void {
        reader.attach(connection.stream);
        connection.query(text);
      },
      handleError(error: Error): void {
        reader.detach();
        reject(failure ?? error);
      },
      handleCommandComplete(): void {},
      handleReadyForQuery(): void {
        if (failure === undefined) resolve();
        else reject(failure);
      },
    };
    client.query(query as typeof query & pg.Submittable);
  });
}

type Listener = (chunk: Buffer) => void;

/** Where the next message begins; `isWhole`: no whole one is left. */
interface Taken {
  readonly end: number;
  readonly isWhole: boolean;
}

class CopyReader {
  readonly #taker: CopyTaker;
  readonly #onFailure: (error: Error) => void;
  #stream: Stream | undefined;
  #pg: Listener[] = [];
  /** what has come and is still to be taken */
  #bytes: Buffer | undefined;
  #isFirst = true;
  #failed = false;

  constructor(taker: CopyTaker, onFailure: (error: Error) => void) {
    this.#taker = taker;
    this.#onFailure = onFailure;
  }

  attach(stream: Stream): void {
    this.#stream = stream;
    this.#pg = stream.listeners('data') as Listener[];
    for (const listener of this.#pg) stream.removeListener('data', listener);
    stream.on('data', this.#read);
  }

  /** Gives the socket back to pg. */
  detach(): void {
    const stream = this.#stream;
    if (stream === undefined) return;
    this.#stream = undefined;
    stream.removeListener('data', this.#read);
    for (const listener of this.#pg) stream.on('data', listener);
  }

  readonly #read = (chunk: Buffer): void => {
    this.#bytes = this.#bytes === undefined ? chunk : Buffer.concat([this.#bytes, chunk]);
    if (timeSlices.isOver()) this.#goOnAfter(timeSlices.wait());
    else this.#goOn();
  };

  /** Passes received rows on, within the budget of this iteration of the event loop. */
  #goOn(): void {
    const stream = this.#stream;
    const bytes = this.#bytes;
    // the connection was lost meanwhile
    if (stream === undefined || bytes === undefined) return;
    const { end, isWhole } = this.#failed ? { end: bytes.length, isWhole: true } : this.#takeOrFail(bytes);
    this.#bytes = end < bytes.length ? bytes.subarray(end) : undefined;
    if (this.#stream === undefined) {
      for (const listener of this.#pg) listener(bytes.subarray(end));
      stream.resume();
      return;
    }
    const settled = this.#failed ? undefined : this.#taker.pause?.();
    if (!isWhole) this.#goOnAfter(Promise.all([settled, timeSlices.wait()]));
    else if (settled !== undefined) this.#goOnAfter(settled);
    else if (stream.isPaused()) stream.resume();
  }

  #goOnAfter(wait: Promise<unknown>): void {
    this.#stream?.pause();
    wait
      .then(() => {
        if (this.#bytes !== undefined) this.#goOn();
        else this.#stream?.resume();
      })
      .catch((error: Error) => this.#fail(error));
  }

  #takeOrFail(bytes: Buffer): Taken {
    try {
      return this.#take(bytes);
    } catch (error) {
      this.#fail(error as Error);
      return { end: bytes.length, isWhole: true };
    }
  }

  /** The consumer stops: closing the connection cancels the statement. */
  #fail(error: Error): void {
    this.#failed = true;
    this.#onFailure(error);
    this.#stream?.destroy();
  }

  /** Takes whole messages, until its time slice is over. */
  #take(bytes: Buffer): Taken {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    let at = 0;
    for (let rows = 1; at + 5 <= bytes.length; rows++) {
      if (rows % ROWS_AT_ONCE === 0 && timeSlices.isOver()) return { end: at, isWhole: false };
      const kind = bytes[at]!;
      const next = at + 1 + view.getUint32(at + 1);
      if (kind === COPY_DATA) {
        if (next > bytes.length) break;
        this.#row(view, at + 5);
      } else if (kind !== COPY_OUT && kind !== NOTICE && kind !== PARAMETER) {
        // done or failed: pg handles the following messages
        this.detach();
        return { end: kind === COPY_DONE ? next : at, isWhole: true };
      } else if (next > bytes.length) break;
      at = next;
    }
    return { end: at, isWhole: true };
  }

  #row(view: DataView, at: number): void {
    let start = at;
    if (this.#isFirst) {
      start += HEADER_BYTES + view.getUint32(at + HEADER_BYTES - 4);
      this.#isFirst = false;
    }
    // -1: no more rows
    if (view.getInt16(start) >= 0) this.#taker.row(view, start);
  }
}
