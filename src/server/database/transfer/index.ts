import { rmSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Clock } from '../../../platform/clock.ts';
import {
  ArchiveError,
  type ArchiveRecord,
  type ArchiveSource,
  type ArchiveWriter,
  createArchive,
  FORMAT,
  FORMAT_VERSION,
  readArchive,
  writeArchive,
} from './archive.ts';
import { openTransfer, type TableFacts, type TransferStore } from './store.ts';

export { ArchiveError, type ArchiveSource } from './archive.ts';

/** The migrations, as export and import need them. */
export interface SchemaMigrations {
  /** names of the migrations that have been applied, in order; none in an empty database */
  applied(url: string): Promise<readonly string[]>;
  /** Applies the migrations up to the named one (undefined: all). */
  migrate(url: string, upTo: string | undefined): Promise<void>;
  /** the table, as schema.name, in which the applied ones are listed: it is made by migrating, not by importing */
  readonly ledger: string;
}

/** The target cannot take the archive; the message states the reason. */
export class TransferRefused extends Error {
  override readonly name = 'TransferRefused';
}

export interface Transferred {
  /** schema.name → rows */
  readonly rows: Readonly<Record<string, number>>;
  /** tables and sequences of the archive that the target's migrations do not make, and that were left out */
  readonly leftOut: readonly string[];
  /** of an export: files of past positions (docs/history.md) that belong to the snapshot, relative to HISTORY_URL */
  readonly files?: readonly string[];
}

const key = (table: { readonly schema: string; readonly name: string }): string => `${table.schema}.${table.name}`;

/**
 * Writes every row of the database, as of one instant, to a new file or a stream. Readable by any later version, into any
 * PostgreSQL. Throws if the file exists; removes it where it could not be finished.
 */
export async function exportDatabase(
  url: string,
  to: string | Writable,
  schema: SchemaMigrations,
  clock: Clock,
  progress: (table: string) => void = () => undefined,
): Promise<Transferred> {
  const migrations = await schema.applied(url);
  if (migrations.length === 0) throw new TransferRefused('There is nothing to export: the database has no tables yet.');
  const store = await openTransfer(url);
  try {
    const archive = typeof to === 'string' ? await createArchive(to) : writeArchive(to);
    const tables = (await store.tables()).filter((table) => key(table) !== schema.ledger);
    try {
      await store.openPolicies(tables);
      await store.beginSnapshot();
      const at = new Date(clock.now()).toISOString();
      const postgres = await store.version();
      await archive.write({ record: 'archive', format: FORMAT, version: FORMAT_VERSION, at, postgres, migrations });
      const rows = await writeTables(store, archive, tables, progress);
      const files = await store.historyFiles();
      await store.commit();
      await archive.close();
      return { rows, leftOut: [], files };
    } catch (error) {
      archive.abandon();
      if (typeof to === 'string') rmSync(to, { force: true });
      await store.rollback();
      throw error;
    } finally {
      await store.closePolicies(tables);
    }
  } finally {
    await store.close();
  }
}

async function writeTables(
  store: TransferStore,
  archive: ArchiveWriter,
  tables: readonly TableFacts[],
  progress: (table: string) => void,
): Promise<Record<string, number>> {
  const rows: Record<string, number> = {};
  for (const table of tables) {
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
  return rows;
}

/**
 * Reads an archive into a database, all of it or nothing. Makes the tables as they were when it was exported, fills
 * them, then brings them up to this version. Throws ArchiveError, and TransferRefused if the target holds rows and
 * `force` is not given; with it they are replaced.
 */
export async function importDatabase(
  url: string,
  from: string | ArchiveSource,
  schema: SchemaMigrations,
  options: { readonly force: boolean; readonly progress?: (table: string) => void },
): Promise<Transferred> {
  const records = readArchive(from);
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
    // Closing without a commit rolls back.
    await store.close();
    await records.return(undefined);
  }
}

async function prepareSchema(
  url: string,
  wanted: readonly string[],
  schema: SchemaMigrations,
  force: boolean,
): Promise<void> {
  const present = await schema.applied(url);
  if (!force) await refuseRows(url, schema);
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

async function refuseRows(url: string, schema: SchemaMigrations): Promise<void> {
  const store = await openTransfer(url);
  const tables = (await store.tables()).filter((table) => key(table) !== schema.ledger);
  try {
    await store.openPolicies(tables);
    for (const table of tables) {
      if (!(await store.hasRows(table))) continue;
      throw new TransferRefused(
        `The target is not empty (${key(table)} has rows). --force replaces all that it holds.`,
      );
    }
  } finally {
    await store.closePolicies(tables);
    await store.close();
  }
}

async function fill(
  store: TransferStore,
  records: AsyncGenerator<ArchiveRecord>,
  schema: SchemaMigrations,
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
      const table = tables.find((candidate) => key(candidate) === key(record));
      if (table !== undefined) sink = await openTable(store, table, record);
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
  await store.restore(tables);
  return { rows, leftOut };
}

interface TableSink {
  readonly name: string;
  write(content: Buffer): Promise<void>;
  finish(): Promise<number>;
}

async function openTable(
  store: TransferStore,
  table: TableFacts,
  record: ArchiveRecord & { record: 'table' },
): Promise<TableSink> {
  for (const partition of record.partitions) await store.makePartition(table, partition);
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
