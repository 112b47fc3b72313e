import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attachReader, createHistory, type History, type S3Settings, type Step } from '../../src/history/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import type { Database } from '../../src/platform/postgres/index.ts';
import { type RunningApi, silent, wrapApis } from './api.ts';

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
      memoryMb: 256,
      cacheMb: bucket?.cacheMb ?? 64,
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

/**
 * Every API of the test file moves what it has stored to files: `files`: all of it; `border`: the older half, again
 * after each request.
 */
export function onHistory(mode: 'files' | 'border', bucket?: () => InBucket): void {
  wrapApis((running) => withHistory(running, mode, bucket?.()));
}

function withHistory(running: RunningApi, mode: 'files' | 'border', bucket: InBucket | undefined): RunningApi {
  const history = startHistory(running.database, undefined, bucket);
  const move = async (): Promise<void> => {
    if (mode === 'files') await sealAll(history);
    else await sealAll(history, await middle(running.database));
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

async function middle(database: Database): Promise<number> {
  const { rows } = await database.ingest.query<{ time: number | null }>(
    'select percentile_disc(0.5) within group (order by time) as time from position',
  );
  return rows[0]?.time ?? 0;
}

/** Of a list of positions in several requests, the last one. */
const isLastBatch = ([, path, body]: Parameters<RunningApi['send']>): boolean =>
  path === '/v1/positions' && ((body as { positions?: unknown[] }).positions?.length ?? 0) < 1_000;
