import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import gt06 from '../../protocols/gt06/index.ts';
import { type System, startSystem } from '../support/system.ts';

const HEARTBEATS = 100_000;

let system: System;
beforeAll(async () => {
  system = await startSystem({ AUTO_REGISTER: 'false' });
}, 300_000);
afterAll(() => system?.stop(), 60_000);

test('heartbeats of a client that never logs in are kept as a sample only', async () => {
  const heartbeat = gt06.simulator.heartbeat!('356307042441013', 1);
  const bytes = heartbeat.length * HEARTBEATS;
  const client = connect(system.devicePort, '127.0.0.1');
  client.on('error', () => {});
  client.resume();
  for (let sent = 0; sent < HEARTBEATS; sent += 1_000) {
    if (!client.write(Buffer.concat(Array.from({ length: 1_000 }, () => heartbeat)))) await once(client, 'drain');
  }
  while ((await system.metric('fleetgate_frames_total')) < HEARTBEATS) await sleep(200);
  client.destroy();
  // the events of the gateway itself are small
  expect(await system.metric('fleetgate_spool_bytes')).toBeLessThan(bytes / 10);
  interface Listed {
    readonly items: readonly { readonly protocol: string; readonly reason: string; readonly hex: string }[];
  }
  let listed: Listed = { items: [] };
  while (listed.items.length === 0) {
    await sleep(500);
    listed = await system.get<Listed>('/v1/unadmitted-frames');
  }
  expect(listed.items).toHaveLength(5);
  expect(listed.items[0]).toMatchObject({
    protocol: 'gt06',
    reason: 'unidentified',
    hex: Buffer.from(heartbeat).toString('hex'),
  });
}, 300_000);
