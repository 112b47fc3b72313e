import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '../../../src/platform/log.ts';
import { type Database, openDatabase, writableUrl } from '../../../src/server/database/index.ts';
import { type PostgresPair, startPostgresPair } from '../../support/postgres-pair.ts';

const log = createLog('test', 'silent');
const MAX_LAG_MS = 2_000;
let pair: PostgresPair;
let database: Database;

beforeAll(async () => {
  pair = await startPostgresPair();
  await pair.follows();
  const { primary, standby } = pair;
  database = await openDatabase({ url: primary.url, log, readUrl: standby.url, readMaxLagMs: MAX_LAG_MS });
}, 300_000);
afterAll(async () => {
  await database?.close();
  await pair?.stop();
});

/** Resolves when reports are read from the standby, or from the primary. */
async function reportsFrom(isStandby: boolean): Promise<void> {
  for (;;) {
    // a connection to the server that has just been killed fails once
    const found = await database.reports
      .query<{ is: boolean }>('select pg_is_in_recovery() as is')
      .catch(() => undefined);
    if (found?.rows[0]?.is === isStandby) return;
    await sleep(100);
  }
}

test('the host that can be written to is found, in any order', async () => {
  const { primary, standby } = pair;
  const login = new URL(primary.url);
  const hosts = [`127.0.0.1:1`, `127.0.0.1:${standby.port}`, `127.0.0.1:${primary.port}`];
  const url = `postgresql://${login.username}:${login.password}@${hosts.join(',')}/fleetgate`;
  expect(new URL(await writableUrl(url, log)).port).toBe(String(primary.port));
  await expect(writableUrl(`${standby.url}?target_session_attrs=read-write`, log)).rejects.toThrow('is a standby');
});

test('reports are read from the standby, except while it is too far behind', { timeout: 120_000 }, async () => {
  await reportsFrom(true);
  expect(database.replica!.lagMs()).toBeLessThan(MAX_LAG_MS);
  // the standby still receives, and applies nothing
  await pair.standby.query('select pg_wal_replay_pause()');
  await pair.primary.query('create table public.written_meanwhile ()');
  await reportsFrom(false);
  expect(database.replica!.lagMs()).toBeGreaterThan(MAX_LAG_MS);
  await pair.standby.query('select pg_wal_replay_resume()');
  await reportsFrom(true);
});

test('reports are read from the primary while the standby is gone', { timeout: 120_000 }, async () => {
  await pair.standby.kill();
  // at once, and not only when it is noticed that the standby is behind
  await reportsFrom(false);
  await pair.standby.start();
  await reportsFrom(true);
});

test('a process that was given all hosts follows the primary', { timeout: 120_000 }, async () => {
  const { pathname } = new URL(pair.primary.url);
  const own = await openDatabase({ url: pair.url.replace('/fleetgate?', `${pathname}?`), log });
  /** Resolves when a notification comes, which is repeated until then. */
  const notified = async (channel: string): Promise<void> => {
    const heard = new Promise<void>((resolve) => own.listener.on(channel, () => resolve()));
    const timer = setInterval(() => void own.ingest.query(`select pg_notify('${channel}', '')`).catch(() => {}), 200);
    await heard;
    clearInterval(timer);
  };
  await notified('fleetgate_test');
  const missed = new Promise<void>((resolve) => own.listener.onGap(resolve));
  await pair.primary.kill();
  await pair.standby.query('select pg_promote()');
  const isThere = (): Promise<boolean> =>
    own.check().then(
      () => true,
      () => false,
    );
  while (!(await isThere())) await sleep(100);
  // notifications come from the new primary
  await missed;
  await notified('fleetgate_test_again');
  await own.close();
});
