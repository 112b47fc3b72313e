import { createECDH, createHmac, generateKeyPairSync, randomBytes } from 'node:crypto';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import webPush from 'web-push';
import { systemClock } from '../../../src/platform/clock.ts';
import { createMailer, type Mailer } from '../../../src/platform/mail.ts';
import {
  createMessaging,
  emailBy,
  fcmBy,
  type Messaging,
  webhookBy,
  webPushBy,
} from '../../../src/server/alerts/messaging/index.ts';
import { postgresBackend, prepareJobTables, redisBackend } from '../../../src/server/commands/dispatch/queue/index.ts';
import { openDatabase } from '../../../src/server/database/index.ts';
import { createSigningSecrets, signatureHeaders } from '../../../src/server/index.ts';
import { createOutbound } from '../../../src/server/kernel/outbound/index.ts';
import { type Notifying, report, startNotifying } from '../../support/alerts.ts';
import { secrets, silent } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';
import { needs } from '../../support/programs.ts';
import { type MailServer, type Receiver, startMailServer, startReceiver } from '../../support/receivers.ts';
import { TestRedis } from '../../support/redis.ts';

const redisServer = needs('redis-server');
const backends = redisServer === undefined ? ['postgres'] : ['postgres', 'redis'];

afterAll(dropDatabases);

