import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issueRsa } from '../../../../src/server/tachograph/engine/signature/issue.ts';
import { untilAnalysed } from '../../../support/analysed.ts';
import { type RunningApi, startApi } from '../../../support/api.ts';
import { dropDatabases, withDatabase } from '../../../support/databases.ts';
import { cardFile, datesFrom, dayOf, longDay, ordinary, secondsOf, unitFile } from '../../../support/tachograph.ts';

const DAY_MS = 86_400_000;
let now = Date.parse('2026-03-12T12:00:00Z');
let api: RunningApi;
let driverId: string;
let folder: string;
const raised: { type: string; key: string; vehicleId: string | null; detail: string }[] = [];

const id = (text: string): Uint8Array => Buffer.from(text.padEnd(8, '_'), 'latin1');
const root = issueRsa({ id: id('ROOT1'), role: 0 });
const state = issueRsa({ id: id('MSCA1'), role: 0 }, root);
const holder = issueRsa({ id: id('CARD1'), role: 1 }, state);
const signer = {
  certificates: [
    { fid: 'C100', bytes: holder.certificate },
    { fid: 'C108', bytes: state.certificate },
  ],
  sign: holder.sign,
};

const upload = async (bytes: Uint8Array) =>
  (await api.send('POST', '/v1/drivers/ddd', { fileBase64: Buffer.from(bytes).toString('base64') })).body;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fleetgate-roots-'));
  writeFileSync(join(folder, 'root.bin'), root.certificate);
  api = await withDatabase((url) =>
    startApi(
      url,
      { DDD_ROOTS: [join(folder, 'root.bin')] },
      {
        clock: { now: () => now, monotonic: () => performance.now() },
        notify: async (event) => {
          if (raised.some(({ key, type }) => key === event.key && type === event.type)) return 0;
          return raised.push(event);
        },
      },
    ),
  );
  driverId = (await api.send('POST', '/v1/drivers', { name: 'Ugo', cardNumber: 'I000000012345600' })).body.id;
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
  rmSync(folder, { recursive: true, force: true });
});

test('signatures are verified to the roots of the settings, and a changed byte is found', async () => {
  const plan = {
    number: 'I888888812345600',
    days: [dayOf('2026-03-02', ordinary)],
    encoding: { signers: { gen1: signer } },
  };
  const bytes = Buffer.from(cardFile(plan));
  expect(await upload(bytes)).toMatchObject({ signature: { verdict: 'valid' } });
  const at = bytes.indexOf(Buffer.from('U1234567'));
  bytes[at] = bytes[at]! ^ 1;
  const { fileId, signature } = await upload(bytes);
  expect(signature).toEqual({ verdict: 'invalid' });
  const { signatures } = (await api.get(`/v1/drivers/ddd/files/${fileId}`)).body;
  const broken = signatures.filter(({ verdict }: { verdict: string }) => verdict === 'invalid');
  expect(broken.map(({ file }: { file: string }) => file)).toEqual(['gen1/0521']);
});

