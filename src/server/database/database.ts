import type pg from 'pg';
import { systemClock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { addressOf, type DatabaseAddress } from './hosts.ts';
import { type Listener, startListener } from './listener.ts';
import { explain, type Migrated, migrate, readFunctionFiles, readMigrationFiles } from './migrate.ts';
import { createClient, createPool, type ForeignTables } from './pool.ts';
import { createReadPool, createReplica, type Replica } from './replica.ts';
import { createRoutedPool } from './routed-pool.ts';
import { ping, readTenant } from './store.ts';

/** The way into PostgreSQL: never as the owner, who is above the policies. */
export interface Database {
  /** sees the rows of one tenant at a time, and of a restricted user's vehicles only; see queryAsTenant */
  readonly app: pg.Pool;
  /** sees all tenants: for reports of gateways, keys, maintenance */
  readonly ingest: pg.Pool;
  /** as `app`, for streams: its clients take one statement at a time, and are few; see copyAsTenant */
  readonly streams: pg.Pool;
  /** as `streams`, possibly of a replica: its data may be some seconds old. Nothing that is stored may be derived from them. */
  readonly reports: pg.Pool;
  readonly replica: Pick<Replica, 'lagMs' | 'compare'> | undefined;
  readonly listener: Listener;
  /** one connection of its own as `ingest`, not open yet: for locks that belong to a session */
  connection(name: string): pg.Client;
  /** a pool as `ingest` for a library's own tables; the caller ends it */
  foreignPool(name: string, max: number, tables: ForeignTables): pg.Pool;
  /** id of the tenant of this name, created if it does not exist */
  tenantId(name: string): Promise<number>;
  /** does the database answer, and in the version that this process knows? Throws otherwise. */
  check(): Promise<void>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly url: string;
  readonly log: Log;
  /** of a replica, and ms that it may be behind */
  readonly readUrl?: string | undefined;
  readonly readMaxLagMs?: number | undefined;
  readonly appConnections?: number;
  readonly ingestConnections?: number;
  readonly streamConnections?: number;
  readonly statementTimeoutMs?: number;
  /** what else the owner has to make; `role` is the group that `ingest` belongs to. Repeatable. */
  readonly prepare?: (owner: pg.Client, role: string) => Promise<void>;
}

/** A process that is frozen inside of a transaction keeps its locks, and with them the streams of gateways, so long. */
const IDLE_IN_TRANSACTION_MS = 15_000;

/** Migrates as the owner, closes the owner's connection and opens the pools. Throws MigrationError. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { log } = options;
  const database = addressOf(options.url, log);
  const migrations = readMigrationFiles();
  const owner = createClient({ database, name: 'migrations' });
  await owner.connect();
  let migrated: Migrated;
  try {
    migrated = await migrate(owner, migrations, readFunctionFiles());
    await options.prepare?.(owner, 'fleetgate_ingest').catch((error: unknown) => {
      throw explain(error);
    });
  } finally {
    await owner.end();
  }
  const { app, ingest, restricted, applied } = migrated;
  if (applied.length > 0) log.info({ applied }, 'database migrated');
  const { appConnections = 10, streamConnections = 4, statementTimeoutMs = 30_000 } = options;
  const common = { database, idleInTransactionMs: IDLE_IN_TRANSACTION_MS };
  const createRouted = (name: string, max: number, isPipelined: boolean, from = database): pg.Pool =>
    createRoutedPool((isRestricted) =>
      createPool(
        { ...common, database: from, ...(isRestricted ? restricted : app), name, max, statementTimeoutMs, isPipelined },
        log,
      ),
    );
  const pools = {
    app: createRouted('app', appConnections, true),
    streams: createRouted('streams', streamConnections, false),
    ingest: createPool(
      { ...common, ...ingest, name: 'ingest', max: options.ingestConnections ?? 6, statementTimeoutMs: 60_000 },
      log,
    ),
  };
  const listener = startListener(() => createClient({ database, ...ingest, name: 'listen' }), log);
  const reading = openReplica(options, pools, (from) => createRouted('reports', streamConnections, false, from));
  const newest = migrations.at(-1)!.version;
  return {
    ...pools,
    reports: reading?.pool ?? pools.streams,
    replica: reading?.replica,
    listener,
    connection: (name) => createClient({ database, ...ingest, name, receivesMuch: true }),
    foreignPool: (name, max, tables) => createPool({ database, ...ingest, name, max }, log, tables),
    tenantId: (name) => readTenant(pools.ingest, name),
    async check() {
      const version = await ping(pools.ingest);
      if (version !== newest) throw new Error(`the database is at migration ${version}, known is ${newest}`);
    },
    async close() {
      await listener.close();
      await reading?.close();
      await Promise.all(Object.values(pools).map((pool) => pool.end()));
    },
  };
}

const READ_MAX_LAG_MS = 10_000;

/** The pool for reports, of the replica while that is not too far behind. Undefined without one. */
function openReplica(
  { readUrl, readMaxLagMs = READ_MAX_LAG_MS, log }: DatabaseOptions,
  { ingest, streams }: Pick<Database, 'ingest' | 'streams'>,
  open: (from: DatabaseAddress) => pg.Pool,
) {
  if (readUrl === undefined) return undefined;
  const pool = open(addressOf(readUrl, log, 'any'));
  const replica = createReplica({
    primary: ingest,
    replica: pool,
    maxLagMs: readMaxLagMs,
    monotonic: systemClock.monotonic,
    log,
  });
  replica.start();
  return {
    replica,
    pool: createReadPool(streams, pool, () => replica.lagMs() <= readMaxLagMs),
    async close() {
      await replica.stop();
      await pool.end();
    },
  };
}
