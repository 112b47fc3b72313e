import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { applyFrames, createPositionDecoder } from '../../../src/apps/redecode.ts';
import { type Catalogue, loadCatalogue } from '../../../src/codec/catalogue/index.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { STEPS } from '../../../src/server/history/index.ts';
import { type RunningApi, startApi } from '../../support/api.ts';
import { changedDecoder } from '../../support/changed-decoder.mjs';
import { dropDatabases, withDatabase } from '../../support/databases.ts';
import { loadFixtures, wireBytes } from '../../support/fixtures.ts';
import { sealAll, startHistory, type TestHistory } from '../../support/history.ts';
import { pythonWith } from '../../support/programs.ts';
import { runUntilKilled } from '../../support/run-until-killed.ts';
import { recordLimits } from '../../support/settings.ts';

vi.setConfig({ testTimeout: 600_000 });

const IMEIS = ['356307042441013', '356307042441021'];
const DAY = 86_400_000;
/** noon of a day whose frames are no longer kept as rows */
const ARRIVED = Math.floor(systemClock.now() / DAY) * DAY - 20 * DAY + DAY / 2;
const query = { protocol: 'teltonika', from: ARRIVED - 5 * DAY, to: ARRIVED + 5 * DAY };

interface Sent {
  readonly imei: string;
  readonly at: number;
  readonly hex: string;
}

let url: string;
let api: RunningApi;
let history: TestHistory;
let catalogue: Catalogue;
const sent: Sent[] = [];
let seq = 0;
beforeAll(async () => {
  catalogue = await loadCatalogue();
  api = await withDatabase((given) => {
    url = given;
    return startApi(given, { RAW_RETENTION_DAYS: 7 }, { movesFrames: true });
  });
  history = startHistory(api.database);
  await send(ARRIVED);
});
afterAll(async () => {
  await history?.stop();
  await api?.stop();
  await dropDatabases();
});

/** Frames of the vendor's document, and what a gateway makes of them. */
async function send(arrivedAt: number): Promise<void> {
  const { fixture } = loadFixtures('teltonika').find(({ name }) => name === 'codec8.json')!;
  const list: object[] = [];
  for (const [n, imei] of IMEIS.entries()) {
    const decode = createPositionDecoder(catalogue)({
      protocol: 'teltonika',
      transport: 'tcp',
      deviceId: imei,
      options: {},
    })!;
    const wire = { imei, conn: `run.${n}`, protocol: 'teltonika', transport: 'tcp', remote: '10.0.0.1:2' };
    for (const [m, frame] of fixture.frames!.entries()) {
      const at = arrivedAt + 1_000 * m + n;
      const bytes = Buffer.from(wireBytes(frame.wire));
      list.push({ type: 'frame', at, ...wire, bytes: bytes.toString('base64') });
      list.push(...decode({ bytes, at }).map(({ position }) => ({ type: 'position', position })));
      sent.push({ imei, at, hex: bytes.toString('hex') });
    }
  }
  await api.events(list.map((event) => ({ seq: ++seq, ...event })) as never, 'frames');
}

const FRAMES = `kind = 'frame' and bytes is not null`;

async function count(sql: string): Promise<number> {
  return (await api.database.ingest.query(`select count(*)::int as n from ${sql}`)).rows[0].n;
}

/** Frames that redecoding reads, of rows and files together: each once. */
async function readable(): Promise<number> {
  const report = await applyFrames(api.database, history, query, {
    ...recordLimits(),
    arrivedBefore: systemClock.now(),
  });
  if (report === undefined || report === 'busy') throw new Error(String(report));
  expect(report).toMatchObject({ changed: 0, added: 0, applied: { positions: 0 } });
  return report.frames;
}

test('frames stay rows until they are in a file, also past their retention', async () => {
  await api.api.housekeeping.run();
  expect(await count(`timeline where ${FRAMES}`)).toBe(sent.length);
});

