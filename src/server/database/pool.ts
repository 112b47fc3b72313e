import { Socket } from 'node:net';
import pg from 'pg';
import { AppError } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import { restrictedUser } from '../../platform/restriction.ts';
import { type Binder, bindLargeValues } from './bind.ts';
import { hostClientOf } from './host-client.ts';
import type { DatabaseAddress } from './hosts.ts';
import { ReceivingSocket } from './receiving-socket.ts';
import { waitWhileBusy } from './wait-while-busy.ts';

export interface PoolOptions {
  readonly database: DatabaseAddress;
  /** in place of the URL's */
  readonly user?: string;
  readonly password?: string;
  readonly max: number;
  readonly name: string;
  /** ms that one statement may take; 0: no limit */
  readonly statementTimeoutMs?: number;
  /** ms after which PostgreSQL ends a session that does nothing inside a transaction; none: never */
  readonly idleInTransactionMs?: number;
  /** false: one statement at a time, as COPY must have it */
  readonly isPipelined?: boolean;
  /** much is received through it, see ReceivingSocket */
  readonly receivesMuch?: boolean;
}

/** For a library that brings its own tables: values as pg gives them, nothing pipelined. */
export interface ForeignTables {
  readonly schema: string;
  /** further settings of each session, as `name=value` */
  readonly settings: readonly string[];
}

const INT8 = 20;
const TIMESTAMPTZ = 1184;

/** Counts and ids stay far below 2^53; times are epoch ms inside and text only at the edges. */
const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (format !== 'binary' && oid === INT8) return Number;
    if (format !== 'binary' && oid === TIMESTAMPTZ) return parseTimestamp;
    return pg.types.getTypeParser(oid, format as 'text');
  }) as typeof pg.types.getTypeParser,
};

/** `2026-01-31 12:00:00.5+00` (sessions run in UTC) → epoch ms. PostgreSQL's year 1 BC is RFC 3339's year 0. */
export function parseTimestamp(text: string): number {
  const [date = '', time = '', era] = text.split(' ');
  return Date.parse(`${era === undefined ? date : `0000${date.slice(4)}`}T${time.replace(/\+00$/, 'Z')}`);
}

/** Epoch ms of the years 0 to 9999, as PostgreSQL reads it. */
export function formatTimestamp(epochMs: number): string {
  const text = new Date(epochMs).toISOString();
  return text.startsWith('0000') ? `0001${text.slice(4)} BC` : text;
}

/**
 * A pool whose clients survive the death of the database: each has an error listener until it is closed, not only
 * while idle. Clients pipeline by default: queries sent without waiting share a round trip.
 */
export function createPool(options: PoolOptions, log: Log, foreign?: ForeignTables): pg.Pool {
  const { types, options: settings, ...ours } = connection(options);
  const pool = new pg.Pool({
    ...ours,
    ...(options.database.hosts === undefined ? {} : { Client: hostClientOf(options.database.hosts) }),
    ...(foreign === undefined ? { types, options: settings } : { options: settingsOf(foreign) }),
    max: options.max,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: 60_000,
    pipeline: foreign === undefined && (options.isPipelined ?? true),
    // awaited, though its type does not say so
    ...(options.isPipelined === false ? { onConnect: noticeCuts as (client: pg.ClientBase) => void } : {}),
  } as pg.PoolConfig);
  pool.on('error', (error) => log.warn({ err: error.message, pool: options.name }, 'idle database connection lost'));
  pool.on('connect', (client) => {
    client.on('error', () => {});
    writeTogether(client);
    bindLargeValues(client.connection as pg.Connection & Binder);
  });
  waitWhileBusy(pool, MAX_WAITS);
  return pool;
}

/** a database that answers no client for this time is down; for a busy one clients wait up to MAX_WAITS times as long */
const CONNECT_MS = 5_000;
const MAX_WAITS = 6;

const NOTICE_MS = 500;

/**
 * A long statement whose connection was lost is cancelled soon, also while it sends nothing. Not every system
 * supports this (Windows does not); there it ends when it next sends something.
 */
