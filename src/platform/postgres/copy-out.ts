import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';

/** A message: its kind, and its length with these four bytes (PostgreSQL, "Message Formats"). */
const HEADER = 5;
const COPY_DATA = 0x64;
/** what may stand before and between rows: CopyOutResponse, ParameterStatus, NoticeResponse, NotificationResponse */
const ASIDE: ReadonlySet<number> = new Set([0x48, 0x53, 0x4e, 0x41]);

/** bytes that are written at once */
const BLOCK = 1024 ** 2;

/**
 * What `copy … to stdout` sends, in large blocks: PostgreSQL sends 8 KB at a time, and a write of each cost more than all
 * else (decision 0025).
 *
 * The stream ends when the statement is over, so that `rowCount` is known then. If it is destroyed before, because a disk
 * is full, the rest of the rows is read and dropped, and the session goes on: pg-copy-streams waits for ever then.
 */
class CopyOut extends Readable implements pg.Submittable {
  rowCount = 0;
  readonly #sql: string;
  #connection: pg.Connection | undefined;
  /** of pg, which read the socket before and will afterwards */
  #listeners: ((chunk: Buffer) => void)[] = [];
  /** the first bytes of a header whose rest is in the next chunk */
  #header: Buffer = Buffer.alloc(0);
  /** bytes of the message that have not arrived */
  #left = 0;
  #isRow = false;
  #block = Buffer.allocUnsafeSlow(BLOCK);
  #filled = 0;

  constructor(sql: string) {
    super({ highWaterMark: BLOCK });
    this.#sql = sql;
  }

  submit(connection: pg.Connection): void {
    this.#connection = connection;
    const { stream } = connection;
    this.#listeners = stream.listeners('data') as ((chunk: Buffer) => void)[];
    stream.removeAllListeners('data').on('data', this.#onData);
    connection.query(this.#sql);
  }

  readonly #onData = (chunk: Buffer): void => {
    const data = this.#header.length === 0 ? chunk : Buffer.concat([this.#header, chunk]);
    this.#header = Buffer.alloc(0);
    let at = 0;
    while (at < data.length) {
      if (this.#left > 0) {
        const end = Math.min(at + this.#left, data.length);
        if (this.#isRow) this.#keep(data, at, end);
        this.#left -= end - at;
        at = end;
        continue;
      }
      const kind = data[at]!;
      if (kind !== COPY_DATA && !ASIDE.has(kind)) {
        this.#pass();
        this.#giveBack(data.subarray(at));
        return;
      }
      if (data.length - at < HEADER) {
        this.#header = data.subarray(at);
        return;
      }
      this.#isRow = kind === COPY_DATA;
      this.#left = data.readUInt32BE(at + 1) - 4;
      at += HEADER;
    }
  };

  #keep(data: Buffer, from: number, to: number): void {
    for (let at = from; at < to; ) {
      const copied = data.copy(this.#block, this.#filled, at, to);
      this.#filled += copied;
      at += copied;
      if (this.#filled === BLOCK) this.#pass();
    }
  }

  #pass(): void {
    const block = this.#block.subarray(0, this.#filled);
    this.#block = Buffer.allocUnsafeSlow(BLOCK);
    this.#filled = 0;
    if (block.length > 0 && !this.destroyed && !this.push(block)) this.#connection!.stream.pause();
  }

  /** The rows are over: pg reads what follows. */
  #giveBack(rest: Buffer): void {
    const { stream } = this.#connection!;
    this.#connection = undefined;
    stream.off('data', this.#onData);
    for (const listener of this.#listeners) {
      stream.on('data', listener);
      listener(rest);
    }
    // the last rows may have paused it
    stream.resume();
  }

  override _read(): void {
    this.#connection?.stream.resume();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#connection?.stream.resume();
    done(error);
  }

  // pg calls these

  handleError(error: Error): void {
    this.destroy(error);
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.rowCount = Number(/^COPY (\d+)/.exec(text)?.[1] ?? 0);
  }

  handleReadyForQuery(): void {
    if (!this.destroyed) this.push(null);
  }
}

/** Writes what `copy … to stdout` sends into a file that only this user can read. Number of rows. */
export async function copyToFile(client: pg.Client, sql: string, path: string): Promise<number> {
  const copy = client.query(new CopyOut(sql));
  await pipeline(copy, createWriteStream(path, { mode: 0o600 }));
  return copy.rowCount;
}
