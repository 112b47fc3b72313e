import { createHmac } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type CommandWorld, openCommands } from './support.ts';

interface Heard {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
  readonly body: any;
}

/** Where call-backs arrive; answers with `status`. */
class Receiver {
  readonly heard: Heard[] = [];
  status = 204;
  #server: Server | undefined;
  readonly #events = new EventEmitter();

  async open(): Promise<void> {
    const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      let text = '';
      for await (const chunk of request) text += chunk;
      this.heard.push({ url: request.url!, headers: request.headers, text, body: JSON.parse(text) });
      response.writeHead(this.status).end();
      this.#events.emit('heard');
    };
    this.#server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  url(path: string): string {
    return `http://127.0.0.1:${(this.#server!.address() as AddressInfo).port}${path}`;
  }

  async until(count: number): Promise<void> {
    while (this.heard.length < count) await once(this.#events, 'heard');
  }

  close(): void {
    this.#server?.closeAllConnections();
    this.#server?.close();
  }
}

const receiver = new Receiver();
let world: CommandWorld;
beforeAll(async () => {
  await receiver.open();
  world = await openCommands();
});
afterAll(async () => {
  await world?.stop();
  receiver.close();
});
beforeEach(() => {
  receiver.heard.length = 0;
  receiver.status = 204;
});

const deliveries = () => world.sql('select kind, attempts, outcome, last_error from hook_delivery order by id');
const dueNow = () => world.sql(`update hook_delivery set next_at = now() where ended_at is null`);
const sendDue = () => world.api.api.callbackSender.run();
afterEach(() => world.sql('delete from hook_delivery'));

async function signedBy(heard: Heard, secret: string): Promise<boolean> {
  const content = `${heard.headers['webhook-id']}.${heard.headers['webhook-timestamp']}.${heard.text}`;
  const mac = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(content)
    .digest('base64');
  return heard.headers['webhook-signature'] === `v1,${mac}`;
}

describe('a call-back', () => {
  const order = async (path: string): Promise<string> => {
    const imei = await world.device();
    return (await world.enqueue({ imei, gprsCommand: 'x', callbackUrl: receiver.url(path) })).body.commandId;
  };
  const cancel = (id: string) => world.api.send('DELETE', `/v1/gprsCommands/${id}`);

  test('contains the whole command when it has ended, signed with the tenant’s secret', async () => {
    const gateway = await world.gateway();
    const imei = await world.device();
    await gateway.connect(imei);
    await world.enqueue({ imei, gprsCommand: 'getinfo', callbackUrl: receiver.url('/done') });
    const line = await gateway.next();
    await gateway.sent(line);
    await sendDue();
    expect(receiver.heard).toEqual([]);
    await gateway.answer(line, { text: 'INI' });
    await receiver.until(1);
    const [heard] = receiver.heard;
    expect(heard!.body).toEqual({
      event: 'command-ended',
      ...(await world.api.get(`/v1/gprsCommands/${line.commandId}`)).body,
    });
    expect(heard!.body).toMatchObject({ status: 'acknowledged', response: 'INI', commandId: line.commandId });
    const { secret } = (await world.api.get('/v1/webhooks/secret')).body;
    expect(await signedBy(heard!, secret)).toBe(true);
    expect(Math.abs(Number(heard!.headers['webhook-timestamp']) * 1000 - Date.now())).toBeLessThan(60_000);
    const changed = (await world.api.send('POST', '/v1/webhooks/secret', {})).body.secret;
    expect(changed).not.toBe(secret);
    expect((await world.api.get('/v1/webhooks/secret')).body.secret).toBe(changed);
  });

  test('is retried with growing delays and the same id', async () => {
    receiver.status = 503;
    await cancel(await order('/again'));
    await receiver.until(1);
    await sendDue();
    expect(await deliveries()).toEqual([
      { kind: 'command-ended', attempts: 1, outcome: null, last_error: 'status 503' },
    ]);
    await sendDue();
    expect(receiver.heard).toHaveLength(1);
    receiver.status = 200;
    await dueNow();
    await sendDue();
    expect(receiver.heard).toHaveLength(2);
    expect(receiver.heard[1]!.headers['webhook-id']).toBe(receiver.heard[0]!.headers['webhook-id']);
    expect(await deliveries()).toMatchObject([{ attempts: 2, outcome: 'delivered' }]);
  });

  test('is given up after a day, or at once if the receiver answers 410', async () => {
    receiver.status = 500;
    await cancel(await order('/day'));
    await receiver.until(1);
    await sendDue();
    await world.sql(`update hook_delivery set created_at = now() - interval '24 hours', next_at = now()`);
    await sendDue();
    expect(await deliveries()).toMatchObject([{ attempts: 2, outcome: 'given-up', last_error: 'status 500' }]);
    await world.sql('delete from hook_delivery');
    receiver.status = 410;
    await cancel(await order('/gone'));
    await sendDue();
    expect(await deliveries()).toMatchObject([{ attempts: 1, outcome: 'given-up' }]);
  });

  test('of a process that died is sent by another process', async () => {
    receiver.status = 500;
    await cancel(await order('/dead'));
    await receiver.until(1);
    await sendDue();
    // taken, and never heard of again: the lease is over
    await world.sql(`update hook_delivery set last_error = null, next_at = now() - interval '1 second'`);
    receiver.status = 200;
    await sendDue();
    expect(await deliveries()).toMatchObject([{ outcome: 'delivered' }]);
  });

  test('is sent for each final state, also if the sweeper or a flush caused it', async () => {
    const imei = await world.device();
    const callbackUrl = receiver.url('/ends');
    await world.enqueue({ imei, gprsCommand: 'x', callbackUrl });
    await world.enqueue({ imei, gprsCommand: 'x', callbackUrl, ttlSeconds: 1 });
    await world.sql(`update command set expires_at = now() where ttl_ms = 1000`);
    await world.engine.sweep();
    await world.api.send('DELETE', `/v1/gprsCommands/${imei}/reset`);
    await receiver.until(2);
    expect(receiver.heard.map(({ body }) => body.status).sort()).toEqual(['cancelled', 'expired']);
  });

  test('is signed with the secret of its own tenant', async () => {
    const otherTenant = await world.key(['webhooks:write'], 'other-tenant');
    const theirs = (await world.api.get('/v1/webhooks/secret', otherTenant)).body.secret;
    expect(theirs).not.toBe((await world.api.get('/v1/webhooks/secret')).body.secret);
    const reader = await world.key(['commands:read']);
    expect((await world.api.get('/v1/webhooks/secret', reader)).body.code).toBe('missing-scope');
  });
});

