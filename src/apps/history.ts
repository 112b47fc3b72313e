import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Gauge, type Registry } from 'prom-client';
import { systemClock } from '../platform/clock.ts';
import { DAY_MS, HOUR_MS } from '../platform/durations.ts';
import type { Log } from '../platform/log.ts';
import { createPollLoop, type PollLoop } from '../platform/poll-loop.ts';
import type { Samples } from '../platform/samples.ts';
import { type Database, isDatabaseAway, monthOf } from '../server/database/index.ts';
import {
  attachReader,
  createHistory,
  type DueRequest,
  type History,
  type NarrowRequest,
  type S3Settings,
  type Sealed,
  type SealedFrames,
  StoreError,
} from '../server/history/index.ts';
import type { HistoryConfig } from '../server/history/settings.ts';
import { listBehind, readEnd, readHead } from '../server/ingest/feed/index.ts';
import { createHistoryProcess } from './history-process.ts';

const POLL_MS = 250;
const FIRST_AFTER_MS = 5 * 60_000;
/** how long late positions of a day with a file stay rows */
const HOURS_APART = 20;
/** positions that arrived since then may be read again by their ids: the feed keeps a week */
const ARRIVED_DAYS = 8;

/** Adds the history files of this installation to the readers of positions. */
export function openHistory(config: HistoryConfig, database: Database, log: Log): History {
  const { HISTORY_URL: url = join(config.DATA_DIR, 'history') } = config;
  const history = createHistory({
    settings: {
      url: url.startsWith('file://') ? fileURLToPath(url) : url,
      workDir: join(config.DATA_DIR, 'history-work'),
      memoryMb: config.HISTORY_MEMORY_MB,
      cacheMb: config.HISTORY_CACHE_MB,
      threads: config.HISTORY_THREADS,
      partsAtOnce: config.HISTORY_PARTS_AT_ONCE,
      compression: config.HISTORY_COMPRESSION,
      s3: url.startsWith('s3://') ? s3Settings(config) : undefined,
    },
    database,
    clock: systemClock,
    log,
  });
  attachReader([database.app, database.streams, database.reports, database.ingest], history.reader);
  return history;
}

/** What a store of files on S3 is opened with. */
export type S3Config = Pick<
  HistoryConfig,
  | 'HISTORY_S3_ENDPOINT'
  | 'HISTORY_S3_PATH_STYLE'
  | 'HISTORY_S3_TIMEOUT_S'
  | 'AWS_REGION'
  | 'AWS_ACCESS_KEY_ID'
  | 'AWS_SECRET_ACCESS_KEY'
  | 'AWS_SESSION_TOKEN'
>;

export function s3Settings(config: S3Config): S3Settings {
  const { HISTORY_S3_ENDPOINT: endpoint, AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secret } = config;
  const { AWS_SESSION_TOKEN: sessionToken } = config;
  const isGiven = accessKeyId !== undefined && secret !== undefined;
  return {
    endpoint,
    pathStyle: config.HISTORY_S3_PATH_STYLE ?? endpoint !== undefined,
    region: config.AWS_REGION ?? (endpoint === undefined ? undefined : 'us-east-1'),
    credentials: isGiven
      ? { accessKeyId, secretAccessKey: secret, ...(sessionToken === undefined ? {} : { sessionToken }) }
      : undefined,
    timeoutMs: config.HISTORY_S3_TIMEOUT_S * 1_000,
  };
}

/** Rules and streams that have not read what was stored before a command. */
export class BehindError extends Error {
  override readonly name = 'BehindError';
}

/**
 * Waits until rules and streams have read all that is stored now: they read positions by their keys, as rows. Id of the
 * transaction before which everything has been read. Throws BehindError.
 */
export async function waitForReaders(database: Database, waitMs: number): Promise<string> {
  const stored = await readEnd(database.ingest);
  const end = systemClock.now() + waitMs;
  for (;;) {
    const behind = await listBehind(database.ingest, stored);
    // followers see what was stored once every transaction has ended that began before
    const head = await readHead(database.ingest);
    if (BigInt(head.xid) < BigInt(stored.xid)) behind.push('a transaction that still writes');
    if (behind.length === 0) return stored.xid;
    if (systemClock.now() >= end) throw new BehindError(`${behind.join(', ')}: not all positions have been read yet`);
    await wait(POLL_MS);
  }
}

/** Whether raw frames are moved to files: as positions, where every API process finds the files. */
export const movesFrames = (config: HistoryConfig): boolean =>
  config.RAW_HISTORY && config.RAW_RETENTION_DAYS > 0 && config.HISTORY_URL !== undefined;

/** Positions that arrived before this are no longer read by id. */
export const readByAll = (now: number): number => now - ARRIVED_DAYS * DAY_MS;

/** What is old enough to be moved, where this process moves it. */
function dueNow(config: HistoryConfig): DueRequest {
  const now = systemClock.now();
  const arrivedBefore = readByAll(now);
  const apart = { hoursApart: HOURS_APART, share: config.HISTORY_SHARE / 100 };
  // without it, other API processes on an external database may not find the files
  const isOn = config.HOT_DAYS > 0 && config.HISTORY_URL !== undefined;
  return {
    positions: isOn
      ? {
          ...apart,
          // a day is moved as a whole, after all of its positions have been read
          before: startOfDay(Math.min(now - config.HOT_DAYS * DAY_MS, arrivedBefore)),
          arrivedBefore,
        }
      : undefined,
    frames: movesFrames(config)
      ? { ...apart, before: startOfDay(now - config.RAW_RETENTION_DAYS * DAY_MS) }
      : undefined,
  };
}

