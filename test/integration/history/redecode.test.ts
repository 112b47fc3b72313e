import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { StreamProtocol } from '#codec';
import { createPositionDecoder } from '../../../src/apps/redecode.ts';
import { type Catalogue, loadCatalogue } from '../../../src/codec/catalogue/index.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { redecode } from '../../../src/server/index.ts';
import { type RunningApi, startApi } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';
import { loadFixtures, wireBytes } from '../../support/fixtures.ts';
import { narrowAll, sealAll, startHistory, type TestHistory } from '../../support/history.ts';

vi.setConfig({ testTimeout: 300_000 });

const IMEI = '356307042441013';
const DAY = 86_400_000;
const query = { protocol: 'teltonika', from: systemClock.now() - DAY, to: systemClock.now() + DAY };

let api: RunningApi;
let history: TestHistory;
let catalogue: Catalogue;
let stored: { attributes: Record<string, unknown>; speed?: number }[];
beforeAll(async () => {
  catalogue = await loadCatalogue();
  api = await withDatabase((url) => startApi(url));
  history = startHistory(api.database);
  await api.events(events(), 'frames');
  stored = (await api.get(`/v1/devices/${IMEI}/positions`)).body.items;
});
afterAll(async () => {
  await history?.stop();
  await api?.stop();
  await dropDatabases();
});

/** The frames of the vendor's document, and what a gateway makes of them. */
function events() {
  const decode = createPositionDecoder(catalogue)({
    protocol: 'teltonika',
    transport: 'tcp',
    deviceId: IMEI,
    options: {},
  })!;
  const wire = { imei: IMEI, conn: 'run.1', protocol: 'teltonika', transport: 'tcp', remote: '10.0.0.1:2' };
  const { fixture } = loadFixtures('teltonika').find(({ name }) => name === 'codec8.json')!;
  const list: object[] = [];
  for (const [n, frame] of fixture.frames!.entries()) {
    const at = systemClock.now() - 60_000 + n;
    const bytes = wireBytes(frame.wire);
    list.push({ type: 'frame', at, ...wire, bytes: Buffer.from(bytes).toString('base64') });
    list.push(...decode({ bytes, at }).map(({ position }) => ({ type: 'position', position })));
  }
  return list.map((event, index) => ({ seq: index + 1, ...event })) as never;
}

/** The decoder, with an attribute less, one more, and another speed. */
const changed = (): Catalogue => ({
  ...catalogue,
  byId(id) {
    const protocol = catalogue.byId(id) as StreamProtocol;
    return {
      ...protocol,
      decode(...given) {
        const decoded = protocol.decode(...given);
        const messages = decoded.messages.map((message) => {
          if (message.type !== 'position') return message;
          const { rssi: _, ...attributes } = message.attributes;
          return { ...message, speed: (message.speed ?? 0) + 1, attributes: { ...attributes, fresh: true } };
        });
        return { ...decoded, messages };
      },
    } satisfies StreamProtocol;
  },
});

const run = (of: Catalogue) =>
  redecode(query, { pools: api.database, decode: createPositionDecoder(of), frames: history.frames });
const withRssi = (): number => stored.filter(({ attributes }) => attributes['rssi'] !== undefined).length;

const expected = () => ({
  devices: 1,
  same: 0,
  changed: stored.length,
  added: 0,
  missing: 0,
  attributes: {
    'attributes.fresh': {
      added: stored.length,
      changed: 0,
      removed: 0,
      example: { imei: IMEI, before: null, after: true },
    },
    'attributes.rssi': { added: 0, changed: 0, removed: withRssi() },
    speed: { changed: stored.length, example: { before: stored[0]!.speed, after: stored[0]!.speed! + 1 } },
  },
});

test('a decoder that has not changed gives what is stored', async () => {
  expect(stored.length).toBeGreaterThan(2);
  expect(withRssi()).toBeGreaterThan(0);
  const { frames, ...report } = await run(catalogue);
  expect(frames).toBeGreaterThan(2);
  expect(report).toEqual({ devices: 1, same: stored.length, changed: 0, added: 0, missing: 0, attributes: {} });
});

test('the changes of another decoder are listed by attribute, wherever the positions are', async () => {
  expect(await run(changed())).toMatchObject(expected());
  expect(Object.keys((await run(changed())).attributes)).toEqual(['attributes.fresh', 'attributes.rssi', 'speed']);
  await narrowAll(history);
  expect(await run(changed())).toMatchObject(expected());
  await sealAll(history);
  expect(await run(changed())).toMatchObject(expected());
  expect((await history.status()).positions).toBe(stored.length);
});

test('positions that are not stored are added ones', async () => {
  await api.database.ingest.query('delete from history_file');
  expect(await run(catalogue)).toMatchObject({ same: 0, changed: 0, added: stored.length, missing: 0 });
});
