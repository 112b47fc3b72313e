import { setImmediate } from 'node:timers/promises';
import type pg from 'pg';
import { asAppError } from './pool.ts';
import { becomeTenant } from './store.ts';

/** Takes one row of the binary copy format: `view.getInt16(at)` is its number of columns. */
export type TakeRow = (view: DataView, at: number) => void;

export interface CopyTaker {
  readonly row: TakeRow;
  /** after each piece that the network brought; what it returns is waited for before more is read */
  pause?(): Promise<void> | undefined;
}

const COPY_DATA = 0x64;
const COPY_OUT = 0x48;
const COPY_DONE = 0x63;
const NOTICE = 0x4e;
const PARAMETER = 0x53;
/** some thousand rows, which take a millisecond or two */
const TURN_BYTES = 196_608;
/** signature, flags and length of what follows them */
const HEADER_BYTES = 19;

/**
 * Rows of one statement as a tenant, in the binary copy format and as fast as they come: nothing is kept. `copy` is a
 * statement without parameters, `copy (…) to stdout (format binary)`. A pool of `streams` is needed. When `signal` aborts, the connection is cut, which ends
 * the statement. Throws AppError `unavailable` where the database is away, the signal's reason where it aborted.
 */
export async function copyAsTenant(
  pool: pg.Pool,
  tenantId: number,
  copy: string,
  taker: CopyTaker,
  signal?: AbortSignal,
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
    await client.query('begin');
    await client.query(becomeTenant(tenantId));
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

const streamOf = (client: pg.PoolClient): Stream => (client as unknown as { connection: Connection }).connection.stream;

type Stream = NodeJS.ReadableStream & { destroy(): unknown };

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
    client.query(query as unknown as pg.Submittable);
  });
}

type Listener = (chunk: Buffer) => void;

class CopyReader {
  readonly #taker: CopyTaker;
  readonly #onFailure: (error: Error) => void;
  #stream: Stream | undefined;
  #pg: Listener[] = [];
  #rest: Buffer | undefined;
  #isFirst = true;
  #failed = false;
  #sinceTurn = 0;

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
    const bytes = this.#rest === undefined ? chunk : Buffer.concat([this.#rest, chunk]);
    this.#rest = undefined;
    const end = this.#failed ? bytes.length : this.#takeOrFail(bytes);
    if (this.#stream === undefined) {
      for (const listener of this.#pg) listener(bytes.subarray(end));
      return;
    }
    if (end < bytes.length) this.#rest = bytes.subarray(end);
    this.#wait(this.#stream, chunk.length);
  };

  /** A fast server would have us read for as long as it sends: others get their turn now and then. */
  #wait(stream: Stream, bytes: number): void {
    this.#sinceTurn += bytes;
    let wait = this.#failed ? undefined : this.#taker.pause?.();
    if (wait === undefined && this.#sinceTurn < TURN_BYTES) return;
    this.#sinceTurn = 0;
    wait ??= setImmediate();
    stream.pause();
    wait.then(
      () => stream.resume(),
      (error: Error) => this.#fail(error),
    );
  }

  #takeOrFail(bytes: Buffer): number {
    try {
      return this.#take(bytes);
    } catch (error) {
      this.#fail(error as Error);
      return bytes.length;
    }
  }

  /** The taker wants no more: the statement ends with its connection. */
  #fail(error: Error): void {
    this.#failed = true;
    this.#onFailure(error);
    this.#stream?.destroy();
  }

  /** Takes whole messages; where the next one begins. */
  #take(bytes: Buffer): number {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    let at = 0;
    while (at + 5 <= bytes.length) {
      const kind = bytes[at]!;
      const next = at + 1 + view.getUint32(at + 1);
      if (kind === COPY_DATA) {
        if (next > bytes.length) break;
        this.#row(view, at + 5);
      } else if (kind !== COPY_OUT && kind !== NOTICE && kind !== PARAMETER) {
        // done, or failed: pg reads on
        this.detach();
        return kind === COPY_DONE ? next : at;
      } else if (next > bytes.length) break;
      at = next;
    }
    return at;
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