test('kill -9 at any step of sealing loses no frame and doubles none', async () => {
  for (const [n, step] of STEPS.entries()) {
    // every second round finds files that it has to replace
    if (n > 0) await send(ARRIVED + n * 60_000);
    await runUntilKilled('seal-frames', url, resolve(history.folder, '..'), step);
    expect(await readable(), step).toBe(sent.length);
  }
  const sealed = await history.sealFrames({ before: systemClock.now() });
  expect(sealed).toMatchObject({ failed: [] });
  expect(await count(`timeline where ${FRAMES}`)).toBe(0);
  expect(await readable()).toBe(sent.length);
  expect((await history.status()).frames).toMatchObject({ files: 1, frames: sent.length });
  expect(await history.verify()).toEqual([]);
});

test('frames that are not old enough, and other entries of the timeline, stay rows', async () => {
  const before = sent.length;
  await send(systemClock.now() - 60_000);
  const recent = sent.length - before;
  await history.sealFrames({ before: systemClock.now() - 7 * DAY });
  expect(await count(`timeline where ${FRAMES}`)).toBe(recent);
  sent.splice(before);
  await api.database.ingest.query(`delete from timeline where ${FRAMES}`);
});

const ids = async (): Promise<Map<number, string>> => {
  const { rows } = await api.database.ingest.query<{ id: number; imei: string }>('select id, imei from device');
  return new Map(rows.map(({ id, imei }) => [id, imei]));
};

for (const library of ['pyarrow', 'duckdb']) {
  const python = pythonWith(library);
  test.skipIf(python === undefined)(`${library} reads the bytes that were sent`, async () => {
    await api.database.ingest.query(`update history_removal set at = now() - interval '1 day'`);
    await history.clean();
    const script = join('test', 'support', 'read-frames.py');
    const { stdout, stderr } = spawnSync(python!, [script, library, join(history.folder, '_frames')], {
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    const imeis = await ids();
    const found = stdout
      .trim()
      .split('\n')
      .map((line) => {
        const { device_id, at, bytes, kind, protocol } = JSON.parse(line);
        expect({ kind, protocol }).toEqual({ kind: 'frame', protocol: 'teltonika' });
        return { imei: imeis.get(device_id), at, hex: bytes };
      });
    const order = (a: { at: number; hex: string }, b: { at: number; hex: string }) =>
      a.at - b.at || a.hex.localeCompare(b.hex);
    expect(found.sort(order)).toEqual([...sent].sort(order));
  });
}

test('a mended decoder is applied to frames of files', async () => {
  await sealAll(history);
  const catalogueNow = changedDecoder(catalogue, 'fromFiles');
  const report = await applyFrames(api.database, history, query, {
    ...recordLimits(),
    arrivedBefore: systemClock.now(),
    catalogue: catalogueNow,
  });
  expect(report).toMatchObject({ frames: sent.length, added: 0, missing: 0 });
  for (const imei of IMEIS) {
    const { items } = (await api.get(`/v1/devices/${imei}/positions?limit=500`)).body;
    expect(items.length).toBeGreaterThan(0);
    for (const { attributes } of items) expect(attributes.fromFiles).toBe(true);
  }
});

test('frames leave the files with their device', async () => {
  const imeis = [...(await ids())];
  const [id] = imeis.find(([, imei]) => imei === IMEIS[0])!;
  expect(await history.erase(id)).toBe(true);
  expect(await history.frames.frames(id, query)).toEqual([]);
  const [other] = imeis.find(([, imei]) => imei === IMEIS[1])!;
  expect(await history.frames.frames(other, query)).toHaveLength(sent.filter(({ imei }) => imei === IMEIS[1]).length);
  expect(await history.verify()).toEqual([]);
});

test('files that changed on the disk are reported, and removed with their retention', async () => {
  const folder = join(history.folder, '_frames', 'tenant=1');
  const day = join(folder, readdirSync(folder)[0]!);
  await api.database.ingest.query(`update history_removal set at = now() - interval '1 day'`);
  await history.clean();
  const [file] = readdirSync(day);
  writeFileSync(join(day, file!), 'x', { flag: 'a' });
  expect(await history.verify()).toMatchObject([{ path: expect.stringContaining('_frames/') }]);
  await history.clean(ARRIVED + 2 * DAY);
  expect((await history.status()).frames).toMatchObject({ files: 0, frames: 0 });
  await api.database.ingest.query(`update history_removal set at = now() - interval '1 day'`);
  await history.clean();
  expect(existsSync(join(day, file!))).toBe(false);
});
