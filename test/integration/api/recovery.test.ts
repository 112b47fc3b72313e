import { createServer, type Server } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createMailer } from '../../../src/platform/mail.ts';
import { type RunningApi, startApi } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';

const PASSWORD = 'the words that were forgotten';
const NEXT = 'the words that are new';
const mails: { to: string; text: string }[] = [];
let notify: (() => void) | undefined;
let api: RunningApi;

beforeAll(async () => {
  const sendMail = async (mail: { to: string; text: string }) => {
    mails.push(mail);
    notify?.();
  };
  api = await withDatabase((url) => startApi(url, { TRUST_PROXY: 1 }, { sendMail }));
  await api.send('POST', '/v1/users', {
    username: 'rosa',
    role: 'viewer',
    email: 'rosa@example.org',
    password: PASSWORD,
  });
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
});
afterEach(() => {
  vi.useRealTimers();
});

let addresses = 0;
const from = () => ({ authorization: '', 'x-forwarded-for': `10.1.0.${++addresses}` });
const start = (body: object, headers: Record<string, string> = from()) =>
  api.send('POST', '/v1/app/recovery_mode', body, headers);
const finish = (body: object) => api.send('PUT', '/v1/app/recovery_mode', body, from());
const login = (password: string) => api.send('POST', '/v1/auth/credentials', { username: 'rosa', password }, from());

/** code and token of the next mail */
async function recover(): Promise<{ code: string; token: string }> {
  const came = new Promise<void>((resolve) => {
    notify = resolve;
  });
  expect((await start({ username: 'rosa' })).status).toBe(200);
  await came;
  const { text } = mails.at(-1)!;
  return { code: /Code: +(\S+)/.exec(text)![1]!, token: /Token: +(\S+)/.exec(text)![1]! };
}

describe('recovery', () => {
  test('sets a new password by the token of the mail, once, and ends every session', async () => {
    const { accessToken } = (await login(PASSWORD)).body;
    const { token } = await recover();
    expect(mails.at(-1)!.to).toBe('rosa@example.org');
    const weak = await finish({ token, newPassword: 'rosa' });
    expect(weak.body).toMatchObject({ status: 422, code: 'weak-password' });
    const done = await finish({ token, newPassword: NEXT });
    expect(done.body).toMatchObject({ sessionsRevoked: 1 });
    expect((await finish({ token, newPassword: PASSWORD })).body.code).toBe('invalid-or-expired-token');
    expect((await login(PASSWORD)).status).toBe(401);
    expect((await login(NEXT)).status).toBe(200);
    await expect
      .poll(async () => (await api.get('/v1/vehicles', { authorization: `Bearer ${accessToken}` })).status)
      .toBe(401);
  });

  test('sets a new password by user name and code, and limits the number of guesses', async () => {
    const first = await recover();
    for (let i = 0; i < 5; i++) {
      const guess = await finish({ username: 'rosa', code: `AAAA-AAA${i}`, newPassword: NEXT });
      expect(guess.body).toMatchObject({ status: 400, code: 'invalid-or-expired-token' });
    }
    expect((await finish({ username: 'rosa', code: first.code, newPassword: NEXT })).status).toBe(400);
    const second = await recover();
    expect((await finish({ username: 'Rosa', code: second.code.toLowerCase(), newPassword: NEXT })).status).toBe(200);
  });

  test('expires after 15 minutes', async () => {
    const { token } = await recover();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 901_000 });
    expect((await finish({ token, newPassword: NEXT })).status).toBe(400);
  });

  test('does not reveal whether there is such a user', async () => {
    const known = await start({ email: 'rosa@example.org' });
    const unknown = await start({ email: 'nobody@example.org' });
    expect(unknown.body).toEqual(known.body);
    expect(unknown.body.message).toBe('If the account exists a code was sent');
    expect((await start({})).status).toBe(422);
  });

  test('is limited to five requests per hour and address', async () => {
    const here = from();
    const statuses = [];
    for (let i = 0; i < 6; i++) statuses.push((await start({ username: 'whoever' }, here)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });
});

test('a mail is sent by SMTP', async () => {
  const { server, url, received } = await mailServer();
  const mailer = createMailer(url, 'Fleetgate <fleetgate@example.org>');
  await mailer.send({ to: 'rosa@example.org', subject: 'Hello', text: 'A line' });
  mailer.close();
  server.close();
  expect(received.join('')).toMatch(/To: rosa@example\.org[\s\S]*Subject: Hello[\s\S]*A line/);
});

/** says yes to all that a client of SMTP says */
async function mailServer(): Promise<{ server: Server; url: string; received: string[] }> {
  const received: string[] = [];
  const server = createServer((socket) => {
    let isInData = false;
    socket.write('220 ready\r\n');
    socket.on('error', () => {});
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      if (isInData) {
        received.push(chunk);
        if (/\r\n\.\r\n$/.test(chunk)) {
          isInData = false;
          socket.write('250 taken\r\n');
        }
        return;
      }
      isInData = /^DATA/m.test(chunk);
      socket.write(isInData ? '354 go on\r\n' : /^QUIT/m.test(chunk) ? '221 bye\r\n' : '250 ok\r\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return { server, url: `smtp://127.0.0.1:${port}`, received };
}
