import { type FileHandle, open } from 'node:fs/promises';
import type { Duplex } from 'node:stream';
import type pg from 'pg';
import { ReceivingSocket } from './receiving-socket.ts';

/** A message: its kind, and its length with these four bytes (PostgreSQL, "Message Formats"). */
const HEADER = 5;
const COPY_DATA = 0x64;
/** what may stand before and between rows: CopyOutResponse, ParameterStatus, NoticeResponse, NotificationResponse */
const ASIDE: ReadonlySet<number> = new Set([0x48, 0x53, 0x4e, 0x41]);

/** bytes that are written at once */
const BLOCK = 1024 ** 2;
const NONE = Buffer.alloc(0);

/** Takes whole rows. They are its own until the promise resolves. */
export type WriteRows = (rows: Buffer) => Promise<void>;

/**
 * Passes on what `copy … to stdout` sends, in large blocks: PostgreSQL sends 8 KB at a time, and a write of each cost more than
 * all else (decision 0025). One block is filled while the other is written: allocating memory for what passes through
 * costs more than receiving it, since V8 looks for garbage after some megabytes (decision 0027).
 *
 * If they cannot be written, because a disk is full, the rest of the rows is read and dropped, and the session goes on:
 * pg-copy-streams waits for ever then.
 */
class CopyOut implements pg.Submittable {
  /** rows, once the statement is over and all of them are written */
  readonly done: Promise<number>;
  #resolve: (rows: number) => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;
  readonly #sql: string;
  readonly #write: WriteRows;
  #connection: pg.Connection | undefined;
  /** of pg, which read the socket before and will afterwards */
  #listeners: ((chunk: Buffer) => void)[] = [];
  /** the first bytes of a header whose rest is in the next chunk */
  #header = NONE;
  /** bytes of the message that have not arrived */
  #left = 0;
  #isRow = false;
  #block = Buffer.allocUnsafeSlow(2 * BLOCK);
  #other = Buffer.allocUnsafeSlow(2 * BLOCK);
  #filled = 0;
  /** up to the end of the last row that is whole */
  #whole = 0;
  /** of `#other`, while it is written */
  #writing: Promise<void> | undefined;
  #fault: Error | undefined;
  #rows = 0;

  constructor(sql: string, write: WriteRows) {
    this.#sql = sql;
    this.#write = write;
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  submit(connection: pg.Connection): void {
    this.#connection = connection;
    const { stream } = connection;
    this.#listeners = stream.listeners('data') as ((chunk: Buffer) => void)[];
    stream.removeAllListeners('data').on('data', this.#onData);
    lend(stream, true);
    connection.query(this.#sql);
  }

  /** The chunk is ours until this returns. */
  readonly #onData = (chunk: Buffer): void => {
    const data = this.#header.length === 0 ? chunk : Buffer.concat([this.#header, chunk]);
    this.#header = NONE;
    let at = 0;
    while (at < data.length) {
      if (this.#left > 0) {
        const end = Math.min(at + this.#left, data.length);
        if (this.#isRow) this.#keep(data, at, end);
        this.#left -= end - at;
        if (this.#left === 0) this.#whole = this.#filled;
        at = end;
        continue;
      }
      const kind = data[at]!;
      if (kind !== COPY_DATA && !ASIDE.has(kind)) {
        this.#giveBack(Buffer.from(data.subarray(at)));
        return;
      }
      if (data.length - at < HEADER) {
        this.#header = Buffer.from(data.subarray(at));
        break;
      }
      this.#isRow = kind === COPY_DATA;
      this.#left = data.readUInt32BE(at + 1) - 4;
      at += HEADER;
    }
    if (this.#filled >= BLOCK) this.#pass();
  };

  #keep(data: Buffer, from: number, to: number): void {
    if (this.#fault !== undefined) return;
    // a paused socket may have more to give than there is room for, and copy() would drop it without a word
    if (this.#filled + to - from > this.#block.length) {
      const larger = Buffer.allocUnsafeSlow(2 * (this.#filled + to - from));
      this.#block.copy(larger, 0, 0, this.#filled);
      this.#block = larger;
    }
    this.#filled += data.copy(this.#block, this.#filled, from, to);
  }

  /** Writes what there is, or as soon as the block before it is written. */
  #pass(): void {
    if (this.#writing !== undefined) {
      this.#connection?.stream.pause();
      return;
    }
    // a row that is larger than a block
    if (this.#whole === 0) return;
    const rows = this.#block.subarray(0, this.#whole);
    const begun = this.#block.subarray(this.#whole, this.#filled);
    if (begun.length > this.#other.length) this.#other = Buffer.allocUnsafeSlow(2 * begun.length);
    begun.copy(this.#other);
    [this.#block, this.#other, this.#filled, this.#whole] = [this.#other, this.#block, begun.length, 0];
    this.#writing = this.#write(rows)
      .catch((error: Error) => {
        this.#fault = error;
        this.#filled = this.#whole = 0;
      })
      .finally(() => {
        this.#writing = undefined;
        if (this.#filled >= BLOCK) this.#pass();
        this.#connection?.stream.resume();
      });
  }

  /** The rows are over: pg reads what follows. */
  #giveBack(rest: Buffer): void {
    const { stream } = this.#connection!;
    this.#connection = undefined;
    stream.off('data', this.#onData);
    lend(stream, false);
    for (const listener of this.#listeners) {
      stream.on('data', listener);
      listener(rest);
    }
    // the last rows may have paused it
    stream.resume();
  }

  // pg calls these

  handleError(error: Error): void {
    this.#reject(error);
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#rows = Number(/^COPY (\d+)/.exec(text)?.[1] ?? 0);
  }

  handleReadyForQuery(): void {
    void this.#end();
  }

  async #end(): Promise<void> {
    while (this.#writing !== undefined || this.#filled > 0) {
      if (this.#writing === undefined) this.#pass();
      await this.#writing;
    }
    if (this.#fault === undefined) this.#resolve(this.#rows);
    else this.#reject(this.#fault);
  }
}

/** Whether the chunks of a socket are read at once, so that they need not be copies. */
function lend(stream: Duplex, isRead: boolean): void {
  if (stream instanceof ReceivingSocket) stream.lends = isRead;
}

/** Writes what `copy … to stdout` sends into a file that only this user can read. Number of rows. */
export async function copyToFile(client: pg.Client, sql: string, path: string): Promise<number> {
  return withFile(path, (file) => copyOut(client, sql, (rows) => file.appendFile(rows)));
}

/** Passes on what `copy … to stdout` sends. Number of rows. */
export const copyOut = (client: pg.Client, sql: string, write: WriteRows): Promise<number> =>
  client.query(new CopyOut(sql, write)).done;

/** A new file that only this user can read. */
export async function withFile<T>(path: string, work: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, 'w', 0o600);
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}