describe('with data of this morning', () => {
  beforeAll(async () => {
    const days = datesFrom('2026-03-02', 11).map((date) => {
      if (date === '2026-03-10') return dayOf(date, longDay);
      // until ten o'clock: an hour of work and two of driving
      if (date === '2026-03-12')
        return dayOf(date, [
          ['05:00', 'work'],
          ['06:00', 'driving'],
          ['08:00', 'rest'],
        ]);
      return dayOf(date, ['2026-03-07', '2026-03-08'].includes(date) ? [['00:00', 'rest']] : ordinary);
    });
    const { fileId } = await upload(cardFile({ days, lastDownload: secondsOf('2026-03-12T10:00:00Z') }));
    await untilAnalysed(api, fileId);
  });

  test('a driver’s remaining driving time is known', async () => {
    const { items } = (await api.get(`/v1/drivers/plafond?driver_id=${driverId}`)).body;
    // 8:30 on Monday and Wednesday, 11:20 on Tuesday, 2:00 today; 5 × 8:30 the week before
    const week = 510 + 680 + 510 + 120;
    expect(items).toMatchObject([
      {
        driverId,
        stale: false,
        computedFrom: 'ddd',
        dataAsOf: '2026-03-12T10:00:00Z',
        driving: { usedS: 7_200, extendedLeft: 1 },
        // 90 hours in two weeks leave less than 56 in one
        weekly: { limitS: 201_600, usedS: week * 60, remainingS: (5_400 - week - 2_550) * 60 },
        biweekly: { usedS: (week + 2_550) * 60 },
      },
    ]);
    expect(items[0].drivableNowS).toBeGreaterThan(0);
    expect(items[0].drivableNowS).toBeLessThanOrEqual(items[0].continuous.remainingS);
  });

  test('what remains after a rest is assumed, and a range', async () => {
    const { items } = (await api.get(`/v1/drivers/plafond?driver_id=${driverId}`)).body;
    expect(items[0]).toMatchObject({ basis: 'assumed', range: { drivableNowS: { min: 9_000, max: 16_200 } } });
    const then = (await api.get(`/v1/drivers/plafond?driver_id=${driverId}&at=2026-03-12T10:00:00Z`)).body.items[0];
    expect(then).toMatchObject({ basis: 'known', range: null, drivableNowS: 16_200 });
  });

  test('is not reported when the records are older than a day', async () => {
    const later = Date.parse('2026-03-13T12:00:00Z');
    const { items } = (await api.get(`/v1/drivers/plafond?driver_id=${driverId}&at=${later}`)).body;
    expect(items).toMatchObject([
      { stale: true, computedFrom: null, drivableNowS: null, driving: { usedS: null, remainingS: null } },
    ]);
  });

  test('an infringement that is found is reported once', async () => {
    const events = raised.filter(({ type }) => type === 'infringement');
    expect(events.map(({ detail }) => detail)).toContain('D1 SI, Ugo, 2026-03-10');
    const { items } = (await api.get(`/v1/drivers/ddd/files?driver_id=${driverId}`)).body;
    await api.send('POST', '/v1/drivers/ddd/files/analyze_save', { fileIds: [items[0].fileId] });
    expect(raised.filter(({ type }) => type === 'infringement')).toHaveLength(events.length);
  });
});

test('downloads that are due are reported before, and when they are overdue', async () => {
  const vehicle = (await api.send('POST', '/v1/vehicles', { targa: 'FG123HI' })).body;
  await upload(unitFile({ plate: 'FG 123 HI', now: '2026-01-05T10:00:00Z' }));
  const due = async (at: string): Promise<string[]> => {
    now = Date.parse(at);
    const before = raised.length;
    await api.api.lookForDue();
    return raised.slice(before).map(({ type, detail }) => `${type} ${detail}`);
  };
  expect(await due('2026-03-15T10:00:00Z')).toEqual([]);
  expect(await due('2026-04-02T11:00:00Z')).toEqual([
    'ddd_due card of Ugo: is due on 2026-04-09',
    'ddd_due unit of FG123HI: is due on 2026-04-05',
  ]);
  expect(await due('2026-04-03T10:00:00Z')).toEqual([]);
  expect(await due('2026-04-20T10:00:00Z')).toEqual([
    'ddd_due card of Ugo: was due on 2026-04-09',
    'ddd_due unit of FG123HI: was due on 2026-04-05',
  ]);
  expect(raised.at(-1)).toMatchObject({ vehicleId: vehicle.id });
});

test('each class is kept for its time', async () => {
  const rows = async (table: string): Promise<number> =>
    (await api.database.ingest.query(`select count(*)::int as n from ${table}`)).rows[0].n;
  const tables = ['ddd_file', 'driver_day', 'infringement', 'payroll_day'];
  const counts = async () => Promise.all(tables.map(rows));
  const full = await counts();
  expect(full.every((count) => count > 0)).toBe(true);
  const start = now;
  now = start + 300 * DAY_MS;
  await api.api.housekeeping.run();
  expect(await counts()).toEqual(full);
  now = Date.now() + 731 * DAY_MS + 60 * DAY_MS;
  await api.api.housekeeping.run();
  const after = await counts();
  expect(after.slice(0, 3)).toEqual([0, 0, 0]);
  expect(after[3]).toBe(full[3]);
  now = Date.parse('2026-03-12T12:00:00Z') + 1_830 * DAY_MS;
  await api.api.housekeeping.run();
  expect(await counts()).toEqual([0, 0, 0, 0]);
});
