import type { Command } from 'commander';
import { loadConfig } from '../apps/config.ts';
import { systemClock } from '../platform/clock.ts';
import { DAY_MS } from '../platform/durations.ts';
import { createLog } from '../platform/log.ts';
import { type Database, openDatabase } from '../server/database/index.ts';
import type { History } from '../server/history/index.ts';
import { clockLimitsOf, knownLimitsOf } from '../server/ingest/settings.ts';
import { plainly, withDatabase } from './database.ts';
import { UsageError } from './usage.ts';

/** Loaded when it is asked for: no other command needs DuckDB. */
const loadHistory = () => import('../apps/history.ts');

export function register(program: Command): void {
  const history = program.command('history').description('positions of past days in Parquet files (docs/history.md)');
  history
    .command('status')
    .description('print what is in files and in rows, and how old the oldest row is, as JSON')
    .action(() => plainly(() => withHistory(status)));
  history
    .command('seal')
    .description('move positions to files')
    .requiredOption('--before <date>', 'first day (UTC) that stays in the database, YYYY-MM-DD')
    .option('--wait <seconds>', WAIT, '60')
    .option('--unread', UNREAD)
    .action(({ before, ...options }: { before: string } & SealOptions) =>
      plainly(() => withHistory((opened, database) => seal(opened, database, dayOf(before), options))),
    );
  history
    .command('narrow')
    .description('make narrow rows of the positions of past days now')
    .action(() => plainly(() => withHistory(narrow)));
  history
    .command('redecode')
    .description('show, or apply, what the decoder of this version changes in positions whose frames are kept')
    .requiredOption('--protocol <id>', 'protocol of the frames')
    .requiredOption('--from <date>', 'first day (UTC) on which they arrived, YYYY-MM-DD')
    .requiredOption('--to <date>', 'last day')
    .option('--apply', 'replace the positions that differ, and add those that are not stored')
    .option('--wait <seconds>', WAIT, '60')
    .option('--unread', UNREAD)
    .action((options: RedecodeOptions) => plainly(() => withHistory((opened, db) => redecode(opened, db, options))));
  history
    .command('compact')
    .description('move positions that arrived after their day had been moved into its files')
    .option('--wait <seconds>', WAIT, '60')
    .option('--unread', UNREAD)
    .action((options: SealOptions) => plainly(() => withHistory((opened, db) => compact(opened, db, options))));
  history
    .command('verify')
    .description('read all files and compare them with the manifest')
    .action(() => plainly(() => withHistory(verify)));
  history
    .command('query')
    .description('run a statement of DuckDB on the view `positions`; prints one JSON object per row')
    .argument('<sql>', 'statement that reads')
    .action((sql: string) => plainly(() => withHistory((opened) => query(opened, sql))));
}

const WAIT = 'time that rules and streams get to read what is stored, s';
const UNREAD = 'move also what they have not read: they will not read it';

interface SealOptions {
  readonly wait: string;
  readonly unread?: true;
}

interface RedecodeOptions extends SealOptions {
  readonly apply?: true;
  readonly protocol: string;
  readonly from: string;
  readonly to: string;
}

function dayOf(text: string, option = '--before'): number {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(day)) throw new UsageError(`${option}: ${text} is no date such as 2026-01-31`);
  return day;
}

async function withHistory(work: (history: History, database: Database) => Promise<void>): Promise<void> {
  const { openHistory } = await loadHistory();
  const config = loadConfig();
  await withDatabase('share', async (url) => {
    const log = createLog('history', 'fatal');
    const database = await openDatabase({ url, log });
    const history = openHistory(config, database, log);
    try {
      await work(history, database);
    } finally {
      await history.close();
      await database.close();
    }
  });
}

const instant = (epochMs: number | null | undefined): string | null =>
  epochMs === null || epochMs === undefined ? null : new Date(epochMs).toISOString();

async function narrow(history: History): Promise<void> {
  const { narrowRange } = await loadHistory();
  const positions = await history.narrow({
    ...narrowRange(loadConfig(), systemClock.now()),
    progress: ({ name }, moved, devices, of) => progress(`${name}  device ${devices} of ${of}  ${moved} positions`),
  });
  endProgress();
  if (positions === undefined) throw new UsageError('another process works on past positions; try again later');
  process.stdout.write(`${JSON.stringify({ positions })}\n`);
}

const each = ({ positions, bytes }: { readonly positions: number; readonly bytes: number }) => ({
  positions,
  bytes,
  bytesPerPosition: positions === 0 ? null : Number((bytes / positions).toFixed(1)),
});

async function status(history: History): Promise<void> {
  const { wide, narrow: narrowed } = await history.sizes();
  const { before } = (await loadHistory()).narrowRange(loadConfig(), systemClock.now());
  const oldestWide = await history.oldestWide(before);
  const { files, positions, bytes, firstAt, lastAt, oldestRow, frames } = await history.status();
  const bytesPerPosition = positions === 0 ? null : Number((bytes / positions).toFixed(1));
  const facts = { files, positions, bytes, bytesPerPosition, first: instant(firstAt), last: instant(lastAt) };
  const rows = { wide: each(wide), narrow: each(narrowed), oldestToNarrow: instant(oldestWide) };
  process.stdout.write(`${JSON.stringify({ ...facts, oldestRow: instant(oldestRow), rows, frames })}\n`);
}

