import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { applyFrames, createPositionDecoder } from '../../../src/apps/redecode.ts';
import { loadCatalogue } from '../../../src/codec/catalogue/index.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { DAY_MS, MINUTE_MS } from '../../../src/platform/durations.ts';
import { type RunningApi, startApi } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';
import { loadFixtures, wireBytes } from '../../support/fixtures.ts';
import { startHistory, type TestHistory } from '../../support/history.ts';
import { recordLimits } from '../../support/settings.ts';

vi.setConfig({ testTimeout: 120_000 });

const IMEI = '356307042441013';
const AHEAD_MS = 30 * MINUTE_MS;

let api: RunningApi;
let history: TestHistory;
beforeAll(async () => {
  api = await withDatabase((url) => startApi(url, { RAW_RETENTION_DAYS: 0 }));
  history = startHistory(api.database);
});
afterAll(async () => {
  await history?.stop();
  await api?.stop();
  await dropDatabases();
});

/** Decodes a frame again whose position is half an hour ahead of its arrival; only the frame is stored. */
async function redecodeAhead(aheadSeconds: number) {
  await api.database.ingest.query('delete from position');
  const catalogue = await loadCatalogue();
  const [fixture] = loadFixtures('teltonika').filter(({ name }) => name === 'codec8.json');
  const bytes = wireBytes(fixture!.fixture.frames!.at(-1)!.wire);
  const connection = { protocol: 'teltonika', transport: 'tcp', deviceId: IMEI, options: {} };
  const decode = createPositionDecoder(catalogue)(connection)!;
  const [first] = decode({ bytes, at: systemClock.now() });
  const at = first!.time - AHEAD_MS;
  const wire = { imei: IMEI, conn: 'run.0', protocol: 'teltonika', transport: 'tcp', remote: '10.0.0.1:2' };
  const text = Buffer.from(bytes).toString('base64');
  await api.events([{ type: 'frame', at, ...wire, bytes: text }] as never, `ahead-${aheadSeconds}`);
  await applyFrames(
    api.database,
    history,
    { protocol: 'teltonika', from: at - DAY_MS, to: at + DAY_MS },
    {
      ...recordLimits({ CLOCK_AHEAD_SECONDS: aheadSeconds }),
      arrivedBefore: systemClock.now(),
    },
  );
  const { body } = await api.get(`/v1/devices/${IMEI}/positions?limit=500`);
  return body.items as { readonly clockSuspect?: boolean }[];
}

test('a position that is less ahead than CLOCK_AHEAD_SECONDS stays sound when it is decoded again', async () => {
  const items = await redecodeAhead(3_600);
  expect(items.length).toBeGreaterThan(0);
  for (const item of items) expect(item.clockSuspect ?? false).toBe(false);
});

test('a position that is further ahead is marked', async () => {
  const items = await redecodeAhead(300);
  expect(items.length).toBeGreaterThan(0);
  for (const item of items) expect(item.clockSuspect).toBe(true);
});
