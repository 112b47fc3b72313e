import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createHistoryProcess, type HistoryProcess } from '../../../src/apps/history-process.ts';
import { isRunning } from '../../../src/platform/processes.ts';
import { type RunningApi, silent, startApi } from '../../support/api.ts';
import { INHERITED } from '../../support/inherited.ts';
import { startTestServer, type TestServer } from '../../support/postgres.ts';

const SCRIPT = resolve('dist/src/apps/history-child.js');
const LONG_AGO = Date.UTC(2026, 2, 1);

let server: TestServer;
let url: string;
let api: RunningApi;
/** of the test: holds a lock that the history process waits for */
let holder: pg.Client;
let folder: string;
beforeAll(async () => {
  server = await startTestServer();
  url = await server.database();
  api = await startApi(url);
});
afterAll(async () => {
  await api?.stop();
  await server?.stop();
});
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fleetgate-history-'));
  holder = new pg.Client({ connectionString: url });
  await holder.connect();
  await holder.query('set search_path = fleetgate; truncate position, position_narrow, history_file');
  const positions = Array.from({ length: 20 }, (_, n) => ({
    imei: 'moved',
    fixTime: new Date(LONG_AGO + n * 60_000).toISOString(),
    valid: true,
    latitude: 45,
    longitude: 9,
    attributes: {},
  }));
  expect((await api.send('POST', '/v1/positions', { positions })).body).toMatchObject({ accepted: 20 });
  // they have been read by everybody
  await holder.query(`update position set server_time = server_time - interval '9 days'`);
});
afterEach(async () => {
  await holder.end();
  rmSync(folder, { recursive: true, force: true });
});

const environment = (): NodeJS.ProcessEnv => ({
  ...INHERITED,
  ROLE: 'api',
  LOG_LEVEL: 'silent',
  DATABASE_URL: url,
  DATA_DIR: folder,
  HISTORY_URL: join(folder, 'history'),
  HISTORY_SHARE: '100',
});
const create = (log = silent): HistoryProcess =>
  createHistoryProcess(log, { script: SCRIPT, environment: environment() });

const rowsLeft = async (): Promise<number> =>
  (await holder.query('select count(*)::int as n from position_all')).rows[0].n;

/** The history process stands still where it writes its manifest. */
async function hold(): Promise<void> {
  await holder.query('begin; lock table history_removal in exclusive mode');
}

/** Process id of the history process that waits for the lock. */
async function heldProcess(): Promise<number> {
  for (;;) {
    const { rows } = await holder.query(`select from pg_locks where not granted`);
    const pid = rows.length > 0 ? findProcess() : undefined;
    if (pid !== undefined) return pid;
  }
}

function findProcess(): number | undefined {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .find((pid) => {
      try {
        const isChild = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(SCRIPT);
        return isChild && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(folder);
      } catch {
        return false;
      }
    });
}

async function awaitEnd(pid: number): Promise<void> {
  while (isRunning(pid)) await new Promise(setImmediate);
}

test('what is old enough is in files when it has ended', async () => {
  await create().run();
  expect(await rowsLeft()).toBe(0);
  const { rows } = await holder.query('select path, positions::int as n from history_file');
  expect(rows).toEqual([{ path: expect.stringMatching(/day=2026-03-01/), n: 20 }]);
  expect(statSync(join(folder, 'history', rows[0].path)).size).toBeGreaterThan(0);
});

test.runIf(process.platform === 'linux')('all of its threads have the lowest priority', async () => {
  await hold();
  const history = create();
  const over = history.run();
  const pid = await heldProcess();
  const priorities = readdirSync(`/proc/${pid}/task`).map((thread) => {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16];
  });
  expect(new Set(priorities)).toEqual(new Set(['19']));
  await holder.query('rollback');
  await over;
  expect(await rowsLeft()).toBe(0);
});

test.runIf(process.platform === 'linux')('it ends at once when it is stopped, and positions stay rows', async () => {
  await hold();
  const history = create();
  const over = history.run();
  const pid = await heldProcess();
  history.stop();
  await over;
  expect(isRunning(pid)).toBe(false);
  await holder.query('rollback');
  expect(await rowsLeft()).toBe(20);
  await history.run();
  expect(await rowsLeft()).toBe(20);
});

test.runIf(process.platform === 'linux')('it ends when the API process is killed', async () => {
  await hold();
  const parent = spawn(process.execPath, [resolve('test/support/history-parent.mjs')], {
    env: environment(),
    stdio: 'ignore',
  });
  const pid = await heldProcess();
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  await awaitEnd(pid);
  await holder.query('rollback');
  expect(await rowsLeft()).toBe(20);
});

test('how it failed is in the log', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => lines.push(line) });
  const missing = createHistoryProcess(log, { script: join(folder, 'no-such-script.js'), environment: environment() });
  await missing.run();
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ code: 1, msg: expect.stringContaining('the history process has failed') }),
  ]);
});
