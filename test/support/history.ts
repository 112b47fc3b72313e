import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/platform/clock.ts';
import type { Database } from '../../src/server/database/index.ts';
import {
  attachReader,
  createHistory,
  type History,
  type S3Settings,
  type Step,
} from '../../src/server/history/index.ts';
import { type RunningApi, silent, wrapApis } from './api.ts';
import { HISTORY_OPTIONS } from './history-options.mjs';

export interface TestHistory extends History {
  readonly folder: string;
  readonly workDir: string;
  stop(): Promise<void>;
}

/** A bucket instead of a folder. */
export interface InBucket {
  readonly url: string;
  readonly settings: S3Settings;
  readonly cacheMb?: number;
}

/** Files of a test's own; what reads positions of this database reads them too. */
export function startHistory(
  database: Database,
  at?: (step: Step) => Promise<void> | void,
  bucket?: InBucket,
): TestHistory {
  const folder = mkdtempSync(join(tmpdir(), 'fleetgate-history-'));
  const history = createHistory({
    settings: {
      url: bucket?.url ?? join(folder, 'files'),
      workDir: join(folder, 'work'),
      ...HISTORY_OPTIONS,
      cacheMb: bucket?.cacheMb ?? HISTORY_OPTIONS.cacheMb,
      s3: bucket?.settings,
    },
    database,
    clock: systemClock,
    log: silent,
    at,
  });
  attachReader([database.app, database.streams, database.ingest], history.reader);
  return {
    ...history,
    folder: join(folder, 'files'),
    workDir: join(folder, 'work'),
    async stop() {
      await history.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Moves everything that is stored: it is old enough. */
export async function sealAll(history: History, before = systemClock.now() + 400 * 86_400_000) {
  const sealed = await history.seal({ before });
  if (sealed === undefined || sealed.failed.length > 0) throw new Error(JSON.stringify(sealed));
  return sealed;
}

const DAY_MS = 86_400_000;

/** Makes narrow rows of everything that is stored. */
export async function narrowAll(
  history: History,
  before = systemClock.now() + 400 * DAY_MS,
  by: 'day' | 'month' = 'day',
) {
  const moved = await history.narrow({ before, by, forms: 100 });
  if (moved === undefined) throw new Error('another process moves rows');
  return moved;
}

type HistoryMode = 'files' | 'border' | 'narrow' | 'half' | 'three';

/**
 * Every API of the test file moves what it has stored, again after each request, to files: `files`: all of it; `border`:
 * the older half; or to narrow rows: `narrow`: all of it; `half`: the older days; `three`: and the older half to files.
 */
export function onHistory(mode: HistoryMode, bucket?: () => InBucket): void {
  wrapApis((running) => withHistory(running, mode, bucket?.()));
}

function withHistory(running: RunningApi, mode: HistoryMode, bucket: InBucket | undefined): RunningApi {
  const history = startHistory(running.database, undefined, bucket);
  const move = async (): Promise<void> => {
    if (mode === 'narrow' || mode === 'three') await narrowAll(history);
    if (mode === 'three') await sealAll(history, await middle(running.database, 'position_all'));
    if (mode === 'files') await sealAll(history);
    if (mode === 'border') await sealAll(history, await middle(running.database));
    if (mode === 'half') await narrowAll(history, Math.floor((await middle(running.database)) / DAY_MS) * DAY_MS);
  };
  const moving = async <T>(work: Promise<T>): Promise<T> => {
    const answer = await work;
    await move();
    return answer;
  };
  return {
    ...running,
    events: (...given) => moving(running.events(...given)),
    send: (...given) => (isLastBatch(given) ? moving(running.send(...given)) : running.send(...given)),
    async stop() {
      await history.stop();
      await running.stop();
    },
  };
}

async function middle(database: Database, table: 'position' | 'position_all' = 'position'): Promise<number> {
  const { rows } = await database.ingest.query<{ time: number | null }>(
    `select percentile_disc(0.5) within group (order by time) as time from ${table}`,
  );
  return rows[0]?.time ?? 0;
}

/** Of a list of positions in several requests, the last one. */
const isLastBatch = ([, path, body]: Parameters<RunningApi['send']>): boolean =>
  path === '/v1/positions' && ((body as { positions?: unknown[] }).positions?.length ?? 0) < 1_000;
