import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EVENT, openSpool, POSITION, type Spool } from '../../../src/gateway/spool/index.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { createLog } from '../../../src/platform/log.ts';
import { runCommand } from '../../support/command-line.ts';

vi.setConfig({ testTimeout: 120_000 });

const POSITION_TEXT = '{"id":"0123456789abcdefghijkl","valid":true}';
const EVENT_TEXT = '{"type":"heartbeat","at":1790000000000,"imei":"356307042441013","conn":"run.1"}';
const AT = Date.UTC(2026, 10, 20, 12, 0, 0);

let dataDir: string;
let spool: Spool;

/** Three records, the first of them refused by the API and set aside. */
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'fleetgate-spool-command-'));
  spool = await openSpool({
    folder: join(dataDir, 'spool'),
    targets: ['api'],
    syncMs: 0,
    maxBytes: 1024 * 1024,
    minFreeBytes: 0,
    clock: systemClock,
    log: createLog('test', 'silent'),
  });
  const refused = { kind: POSITION, bytes: Buffer.from(POSITION_TEXT) };
  await spool.append([refused, { kind: EVENT, bytes: Buffer.from(EVENT_TEXT) }, refused]);
  await spool.setAside('api').add([{ ...refused, seq: 1, code: 'unstorable', detail: 'the database refuses it' }], AT);
  spool.settle('api', 1);
});
afterEach(async () => {
  await spool.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const run = (...args: string[]) => runCommand(['spool', ...args], { DATA_DIR: dataDir });
const idOf = (listing: string): string => /^set aside (\S+) \(api, record 1, /m.exec(listing)![1]!;

test('is read while a gateway has opened it, and changed through that gateway', async () => {
  const listing = await run('ls');
  expect(listing.code).toBe(0);
  expect(listing.stdout).toMatch(new RegExp(`^spool +${spool.id}, held by process ${process.pid}$`, 'm'));
  expect(listing.stdout).toMatch(/^last +3$/m);
  expect(listing.stdout).toMatch(/: 3 records 1 to 3, \d+ bytes$/m);
  expect(listing.stdout).toContain('2026-11-20T12:00:00Z): unstorable, the database refuses it');
  const id = idOf(listing.stdout);

  const kept = await run('show', id);
  expect(kept.stdout.split('\n')[1]).toBe(POSITION_TEXT);
  const record = await run('show', '2');
  expect(record.stdout).toMatch(/^record 2, event, /);
  expect(record.stdout.split('\n')[1]).toBe(EVENT_TEXT);

  expect(await run('replay', id, '--target', 'push')).toMatchObject({ code: 1, stdout: '' });
  expect(spool.setAside('api').count).toBe(1);
  expect(await run('replay', id)).toMatchObject({ code: 0, stdout: '1 replayed\n' });
  expect(spool.setAside('api').list()).toMatchObject([{ id, isReplaying: true }]);
  expect(spool.lastSeq).toBe(4);
  spool.settle('api', 4);
  await expect.poll(() => spool.setAside('api').count).toBe(0);
  expect((await run('show', '4')).stdout.split('\n')[1]).toBe(POSITION_TEXT);
});

test('is changed directly if no gateway has opened it, and mistakes are reported in one line', async () => {
  await spool.close();
  const listing = await run('ls');
  expect(listing.stdout).toContain(`${spool.id}, held by nobody`);
  expect(listing.stdout).toMatch(/^target +api: settled up to 1, 2 waiting$/m);
  expect(await run('drop', 'all')).toMatchObject({ code: 0, stdout: '1 dropped\n' });
  expect((await run('ls')).stdout).toContain('set aside nothing');

  for (const mistake of [
    await run('drop', idOf(listing.stdout)),
    await run('show', '99'),
    await runCommand(['spool', 'ls'], { DATA_DIR: join(dataDir, 'nowhere') }),
  ]) {
    expect(mistake.code).not.toBe(0);
    expect(mistake.stderr).toMatch(/^fleetgate: [^\n]+\n$/);
  }
});
