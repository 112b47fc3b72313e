import { createInterface } from 'node:readline';
import { request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DownlinkLine } from '../../../src/contract/events.ts';
import { sendElsewhere } from '../../../src/server/commands/dispatch/store.ts';
import { type RunningApi, startApi } from '../../support/api.ts';
import { positionEvent } from '../../support/positions.ts';
import { startTestServer, type TestServer } from '../../support/postgres.ts';

let server: TestServer;
let one: RunningApi;
let two: RunningApi;
beforeAll(async () => {
  server = await startTestServer();
  const url = await server.database();
  one = await startApi(url);
  two = await startApi(url);
});
afterAll(async () => {
  await one?.stop();
  await two?.stop();
  await server?.stop();
});

/** The held stream of a gateway; `next` waits for its next line. */
async function hold(api: RunningApi) {
  const { statusCode, body, headers } = await request(`${api.url}/v1/internal/downlink`, {
    headers: await api.gateway(),
  });
  const lines = createInterface({ input: body })[Symbol.asyncIterator]();
  return {
    statusCode,
    type: headers['content-type'],
    next: async (): Promise<DownlinkLine | undefined> => {
      const { value, done } = await lines.next().catch(() => ({ value: undefined, done: true }));
      return done ? undefined : (JSON.parse(value as string) as DownlinkLine);
    },
    close: () => body.destroy(),
  };
}

test('a gateway receives the complete list, then every change, whichever process made it', async () => {
  await one.events([positionEvent('B-1', 1), positionEvent('B-2', 1)]);
  await one.send('PATCH', '/v1/devices/B-2', { options: { timeZone: 'Asia/Dubai', port: 7 } });
  const held = await hold(two);
  expect(held).toMatchObject({ statusCode: 200, type: 'application/x-ndjson' });
  expect(await held.next()).toEqual({ type: 'hello', now: expect.any(Number) });
  expect(await held.next()).toEqual({
    type: 'devices',
    devices: [{ imei: 'B-1' }, { imei: 'B-2', options: { timeZone: 'Asia/Dubai', port: 7 } }],
  });
  expect(await held.next()).toEqual({ type: 'devices-end' });
  await one.send('POST', '/v1/devices', { imei: 'B-3', options: { model: 'x' } });
  expect(await held.next()).toEqual({ type: 'device', device: { imei: 'B-3', options: { model: 'x' } } });
  await one.send('DELETE', '/v1/devices/B-1');
  expect(await held.next()).toEqual({ type: 'device-removed', imei: 'B-1' });
  expect(await held.next()).toEqual({ type: 'devices-refused', imeis: ['B-1'] });
  await one.events([positionEvent('B-4', 1)], 'more');
  expect(await held.next()).toEqual({ type: 'device', device: { imei: 'B-4' } });
  held.close();
});

test('a line that another process sends to the gateway comes through its stream', async () => {
  const held = await hold(two);
  while ((await held.next())?.type !== 'devices-end');
  const line = { type: 'close', conn: 'c.1', reason: 'silent after a command' } as const;
  await sendElsewhere(one.database.ingest, [{ gateway: 'gw', line: { ...line, conn: 'other' } }]);
  await sendElsewhere(one.database.ingest, [{ gateway: 'gw-1', line }]);
  expect(await held.next()).toEqual(line);
  held.close();
});

test('a list of many pages is received completely by a gateway that reads slowly', async () => {
  const imeis = Array.from({ length: 1_700 }, (_, n) => `many-${String(n).padStart(4, '0')}`);
  for (let at = 0; at < imeis.length; at += 500) {
    await one.events(
      imeis.slice(at, at + 500).map((imei, i) => ({ seq: i + 1, ...positionEvent(imei, 1) })),
      `many-${at}`,
    );
  }
  const held = await hold(one);
  const seen: string[] = [];
  for (let line = await held.next(); line?.type !== 'devices-end'; line = await held.next()) {
    if (line?.type === 'devices') seen.push(...line.devices.map(({ imei }) => imei));
  }
  expect(seen.filter((imei) => imei.startsWith('many-')).sort()).toEqual(imeis);
  held.close();
});

test('a stream ends when changes may have been missed, so that the gateway requests the whole list', async () => {
  const held = await hold(one);
  while ((await held.next())?.type !== 'devices-end');
  await server.kill();
  await server.restart();
  for (let line = await held.next(); line !== undefined; line = await held.next())
    expect(line.type).not.toBe('devices');
  // the pool finds its way back
  await expect.poll(async () => (await one.get('/readyz')).status, { timeout: 60_000 }).toBe(200);
  const again = await hold(one);
  expect((await again.next())?.type).toBe('hello');
  again.close();
});

test('a stream ends in order when the API closes', async () => {
  const held = await hold(two);
  while ((await held.next())?.type !== 'devices-end');
  await two.api.close();
  expect(await held.next()).toBeUndefined();
});
