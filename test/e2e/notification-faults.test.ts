import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { report } from '../support/alerts.ts';
import { type Receiver, startReceiver } from '../support/receivers.ts';
import { type System, startSystem } from '../support/system.ts';

const KILLS = 4;
const waitOptions = { timeout: 90_000, interval: 100 };

let system: System;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  system = await startSystem({ WEBHOOK_PRIVATE: 'true' });
});
afterAll(async () => {
  await system?.stop();
  await receiver?.close();
});

async function call(method: string, path: string, body: object): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${system.apiPort}${path}`, {
    method,
    headers: { authorization: `Bearer ${system.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
}

interface Message {
  readonly id: string;
  readonly occurredAt: string;
  readonly delivery: readonly { readonly channel: string; readonly state: string }[];
}
const messages = async (): Promise<readonly Message[]> =>
  (await system.get<{ items: readonly Message[] }>('/v1/notifications/admin?limit=500')).items;
const stateOf = async (occurredAt: string): Promise<string | undefined> =>
  (await messages().catch(() => []))
    .find((one) => one.occurredAt === occurredAt)
    ?.delivery.find(({ channel }) => channel === 'webhook')?.state;

let minutes = 0;
const sos = async (): Promise<string> => {
  minutes += 10;
  const at = new Date(Date.UTC(2026, 5, 4) + minutes * 60_000).toISOString().replace('.000Z', 'Z');
  await call('POST', '/v1/positions', { positions: [report('faulty', at, { attributes: { alarm: 'sos' } })] });
  return at;
};

describe('messages while the API is killed', () => {
  beforeAll(async () => {
    await call('POST', '/v1/positions', { positions: [report('faulty', '2026-06-01T00:00:00Z')] });
    await call('POST', '/v1/vehicles', { targa: 'FAULTY' });
    await call('POST', '/v1/pairings', { targa: 'FAULTY', imei: 'faulty', from: 1_000_000_000_001 });
    await call('PUT', '/v1/v1/notifications', {
      notification_data: {
        type: 'sos',
        users: ['admin'],
        vehicles: ['FAULTY'],
        channels: ['webhook'],
        params: { webhookUrl: `${receiver.url}/hook` },
      },
    });
  });

  test('between evaluation and delivery are stored once and delivered', { timeout: 180_000 }, async () => {
    // the receiver takes the request and says nothing
    receiver.answer = () => undefined;
    const at = await sos();
    await expect.poll(() => receiver.received.length, waitOptions).toBeGreaterThan(0);
    system.kill('api');
    receiver.answer = () => ({ status: 200 });
    await expect.poll(() => stateOf(at), waitOptions).toBe('delivered');
    const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
    expect(ids.size).toBe(1);
    expect(receiver.received.length).toBeGreaterThan(1);
    expect(await messages()).toHaveLength(1);
  });

  test('before they are evaluated, or at any other time, are stored once each', { timeout: 400_000 }, async () => {
    const notified = (await messages()).length;
    for (let n = 0; n < KILLS; n++) {
      const at = await sos();
      // at once, or when a part of the way is done
      if (n % 2 === 1) await expect.poll(() => stateOf(at), waitOptions).toBeDefined();
      system.kill('api');
      await expect.poll(() => stateOf(at), waitOptions).toBe('delivered');
    }
    const all = await messages();
    expect(all).toHaveLength(notified + KILLS);
    expect(new Set(all.map(({ occurredAt }) => occurredAt)).size).toBe(notified + KILLS);
    const heard = receiver.received.map(({ body }) => JSON.parse(String(body)).notification.id);
    expect(new Set(heard)).toEqual(new Set(all.map(({ id }) => id)));
  });
});