async function noticeCuts(client: pg.ClientBase): Promise<void> {
  await client.query(`set client_connection_check_interval = ${NOTICE_MS}`).catch(() => {});
}

/** Queries of one event-loop iteration leave in one write: a system call costs more than most of these statements. */
function writeTogether(client: pg.PoolClient): void {
  const { stream } = client.connection;
  const query = client.query as (...args: unknown[]) => unknown;
  let isHeld = false;
  const together = function (this: unknown, ...args: unknown[]): unknown {
    if (!isHeld) {
      isHeld = true;
      stream.cork();
      process.nextTick(() => {
        isHeld = false;
        stream.uncork();
      });
    }
    return query.apply(client, args);
  };
  client.query = together as typeof client.query;
}

const settingsOf = ({ schema, settings }: ForeignTables): string =>
  [`search_path=${schema}`, ...settings].map((setting) => `-c ${setting}`).join(' ');

/** A single connection, for LISTEN, for migrations and for locks of a session. */
export function createClient(options: Omit<PoolOptions, 'max'>): pg.Client {
  const { hosts } = options.database;
  const Client = hosts === undefined ? pg.Client : hostClientOf(hosts);
  // TLS has buffers of its own
  const stream = (config?: pg.ClientConfig): Socket =>
    options.receivesMuch === true && !config?.ssl ? new ReceivingSocket() : new Socket();
  const client = new Client({ ...connection(options), stream });
  client.on('error', () => {});
  return client;
}

/** What a machine that has vanished had locked is free after 25 s, not after the two hours of most systems. */
const KEEPALIVES = '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3';

function connection(options: Omit<PoolOptions, 'max'>): pg.ClientConfig {
  const url = new URL(options.database.url);
  // as parameters they take precedence over the URL, which has no user if it names a socket
  if (options.user !== undefined) url.searchParams.set('user', options.user);
  if (options.password !== undefined) url.searchParams.set('password', options.password);
  return {
    connectionString: url.href,
    types: typeParsers,
    application_name: `fleetgate ${options.name}`,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    options: `-c search_path=fleetgate -c TimeZone=UTC -c DateStyle=ISO -c jit=off ${KEEPALIVES}`,
    ...(options.statementTimeoutMs ? { statement_timeout: options.statementTimeoutMs } : {}),
    ...(options.idleInTransactionMs ? { idle_in_transaction_session_timeout: options.idleInTransactionMs } : {}),
  };
}

const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOTFOUND']);
/** connection exceptions, resources, operator intervention, read-only standby, sessions that were idle too long */
const SQLSTATE_AWAY = /^(08|53|57P|25006|25P0[34])/;
const WORDS =
  /Connection terminated|not queryable|timeout exceeded when trying to connect|Client was closed|pool after calling end/;

/** Is the database away, rather than the statement wrong? */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AppError) return error.code === 'unavailable';
  const { code, syscall } = error as { code?: string; syscall?: string };
  if (code !== undefined && (NETWORK.has(code) || SQLSTATE_AWAY.test(code))) return true;
  // a socket in a folder; of other calls it is a file
  if (code === 'ENOENT' && syscall === 'connect') return true;
  return WORDS.test(error.message);
}

/** The row itself is refused: its values (class 22) or a constraint (23); not the connection, not the statement. */
export function isRowRefused(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^(22|23|54)/.test(code);
}

/** Worth trying again at once: deadlock, serialisation. */
export function isTransient(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return code === '40P01' || code === '40001';
}

/** The caller gets a 503 while the database is unavailable; other errors are bugs and are passed on as they are. */
export function asAppError(error: unknown): unknown {
  if (error instanceof AppError) return error;
  if (isDatabaseAway(error)) return new AppError('unavailable', 'The database is not reachable');
  // policies refuse the row; without a restricted user that is a bug
  const isRefused = (error as { code?: unknown } | null)?.code === '42501' && restrictedUser() !== undefined;
  return isRefused ? new AppError('missing-scope', 'Only a user of all vehicles may write this') : error;
}
