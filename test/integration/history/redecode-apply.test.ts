import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { applyFrames, createPositionDecoder } from '../../../src/apps/redecode.ts';
import { type Catalogue, loadCatalogue } from '../../../src/codec/catalogue/index.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { REPLACE_STEPS, STEPS } from '../../../src/server/history/index.ts';
import { type RunningApi, startApi } from '../../support/api.ts';
import { changedDecoder } from '../../support/changed-decoder.mjs';
import { dropDatabases, withDatabase } from '../../support/databases.ts';
import { loadFixtures, wireBytes } from '../../support/fixtures.ts';
import { narrowAll, sealAll, startHistory, type TestHistory } from '../../support/history.ts';
import { pythonWith } from '../../support/programs.ts';
import { runUntilKilled } from '../../support/run-until-killed.ts';
import { recordLimits } from '../../support/settings.ts';

vi.setConfig({ testTimeout: 600_000 });

const IMEIS = ['356307042441013', '356307042441021'];
const DAY = 86_400_000;
/** the frames arrived so long ago that everything has read their positions */
const ARRIVED = systemClock.now() - 20 * DAY;
const query = { protocol: 'teltonika', from: ARRIVED - DAY, to: ARRIVED + DAY };
const FIXTURES = ['codec8.json', 'codec8-extended.json', 'elements-fmb.json', 'group-16.json'];

interface Item {
  readonly id: string;
  readonly fixTime: string;
  readonly speed?: number;
  readonly attributes: Record<string, unknown>;
}

let url: string;
let api: RunningApi;
let history: TestHistory;
let catalogue: Catalogue;
let stored: Item[];
beforeAll(async () => {
  catalogue = await loadCatalogue();
  api = await withDatabase((given) => {
    url = given;
    // the frames are older than others are kept
    return startApi(given, { RAW_RETENTION_DAYS: 0 });
  });
  history = startHistory(api.database);
  await api.events(events(), 'frames');
  stored = await listed();
});
afterAll(async () => {
  await history?.stop();
  await api?.stop();
  await dropDatabases();
});

/** Frames of the vendor's documents, and what a gateway makes of them. */
function events() {
  const fixtures = loadFixtures('teltonika').filter(({ name }) => FIXTURES.includes(name));
  expect(fixtures).toHaveLength(FIXTURES.length);
  const list: object[] = [];
  for (const [n, imei] of IMEIS.entries()) {
    const decode = createPositionDecoder(catalogue)({
      protocol: 'teltonika',
      transport: 'tcp',
      deviceId: imei,
      options: {},
    })!;
    const wire = { imei, conn: `run.${n}`, protocol: 'teltonika', transport: 'tcp', remote: '10.0.0.1:2' };
    for (const [m, frame] of fixtures.flatMap(({ fixture }) => fixture.frames!).entries()) {
      const at = ARRIVED + 1_000 * m + n;
      const bytes = wireBytes(frame.wire);
      list.push({ type: 'frame', at, ...wire, bytes: Buffer.from(bytes).toString('base64') });
      list.push(...decode({ bytes, at }).map(({ position }) => ({ type: 'position', position })));
    }
  }
  return list.map((event, index) => ({ seq: index + 1, ...event })) as never;
}

async function listed(): Promise<Item[]> {
  const lists = await Promise.all(IMEIS.map((imei) => api.get(`/v1/devices/${imei}/positions?limit=500`)));
  return lists.flatMap(({ body }) => body.items);
}

const apply = (attribute: string) =>
  applyFrames(api.database, history, query, {
    ...recordLimits(),
    arrivedBefore: systemClock.now(),
    catalogue: changedDecoder(catalogue, attribute),
  });

const contents = ({ speed, attributes, fixTime }: Pick<Item, 'speed' | 'attributes' | 'fixTime'>): string =>
  JSON.stringify([fixTime, speed, Object.entries(attributes).sort()]);

/** What the changed decoder makes of the positions. Those of one time are in the order of their ids, which are others. */
function expectChanged(items: readonly Item[], attribute: string): void {
  const expected = stored.map(({ speed = 0, attributes: { rssi: _, ...before }, fixTime }) =>
    contents({ fixTime, speed: speed + 1, attributes: { ...before, [attribute]: true } }),
  );
  expect(items.map(contents).sort()).toEqual(expected.sort());
}

async function rowsIn(table: string): Promise<number> {
  const { rows } = await api.database.ingest.query(`select count(*)::int as n from ${table}`);
  return rows[0].n;
}

async function applyAndExpect(attribute: string): Promise<void> {
  expect(await apply(attribute)).toMatchObject({
    changed: stored.length,
    same: 0,
    added: 0,
    missing: 0,
    applied: { positions: stored.length, failed: [] },
  });
  expectChanged(await listed(), attribute);
  expect(await apply(attribute)).toMatchObject({ changed: 0, same: stored.length, applied: { positions: 0 } });
}