/** Moves what is old enough to files: the work of the history process. */
export async function sealDue(history: History, config: HistoryConfig, log: Log): Promise<void> {
  const { positions, frames } = dueNow(config);
  try {
    if (frames !== undefined) reportFrames(await history.sealFrames(frames), log);
    if (positions !== undefined) reportPositions(await history.seal(positions), log);
  } catch (error) {
    reportFault(error as Error, log);
  }
}

/** Starts the history process once an hour, if anything is old enough to be moved. */
export function sealPeriodically(history: History, config: HistoryConfig, log: Log): PollLoop {
  const sealing = createHistoryProcess(log);
  const loop = createPollLoop({
    everyMs: HOUR_MS,
    firstAfterMs: FIRST_AFTER_MS,
    async round() {
      if (await history.isDue(dueNow(config))) await sealing.run();
      return false;
    },
    onError: (error) => reportFault(error, log),
  });
  return {
    ...loop,
    async stop() {
      sealing.stop();
      await loop.stop();
    },
  };
}

/** devices that sent yesterday's positions after midnight have them stored by then */
const NARROW_AFTER_MIDNIGHT_MS = 3 * HOUR_MS;
/** A rolling upgrade is over by then: API processes of the version before read wide rows only. */
const NARROW_AFTER_UPGRADE_HOURS = 24;

/** Which rows become narrow. By month where they stay for years: a table for each day would be too many. */
export function narrowRange(config: HistoryConfig, now: number): Pick<NarrowRequest, 'before' | 'by' | 'forms'> {
  const isMoved = config.HOT_DAYS > 0 && config.HISTORY_URL !== undefined;
  const day = startOfDay(now - NARROW_AFTER_MIDNIGHT_MS - (Math.max(1, config.NARROW_AFTER_DAYS) - 1) * DAY_MS);
  const forms = config.NARROW_FORMS;
  return isMoved ? { before: day, by: 'day', forms } : { before: monthOf(day).first, by: 'month', forms };
}

/** Makes rows of past days narrow, once an hour, if this process is the one that does. */
export function narrowPeriodically(history: History, config: HistoryConfig, log: Log): PollLoop {
  return createPollLoop({
    everyMs: HOUR_MS,
    firstAfterMs: 2 * FIRST_AFTER_MS,
    async round() {
      if (config.NARROW_AFTER_DAYS === 0) return false;
      const request = { ...narrowRange(config, systemClock.now()), hours: NARROW_AFTER_UPGRADE_HOURS };
      const positions = await history.narrow(request);
      if (positions !== undefined && positions > 0) log.info({ positions }, 'positions are narrow rows');
      return false;
    },
    onError(error) {
      if (isDatabaseAway(error)) log.warn({ reason: error.message }, 'narrow rows wait for the database');
      else log.error({ err: error }, 'positions could not become narrow rows');
    },
  });
}

export const startOfDay = (epochMs: number): number => Math.floor(epochMs / DAY_MS) * DAY_MS;

function reportPositions(sealed: Sealed | undefined, log: Log): void {
  if (sealed === undefined || sealed.parts + sealed.failed.length === 0) return;
  const { positions, parts, failed } = sealed;
  log.info({ positions, files: parts, failed: failed.length }, 'positions moved to files');
}

function reportFrames(sealed: SealedFrames | undefined, log: Log): void {
  if (sealed === undefined || sealed.parts + sealed.failed.length === 0) return;
  for (const { part, reason } of sealed.failed) log.warn({ ...part, reason }, 'raw frames stay rows');
  log.info({ frames: sealed.frames, files: sealed.parts }, 'raw frames moved to files');
}

function reportFault(error: Error, log: Log): void {
  if (error instanceof StoreError) log.warn({ err: error.cause }, 'the history waits for its store');
  else if (isDatabaseAway(error)) log.warn({ reason: error.message }, 'the history waits for the database');
  else log.error({ err: error }, 'positions could not be moved to files');
}

export function addHistoryMetrics(registry: Registry, history: History, config: HistoryConfig, samples: Samples): void {
  // three gauges of one scrape share a query
  const read = samples(() => history.status());
  const gauge = (
    name: string,
    help: string,
    value: (status: Awaited<ReturnType<History['status']>>) => number,
  ): void => {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const status = await read();
        if (status !== undefined) this.set(value(status));
      },
    });
  };
  gauge('fleetgate_history_positions', 'positions in history files', ({ positions }) => positions);
  gauge('fleetgate_history_bytes', 'size of the history files', ({ bytes }) => bytes);
  gauge('fleetgate_history_lag_days', 'days by which the oldest row is older than HOT_DAYS', ({ oldestRow }) =>
    oldestRow === undefined || config.HOT_DAYS === 0
      ? 0
      : Math.max(0, Math.floor((systemClock.now() - oldestRow) / DAY_MS) - config.HOT_DAYS),
  );
}
