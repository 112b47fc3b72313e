import { readFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import egts from '../../../protocols/egts/index.ts';
import { Client, count, type Running, startGateway } from './support.ts';

let running: Running | undefined;

afterEach(async () => {
  await running?.gateway.close(1_000);
  running = undefined;
});

const { frames } = JSON.parse(
  readFileSync(new URL('../../../protocols/egts/fixtures/relay.json', import.meta.url), 'utf8'),
) as { frames: readonly { wire: string; messages: readonly { deviceId: string }[] }[] };
const wire = Buffer.from(frames[0]!.wire, 'hex');
const named = [...new Set(frames[0]!.messages.map(({ deviceId }) => deviceId))];

/** What is recorded of frames, when their replies have been sent. */
async function framesAfter(bytes: Uint8Array): Promise<readonly unknown[]> {
  const { recorder, port } = running!;
  const client = await Client.open(port);
  client.send(bytes);
  await client.take(30);
  client.socket.destroy();
  await client.closed;
  return recorder.list().filter(({ type }) => type === 'frame');
}

it('a frame of several devices is recorded for each that it has messages of', async () => {
  running = await startGateway({ protocols: [egts] });
  const stored = await framesAfter(wire);
  expect(named).toHaveLength(2);
  expect(stored).toMatchObject(named.map((imei) => ({ imei, bytes: wire.toString('base64') })));
  expect(count(running.recorder.list(), 'position')).toBe(frames[0]!.messages.length);
});

it('a frame is not recorded for a device that is refused', async () => {
  running = await startGateway({ protocols: [egts], autoRegister: false });
  running.gateway.apply({ type: 'devices', devices: [{ imei: named[1]! }] });
  running.gateway.apply({ type: 'devices-end' });
  expect(await framesAfter(wire)).toMatchObject([{ imei: named[1] }]);
  const rejected = running.recorder.list().filter(({ type }) => type === 'knock');
  expect(rejected).toMatchObject([{ imei: named[0] }]);
});