test('a mended decoder corrects rows, narrow rows and files, and what the API answers', async () => {
  expect(new Set(stored.map(({ fixTime }) => fixTime.slice(0, 10))).size).toBeGreaterThan(1);
  expect(stored.some(({ attributes }) => attributes['rssi'] !== undefined)).toBe(true);
  await applyAndExpect('asRows');
  expect(await rowsIn('position')).toBe(stored.length);
  await narrowAll(history, undefined, 'month');
  // those of the last three years
  expect(await rowsIn('position_narrow')).toBeGreaterThan(0);
  await applyAndExpect('asNarrowRows');
  await sealAll(history);
  await applyAndExpect('inFiles');
  expect(await rowsIn('position_all')).toBe(0);
  expect((await history.status()).positions).toBe(stored.length);
  expect(await history.verify()).toEqual([]);
  await history.clean();
});

test('the state of a device has the values of the replaced positions', async () => {
  for (const imei of IMEIS) {
    const { body } = await api.get(`/v1/devices/${imei}/state`);
    const names = Object.keys(body.attributes);
    expect(names).toContain('inFiles');
    expect(names).not.toContain('asRows');
    expect(names).not.toContain('rssi');
    const items: Item[] = (await api.get(`/v1/devices/${imei}/positions?limit=500`)).body.items;
    if (body.lastFix !== null) expect(items).toContainEqual(expect.objectContaining({ id: body.lastFix.id }));
  }
});

test('the audit trail names who has begun and ended it, with the version', async () => {
  const { items } = (await api.get('/v1/audit?object=teltonika')).body;
  expect(items.slice(0, 2)).toMatchObject([
    { actor: 'command-line', action: 'positions.redecode-begun', after: { changed: stored.length, added: 0 } },
    { action: 'positions.redecoded', after: { version: expect.stringMatching(/^\d+\.\d+/), failedDays: [] } },
  ]);
});

test('kill -9 at any step replaces all of a day or nothing, and the next run does the rest', async () => {
  for (const [n, step] of [...REPLACE_STEPS, ...STEPS].entries()) {
    const before = await listed();
    const attribute = `killed${n}`;
    const args = [resolve(history.folder, '..'), step, attribute, String(query.from), String(query.to)];
    await runUntilKilled('redecode', url, ...args);
    const after = await listed();
    expect(after.map(({ fixTime }) => fixTime)).toEqual(before.map(({ fixTime }) => fixTime));
    const days = new Map<string, Set<boolean>>();
    for (const { fixTime, attributes } of after) {
      const day = fixTime.slice(0, 10);
      days.set(day, (days.get(day) ?? new Set()).add(attributes[attribute] === true));
    }
    for (const [day, states] of days) expect(states.size, `${step} ${day}`).toBe(1);
    const applied = await apply(attribute);
    expect(applied).toMatchObject({ missing: 0, added: 0, applied: { failed: [] } });
    expectChanged(await listed(), attribute);
    expect((await history.status()).positions, step).toBe(stored.length);
    expect(await rowsIn('position_all'), step).toBe(0);
  }
  expect(await history.verify()).toEqual([]);
});

const python = pythonWith('pyarrow');
test.skipIf(python === undefined)('pyarrow reads the files as they are now', async () => {
  await api.database.ingest.query(`update history_removal set at = now() - interval '1 day'`);
  await history.clean();
  const script = join('test', 'support', 'read-history.py');
  const { stdout, stderr } = spawnSync(python!, [script, 'pyarrow', history.folder], { encoding: 'utf8' });
  expect(stderr).toBe('');
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { attributes: string });
  const name = `killed${REPLACE_STEPS.length + STEPS.length - 1}`;
  expect(rows).toHaveLength(stored.length);
  for (const { attributes } of rows) expect(JSON.parse(attributes)).toMatchObject({ [name]: true });
});

test('positions that are not stored are added, and those whose frames are not kept stay', async () => {
  await api.database.ingest.query('delete from timeline where at >= to_timestamp($1)', [(ARRIVED + 2_000) / 1_000]);
  const changed = await apply('last');
  expect(changed).toMatchObject({ added: 0, applied: { failed: [] } });
  expect((changed as { changed: number }).changed).toBeGreaterThan(0);
  const after = await listed();
  expect(after).toHaveLength(stored.length);
  expect(after.filter(({ attributes }) => attributes['last'] === true)).toHaveLength(
    (changed as { changed: number }).changed,
  );
  await api.database.ingest.query('delete from history_file');
  expect(await apply('last')).toMatchObject({ changed: 0, same: 0, missing: 0 });
  expect((await listed()).every(({ attributes }) => attributes['last'] === true)).toBe(true);
});