async function redecode(history: History, database: Database, options: RedecodeOptions): Promise<void> {
  const { protocol, from, to } = options;
  const query = { protocol, from: dayOf(from, '--from'), to: dayOf(to, '--to') + DAY_MS };
  if (options.apply === true) return applyRedecoded(history, database, query, options);
  const { redecodeFrames } = await import('../apps/redecode.ts');
  const report = await redecodeFrames(database, history, query, (devices, of) =>
    progress(`device ${devices} of ${of}`),
  );
  endProgress();
  if (report === undefined) throw new UsageError(`--protocol: ${protocol} does not exist`);
  process.stdout.write(`${JSON.stringify(report)}\n`);
}

/** Rules and streams read positions by their keys: what they have not read yet would be missing for them. */
async function applyRedecoded(
  history: History,
  database: Database,
  query: { readonly protocol: string; readonly from: number; readonly to: number },
  options: RedecodeOptions,
): Promise<void> {
  const { applyFrames } = await import('../apps/redecode.ts');
  const { readByAll } = await loadHistory();
  const config = loadConfig();
  // what arrives from now on is decoded by the gateways
  const to = Math.min(query.to, systemClock.now());
  if (options.unread === undefined) await readersOf(database, options.wait);
  const report = await applyFrames(
    database,
    history,
    { ...query, to },
    {
      knownLimits: knownLimitsOf(config),
      clockLimits: clockLimitsOf(config),
      arrivedBefore: readByAll(systemClock.now()),
      progress: (devices, of) => progress(`device ${devices} of ${of}`),
      replaced: (day, positions) => progress(`${day}  ${positions} positions`),
    },
  );
  endProgress();
  if (report === undefined) throw new UsageError(`--protocol: ${query.protocol} does not exist`);
  if (report === 'busy') throw new UsageError('another process works on past positions; try again later');
  const { applied, ...rest } = report;
  const { positions, parts, failed } = applied;
  const done = { positions, days: parts, failed: failed.length };
  process.stdout.write(`${JSON.stringify({ ...rest, applied: done })}\n`);
  for (const { part, reason } of failed) process.stderr.write(`${part.day} of tenant ${part.tenantId}: ${reason}\n`);
  if (failed.length > 0) process.exitCode = 1;
}

async function seal(history: History, database: Database, before: number, options: SealOptions): Promise<void> {
  const writtenBefore = options.unread === true ? undefined : await readersOf(database, options.wait);
  let total = 0;
  const sealed = await history.seal({
    before,
    writtenBefore,
    progress({ tenantId, day }, positions) {
      total += positions;
      progress(`${day}  tenant ${tenantId}  ${total} positions`);
    },
  });
  endProgress();
  if (sealed === undefined) throw new UsageError('another process works on the files; try again later');
  const { positions, parts, failed } = sealed;
  process.stdout.write(`${JSON.stringify({ positions, files: parts, failed: failed.length })}\n`);
  for (const { part, reason } of failed) process.stderr.write(`${part.day} of tenant ${part.tenantId}: ${reason}\n`);
  if (failed.length > 0) process.exitCode = 1;
}

async function readersOf(database: Database, seconds: string): Promise<string> {
  const waitMs = Number(seconds) * 1_000;
  if (!(waitMs >= 0)) throw new UsageError(`--wait: ${seconds} is no number of seconds`);
  const { BehindError, waitForReaders } = await loadHistory();
  return waitForReaders(database, waitMs).catch((error: Error) => {
    throw error instanceof BehindError ? new UsageError(`${error.message}; try again later, or use --unread`) : error;
  });
}

/** The period with history files: all days up to the newest file. */
async function compact(history: History, database: Database, options: SealOptions): Promise<void> {
  const { lastAt } = await history.status();
  const before = lastAt === null ? 0 : (Math.floor(lastAt / DAY_MS) + 1) * DAY_MS;
  await seal(history, database, before, options);
}

async function verify(history: History): Promise<void> {
  let files = 0;
  const problems = await history.verify((path) => {
    files += 1;
    progress(`${files}  ${path}`);
  });
  endProgress();
  process.stdout.write(`${JSON.stringify({ files, problems })}\n`);
  if (problems.length > 0) process.exitCode = 1;
}

async function query(history: History, sql: string): Promise<void> {
  const { columns, rows } = await history.query(sql).catch((error: Error) => {
    throw new UsageError(error.message);
  });
  for (const row of rows) {
    const fields = Object.fromEntries(columns.map((name, i) => [name, row[i]]));
    process.stdout.write(`${JSON.stringify(fields)}\n`);
  }
}

function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
}

function endProgress(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
}