describe('a wake-up', () => {
  beforeAll(() => world.sql(`update command set state = 'cancelled' where state in ('pending', 'sending', 'sent')`));
  const set = (wakeUpUrl: string | null) => world.api.send('PUT', '/v1/gprsCommands/settings', { wakeUpUrl });
  const dueWakeUps = () => world.sql('update wake_up set due_at = now()');
  afterEach(async () => {
    await set(null);
    // what one test leaves waiting would be reported in the next
    await world.sql(`update command set state = 'cancelled' where state in ('pending', 'sending', 'sent')`);
    await world.sql('delete from wake_up');
  });

  test('is sent once an hour for a command that waits for an offline device', async () => {
    await set(receiver.url('/wake'));
    const imei = await world.device();
    const { commandId } = (await world.enqueue({ imei, gprsCommand: 'getinfo' })).body;
    await receiver.until(1);
    expect(receiver.heard[0]).toMatchObject({
      url: '/wake',
      body: { event: 'wake-up', imei, commandId, status: 'pending' },
    });
    const { secret } = (await world.api.get('/v1/webhooks/secret')).body;
    expect(await signedBy(receiver.heard[0]!, secret)).toBe(true);
    await sendDue();
    expect(receiver.heard).toHaveLength(1);
    const [next] = await world.sql(`select due_at > now() + interval '59 minutes' as late from wake_up`);
    expect(next).toEqual({ late: true });
    await dueWakeUps();
    await sendDue();
    expect(receiver.heard).toHaveLength(2);
  });

  test('is not sent if the device is online or the command has ended', async () => {
    await set(receiver.url('/wake'));
    const gateway = await world.gateway();
    const imei = await world.device();
    await gateway.connect(imei);
    await world.enqueue({ imei, gprsCommand: 'x' });
    await gateway.sent(await gateway.next());
    await world.enqueue({ imei, gprsCommand: 'y' });
    await dueWakeUps();
    await sendDue();
    expect(await deliveries()).toEqual([]);
    expect(await world.sql('select command_id from wake_up')).toHaveLength(2);
    await world.api.send('DELETE', `/v1/gprsCommands/${imei}/reset?includeInFlight=true`);
    await dueWakeUps();
    await sendDue();
    expect(await world.sql('select command_id from wake_up')).toEqual([]);
    expect(receiver.heard).toEqual([]);
  });

  test('begins with commands that are already pending when a URL is set, and ends when the URL is removed', async () => {
    const imei = await world.device();
    const { commandId } = (await world.enqueue({ imei, gprsCommand: 'x' })).body;
    await sendDue();
    expect(await world.sql('select command_id from wake_up')).toEqual([]);
    await set(receiver.url('/late'));
    await receiver.until(1);
    expect(receiver.heard.some(({ body }) => body.commandId === commandId)).toBe(true);
    await set(null);
    await dueWakeUps();
    await sendDue();
    expect(await world.sql('select command_id from wake_up')).toEqual([]);
  });

  test('is not sent before the start time of the command', async () => {
    await set(receiver.url('/early'));
    const imei = await world.device();
    await world.enqueue({ imei, gprsCommand: 'x', notBefore: Date.now() + 600_000 });
    await sendDue();
    const [row] = await world.sql(`select due_at > now() + interval '9 minutes' as late from wake_up
      where command_id in (select id from command where not_before is not null)`);
    expect(row).toEqual({ late: true });
  });
});