describe.each(backends)('with its queues on %s,', (backend) => {
  const PASSWORD = 'words of the owner';
  const vapid = { subject: 'mailto:ops@example.org', ...webPush.generateVAPIDKeys() };
  let redis: TestRedis | undefined;
  let house: Notifying;
  let messaging: Messaging;
  let receiver: Receiver;
  let mail: MailServer;
  let mailer: Mailer;
  let bearer: { authorization: string };
  let now = Date.UTC(2026, 5, 3);

  beforeAll(async () => {
    [receiver, mail] = [await startReceiver(), await startMailServer()];
    const url = await withDatabase(async (one) => one);
    // the tables of the jobs are the owner's to make
    await (await openDatabase({ url, log: silent, prepare: prepareJobTables })).close();
    if (backend === 'redis') redis = await new TestRedis(redisServer!).start();
    house = await startNotifying(url, {}, { adminPassword: PASSWORD });
    const { database } = house.api;
    mailer = createMailer(mail.url, 'Fleetgate <fleet@example.org>');
    const { post } = createOutbound({ allowsPrivate: true });
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const account = {
      project_id: 'fleet',
      client_email: 'fleet@example.org',
      token_uri: `${receiver.url}/token`,
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    };
    messaging = createMessaging({
      pool: database.ingest,
      clock: systemClock,
      log: silent,
      kept: 100,
      everyMs: 20,
      connections: redis === undefined ? postgresBackend(database.foreignPool) : redisBackend(redis.url, systemClock),
      sends: {
        email: emailBy((one) => mailer.send(one)),
        webhook: webhookBy({
          post,
          sign: async (tenantId, message) =>
            signatureHeaders(await createSigningSecrets(database.app, secrets).read(tenantId), {
              ...message,
              at: systemClock.now(),
            }),
        }),
        web_push: webPushBy(vapid, post),
        fcm: fcmBy(account, receiver.url, systemClock),
      },
    });
    messaging.start();
    const login = await house.api.send('POST', '/v1/auth/credentials', { username: 'admin', password: PASSWORD });
    bearer = { authorization: `Bearer ${login.body.accessToken}` };
    await house.api.send('PATCH', '/v1/users/admin', { email: 'admin@example.org' });
  });
  afterAll(async () => {
    await messaging?.stop();
    await house?.stop();
    mailer?.close();
    await Promise.all([receiver?.close(), mail?.close()]);
    await redis?.stop();
  });

  let made = 0;
  /** A vehicle whose SOS rule uses these channels; returns how to trigger it. */
  async function sos(channels: readonly string[], params?: object) {
    const targa = `SOS${made++}`;
    await house.api.send('POST', '/v1/vehicles', { targa });
    const at = (): string => {
      now += 600_000;
      return new Date(now).toISOString();
    };
    await house.drive(report(targa, at()));
    await house.api.send('POST', '/v1/pairings', { targa, imei: targa, from: 1_000_000_000_001 });
    const data = {
      type: 'sos',
      priority: 'high',
      vehicles: [targa],
      users: ['admin'],
      channels,
      ...(params ? { params } : {}),
    };
    const answer = await house.api.send('PUT', '/v1/v1/notifications', { notification_data: data });
    expect(answer.status).toBe(200);
    const { notificationId } = answer.body;
    return {
      call: () => house.drive(report(targa, at(), { attributes: { alarm: 'sos' } })),
      messages: async () =>
        (await house.api.get('/v1/notifications/admin?limit=500')).body.items.filter(
          ({ ruleId }: { ruleId: string }) => ruleId === notificationId,
        ),
    };
  }
  type Shown = { delivery: { channel: string; state: string; reason: string | null; attempts: number }[] };
  const deliveryOf = async (messages: () => Promise<Shown[]>, channel: string) =>
    (await messages())[0]?.delivery.filter((one) => one.channel === channel) ?? [];
  const waitOptions = { timeout: 60_000, interval: 50 };

  describe('a message', () => {
    test('is sent by mail, and its status is delivered to the mail server', async () => {
      const { call, messages } = await sos(['email']);
      await call();
      await expect
        .poll(() => deliveryOf(messages, 'email'), waitOptions)
        .toMatchObject([{ state: 'delivered', attempts: 1 }]);
      expect(mail.mails.join('')).toMatch(/To: admin@example\.org[\s\S]*Subject: SOS: SOS0/);
      expect(mail.mails.join('')).toMatch(/Message-ID: <dlv_[\w-]+@fleetgate>/);
    });

    test('that the mail server rejects permanently is not retried', async () => {
      mail.recipient = () => '550 no such mailbox';
      const { call, messages } = await sos(['email']);
      await call();
      await expect
        .poll(() => deliveryOf(messages, 'email'), waitOptions)
        .toMatchObject([{ state: 'failed', attempts: 1 }]);
      expect((await deliveryOf(messages, 'email'))[0]!.reason).toContain('550');
      mail.recipient = () => '250 ok';
    });

    test('is sent to a URL with a signature, and retried after a failure', async () => {
      let failures = 1;
      receiver.answer = ({ path }) => ({ status: path === '/hook' && failures-- > 0 ? 500 : 200 });
      const { call, messages } = await sos(['webhook'], { webhookUrl: `${receiver.url}/hook` });
      await call();
      await expect
        .poll(() => deliveryOf(messages, 'webhook'), waitOptions)
        .toMatchObject([{ state: 'pending', attempts: 1, reason: 'status 500' }]);
      await expect
        .poll(() => deliveryOf(messages, 'webhook'), waitOptions)
        .toMatchObject([{ state: 'delivered', attempts: 2, reason: 'status 200' }]);
      const [first, second] = receiver.received.filter(({ path }) => path === '/hook');
      expect(first!.headers['webhook-id']).toBe(second!.headers['webhook-id']);
      const { secret } = (await house.api.get('/v1/webhooks/secret')).body;
      const { headers, body } = second!;
      const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
      const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
      expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
      const [message] = await messages();
      expect(JSON.parse(String(body))).toMatchObject({
        event: 'notification',
        notification: { id: message.id, type: 'sos' },
      });
    });

    test('is sent to a browser encrypted, and a subscription that has ended is removed', async () => {
      const browser = createECDH('prime256v1');
      const keys = {
        p256dh: browser.generateKeys().toString('base64url'),
        auth: randomBytes(16).toString('base64url'),
      };
      const registration = { channel: 'web_push', endpoint: `${receiver.url}/push/1`, keys };
      const target = await house.api.send('POST', '/v1/app/push', registration, bearer);
      expect(target.body).toMatchObject({ channel: 'web_push' });
      receiver.answer = () => ({ status: 201 });
      const { call, messages } = await sos(['web_push']);
      await call();
      await expect.poll(() => deliveryOf(messages, 'web_push'), waitOptions).toMatchObject([{ state: 'delivered' }]);
      const pushed = receiver.received.find(({ path }) => path === '/push/1')!;
      expect(pushed.headers).toMatchObject({ 'content-encoding': 'aes128gcm', urgency: 'high' });
      expect(pushed.headers.authorization).toMatch(/^vapid t=/);
      expect(String(pushed.body)).not.toContain('SOS');
      receiver.answer = () => ({ status: 410 });
      await call();
      await expect.poll(() => deliveryOf(messages, 'web_push'), waitOptions).toMatchObject([{ state: 'failed' }]);
      expect((await house.api.get('/v1/app/push', bearer)).body.items).toEqual([]);
    });

    test('is sent to an app by FCM', async () => {
      await house.api.send(
        'POST',
        '/v1/app/push',
        { channel: 'fcm', token: 'token-of-an-app', platform: 'android' },
        bearer,
      );
      receiver.answer = ({ path }) =>
        path === '/token'
          ? { status: 200, body: JSON.stringify({ access_token: 'of Google', expires_in: 3_600 }) }
          : { status: 200, body: JSON.stringify({ name: 'projects/fleet/messages/1' }) };
      const { call, messages } = await sos(['fcm']);
      await call();
      await expect
        .poll(() => deliveryOf(messages, 'fcm'), waitOptions)
        .toMatchObject([{ state: 'delivered', reason: 'projects/fleet/messages/1' }]);
      const asked = new URLSearchParams(String(receiver.received.find(({ path }) => path === '/token')!.body));
      expect(decodeJwt(asked.get('assertion')!)).toMatchObject({
        iss: 'fleet@example.org',
        aud: `${receiver.url}/token`,
      });
      const sent = receiver.received.find(({ path }) => path === '/v1/projects/fleet/messages:send')!;
      expect(sent.headers.authorization).toBe('Bearer of Google');
      expect(JSON.parse(String(sent.body)).message).toMatchObject({
        token: 'token-of-an-app',
        notification: { title: expect.stringContaining('SOS') },
        data: { type: 'sos' },
      });
    });

    test('reports why it cannot be sent', async () => {
      await house.api.send('PATCH', '/v1/users/admin', { email: null });
      const { call, messages } = await sos(['email', 'web_push']);
      await call();
      expect(await deliveryOf(messages, 'email')).toMatchObject([
        { state: 'skipped', reason: 'the user has no e-mail address' },
      ]);
      expect(await deliveryOf(messages, 'web_push')).toMatchObject([{ state: 'skipped' }]);
      await house.api.send('PATCH', '/v1/users/admin', { email: 'admin@example.org' });
    });
  });

  describe('webhooks', () => {
    test('receive events, and show the result of each delivery', async () => {
      receiver.answer = () => ({ status: 200 });
      const url = `${receiver.url}/all`;
      const hook = await house.api.send('POST', '/v1/webhooks', { url, events: ['notification', 'position'] });
      expect(hook.body).toMatchObject({ url, events: ['notification', 'position'] });
      const { call, messages } = await sos(['app']);
      await call();
      await expect.poll(() => deliveryOf(messages, 'webhook'), waitOptions).toMatchObject([{ state: 'delivered' }]);
      const notified = () =>
        receiver.received.filter(({ path }) => path === '/all').flatMap(({ body }) => JSON.parse(String(body)).events);
      await expect.poll(() => notified().map(({ event }) => event), waitOptions).toContain('position');
      const [{ id }] = await messages();
      expect(notified().filter(({ data }) => data.id === id)).toHaveLength(1);
      const newest = async () => (await house.api.get(`/v1/webhooks/${hook.body.id}`)).body.deliveries[0];
      await expect.poll(newest, waitOptions).toMatchObject({ state: 'delivered', attempts: 1, reason: 'status 200' });
      expect((await house.api.get('/v1/webhooks')).body.items).toHaveLength(1);
      expect((await house.api.send('DELETE', `/v1/webhooks/${hook.body.id}`)).status).toBe(200);
      expect((await house.api.send('DELETE', `/v1/webhooks/${hook.body.id}`)).body).toMatchObject({
        code: 'unknown-webhook',
      });
    });
  });

  describe('a mail server that does not respond', () => {
    test('delays mail only, and the reason is shown', async () => {
      await mail.close();
      receiver.answer = () => ({ status: 200 });
      const { call, messages } = await sos(['email', 'webhook'], { webhookUrl: `${receiver.url}/alive` });
      await call();
      await expect.poll(() => deliveryOf(messages, 'webhook'), waitOptions).toMatchObject([{ state: 'delivered' }]);
      await expect
        .poll(async () => (await deliveryOf(messages, 'email'))[0], waitOptions)
        .toMatchObject({
          state: 'pending',
          reason: expect.stringContaining('ECONNREFUSED'),
        });
    });
  });
});
