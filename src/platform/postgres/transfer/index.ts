import { rmSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Clock } from '../../clock.ts';
import { ArchiveError, type ArchiveRecord, createArchive, FORMAT, FORMAT_VERSION, readArchive } from './archive.ts';
import { openTransfer, type TransferStore } from './store.ts';

export { ArchiveError } from './archive.ts';

/** What made the tables, and can make them again elsewhere. */
export interface SchemaKeeper {
  /** names of the migrations that have been applied, in order; none in an empty database */
  applied(url: string): Promise<readonly string[]>;
  /** Applies the migrations up to the named one (undefined: all). */
  migrate(url: string, upTo: string | undefined): Promise<void>;
  /** the table, as schema.name, in which the applied ones are listed: it is made by migrating, not by importing */
  readonly ledger: string;
}

/** The target does not take the archive as things are; the message says why. */
export class TransferRefused extends Error {
  override readonly name = 'TransferRefused';
}

export interface Transferred {
  /** schema.name → rows */
  readonly rows: Readonly<Record<string, number>>;
  /** tables and sequences of the archive that the target's migrations do not make, and that were left out */
  readonly leftOut: readonly string[];
}

const key = (table: { readonly schema: string; readonly name: string }): string => `${table.schema}.${table.name}`;

/**
 * Writes every row of the database, as of one instant, to a new file. Readable by any later version, into any
 * PostgreSQL. Throws where the file exists; removes it where it could not be finished.
 */
export async function exportDatabase(
  url: string,
  path: string,
  schema: SchemaKeeper,
  clock: Clock,
  progress: (table: string) => void = () => undefined,
): Promise<Transferred> {
  const migrations = await schema.applied(url);
  const store = await openTransfer(url);
  try {
    const archive = await createArchive(path);
    try {
      await store.beginSnapshot();
      const at = new Date(clock.now()).toISOString();
      const postgres = await store.version();
      await archive.write({ record: 'archive', format: FORMAT, version: FORMAT_VERSION, at, postgres, migrations });
      const rows: Record<string, number> = {};
      for (const table of await store.tables()) {
        if (key(table) === schema.ledger) continue;
        progress(key(table));
        const { name, columns, partitions } = table;
        await archive.write({ record: 'table', schema: table.schema, name, columns, partitions });
        const source = store.copyOut(table);
        for await (const content of source as AsyncIterable<Buffer>) {
          await archive.write({ record: 'rows', bytes: content.length, content });
        }
        rows[key(table)] = source.rowCount;
      }
      for (const sequence of await store.sequences()) await archive.write({ record: 'sequence', ...sequence });
      await archive.write({ record: 'end', rows });
      await store.commit();
      await archive.close();
      return { rows, leftOut: [] };
    } catch (error) {
      archive.abandon();
      rmSync(path, { force: true });
      throw error;
    }
  } finally {
    await store.close();
  }
}

/**
 * Reads an archive into a database, all of it or nothing. Makes the tables as they were when it was exported, fills
 * them, then brings them up to this version. Throws ArchiveError, and TransferRefused where the target holds rows and
 * `force` is not given; with it they are replaced.
 */
export async function importDatabase(
  url: string,
  path: string,
  schema: SchemaKeeper,
  options: { readonly force: boolean; readonly progress?: (table: string) => void },
): Promise<Transferred> {
  const records = readArchive(path);
  const first = (await records.next()).value as ArchiveRecord & { record: 'archive' };
  await prepareSchema(url, first.migrations, schema, options.force);
  const store = await openTransfer(url);
  try {
    await store.begin();
    const result = await fill(store, records, schema, options.progress ?? (() => undefined));
    await store.commit();
    await store.analyze();
    await schema.migrate(url, undefined);
    return result;
  } finally {
    // Closing without a commit undoes all.
    await store.close();
    await records.return(undefined);
  }
}

async function prepareSchema(
  url: string,
  wanted: readonly string[],
  schema: SchemaKeeper,
  force: boolean,
): Promise<void> {
  const present = await schema.applied(url);
  if (!force) {
    const store = await openTransfer(url);
    try {
      for (const table of await store.tables()) {
        if (key(table) === schema.ledger || !(await store.hasRows(table))) continue;
        throw new TransferRefused(
          `The target is not empty (${key(table)} has rows). --force replaces all that it holds.`,
        );
      }
    } finally {
      await store.close();
    }
  }
  if (present.length <= wanted.length) await schema.migrate(url, wanted.at(-1));
  const now = await schema.applied(url);
  if (now.join() !== wanted.join()) {
    const detail =
      now.length > wanted.length
        ? 'newer than the archive; import into an empty database'
        : 'another than the archive has';
    throw new TransferRefused(`The target's tables are of a version ${detail}.`);
  }
}

async function fill(
  store: TransferStore,
  records: AsyncGenerator<ArchiveRecord>,
  schema: SchemaKeeper,
  progress: (table: string) => void,
): Promise<Transferred> {
  const tables = (await store.tables()).filter((table) => key(table) !== schema.ledger);
  const sequences = (await store.sequences()).map(key);
  await store.prepare(tables);
  const rows: Record<string, number> = {};
  const leftOut: string[] = [];
  let sink: TableSink | undefined;
  const finishTable = async (): Promise<void> => {
    if (sink !== undefined) rows[sink.name] = await sink.finish();
    sink = undefined;
  };
  for await (const record of records) {
    if (record.record === 'rows') {
      await sink?.write(record.content!);
      continue;
    }
    await finishTable();
    if (record.record === 'table') {
      progress(key(record));
      if (tables.some((table) => key(table) === key(record))) sink = await openTable(store, record);
      else leftOut.push(key(record));
    } else if (record.record === 'sequence') {
      if (sequences.includes(key(record))) await store.setSequence(record);
      else leftOut.push(key(record));
    } else if (record.record === 'end') {
      for (const [name, count] of Object.entries(record.rows)) {
        if (!leftOut.includes(name) && rows[name] !== count) {
          throw new ArchiveError(`${name}: ${rows[name]} of ${count} rows arrived`);
        }
      }
    }
  }
  await store.restoreTriggers(tables);
  return { rows, leftOut };
}

interface TableSink {
  readonly name: string;
  write(content: Buffer): Promise<void>;
  finish(): Promise<number>;
}

async function openTable(store: TransferStore, record: ArchiveRecord & { record: 'table' }): Promise<TableSink> {
  for (const partition of record.partitions) await store.makePartition(record.schema, record.name, partition);
  const stream: Writable & { readonly rowCount: number } = store.copyIn(record.schema, record.name, record.columns);
  const done = finished(stream);
  done.catch(() => undefined);
  return {
    name: key(record),
    write: async (content) => {
      if (!stream.write(content)) {
        await Promise.race([new Promise((resolve) => stream.once('drain', resolve)), done]);
      }
    },
    finish: async () => {
      stream.end();
      await done;
      return stream.rowCount;
    },
  };
}
