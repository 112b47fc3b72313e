import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

/**
 * The archive of `db export`: a gzip stream of records. Each is a head line of JSON; the head of a chunk is followed by
 * as many bytes as it says, which are rows in PostgreSQL's COPY text format.
 *
 *     {"record":"archive","format":"fleetgate-export","version":1,…}
 *     {"record":"table","schema":"public","name":"device","columns":["id",…],"partitions":[…]}
 *     {"record":"rows","bytes":65536}⏎ …65536 bytes…
 *     {"record":"sequence","schema":"public","name":"device_seq","value":"42","called":true}
 *     {"record":"end","rows":{"public.device":12,…}}
 *
 * What has no `end` was cut short.
 */
export const FORMAT = 'fleetgate-export';
export const FORMAT_VERSION = 1;

export interface Partition {
  readonly name: string;
  /** e.g. FOR VALUES FROM (…) TO (…) */
  readonly bound: string;
}

export type ArchiveRecord =
  | {
      readonly record: 'archive';
      readonly format: string;
      readonly version: number;
      /** RFC 3339 */
      readonly at: string;
      readonly postgres: string;
      /** names of the migrations that made the tables, in order */
      readonly migrations: readonly string[];
    }
  | {
      readonly record: 'table';
      readonly schema: string;
      readonly name: string;
      readonly columns: readonly string[];
      readonly partitions: readonly Partition[];
    }
  | { readonly record: 'rows'; readonly bytes: number; readonly content?: Buffer }
  | {
      readonly record: 'sequence';
      readonly schema: string;
      readonly name: string;
      readonly value: string;
      readonly called: boolean;
    }
  | { readonly record: 'end'; readonly rows: Readonly<Record<string, number>> };

/** The file is no archive of ours, of another version, or cut short. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
}

export interface ArchiveWriter {
  write(record: ArchiveRecord): Promise<void>;
  /** Writes the file out and closes it. */
  close(): Promise<void>;
  /** Closes without completing the file; written data stay. */
  abandon(): void;
}

/** Writes an archive to a file that only its owner may read. Throws if the file exists. */
export async function createArchive(path: string): Promise<ArchiveWriter> {
  const file = createWriteStream(path, { mode: 0o600, flags: 'wx', flush: true });
  await once(file, 'open');
  return writeArchive(file);
}

/** Writes an archive to a stream. */
export function writeArchive(sink: Writable): ArchiveWriter {
  const gzip = createGzip({ level: 4 });
  const done = finished(gzip.pipe(sink));
  done.catch(() => undefined);
  gzip.on('error', (error: Error) => sink.destroy(error));
  const put = async (bytes: string | Buffer): Promise<void> => {
    if (!gzip.write(bytes)) await Promise.race([once(gzip, 'drain'), done]);
  };
  return {
    write: async (record) => {
      if (record.record !== 'rows') return put(`${JSON.stringify(record)}\n`);
      await put(`${JSON.stringify({ record: 'rows', bytes: record.content!.length })}\n`);
      await put(record.content!);
    },
    close: async () => {
      gzip.end();
      await done;
    },
    abandon: () => {
      gzip.destroy();
      sink.destroy();
    },
  };
}

const MAX_HEAD_BYTES = 16 * 1_048_576;

/** An archive that is read from elsewhere than a file; `name` stands in messages. */
export interface ArchiveSource {
  readonly name: string;
  open(): Readable;
}

/** The records of an archive, in order. Throws ArchiveError. */
export async function* readArchive(from: string | ArchiveSource): AsyncGenerator<ArchiveRecord> {
  const path = typeof from === 'string' ? from : from.name;
  const file = typeof from === 'string' ? createReadStream(from) : from.open();
  const gunzip = createGunzip();
  file.on('error', (error: Error) => gunzip.destroy(error));
  const source = new ByteSource(file.pipe(gunzip));
  let isFirst = true;
  try {
    for (;;) {
      const head = await source.line();
      if (head === undefined) throw new ArchiveError(`${path} was cut short`);
      const record = parseHead(head, path);
      if (isFirst) checkFormat(record, path);
      isFirst = false;
      yield record.record === 'rows' ? { ...record, content: await source.bytes(record.bytes) } : record;
      if (record.record === 'end') return;
    }
  } catch (error) {
    const code = (error as { code?: string }).code ?? '';
    if (code.startsWith('Z_')) throw new ArchiveError(`${path} is no archive, or a damaged one (${code})`);
    throw error;
  } finally {
    file.destroy();
    gunzip.destroy();
  }
}

function parseHead(head: string, path: string): ArchiveRecord {
  try {
    return JSON.parse(head) as ArchiveRecord;
  } catch {
    throw new ArchiveError(`${path} is no archive, or a damaged one`);
  }
}

function checkFormat(record: ArchiveRecord, path: string): void {
  if (record.record !== 'archive' || record.format !== FORMAT)
    throw new ArchiveError(`${path} is no archive of db export`);
  if (record.version !== FORMAT_VERSION) {
    throw new ArchiveError(
      `${path} is an archive of version ${record.version}; this Fleetgate reads ${FORMAT_VERSION}`,
    );
  }
}

/** Takes lines and counted bytes from a stream. */
class ByteSource {
  readonly #chunks: AsyncIterator<Buffer>;
  #held: Buffer = Buffer.alloc(0);

  constructor(stream: AsyncIterable<Buffer>) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  async line(): Promise<string | undefined> {
    for (;;) {
      const end = this.#held.indexOf(0x0a);
      if (end >= 0) {
        const line = this.#held.toString('utf8', 0, end);
        this.#held = this.#held.subarray(end + 1);
        return line;
      }
      if (this.#held.length > MAX_HEAD_BYTES) throw new ArchiveError('a header of the archive is too long');
      if (!(await this.#more())) return undefined;
    }
  }

  async bytes(count: number): Promise<Buffer> {
    if (!Number.isSafeInteger(count) || count < 0 || count > MAX_HEAD_BYTES) {
      throw new ArchiveError('the archive is damaged');
    }
    while (this.#held.length < count) if (!(await this.#more())) throw new ArchiveError('the archive was cut short');
    const bytes = this.#held.subarray(0, count);
    this.#held = this.#held.subarray(count);
    return bytes;
  }

  async #more(): Promise<boolean> {
    const { value, done } = await this.#chunks.next();
    if (done === true) return false;
    this.#held = this.#held.length === 0 ? value : Buffer.concat([this.#held, value]);
    return true;
  }
}
