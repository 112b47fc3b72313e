import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningApi, startApi } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';

const PASSWORD = 'correct horse battery';
const OWNER = '198.51.100.7';
const ATTACKER = '203.0.113.9';

let api: RunningApi;
beforeAll(async () => {
  api = await withDatabase((url) => startApi(url, { RATE_LIMIT: 0, TRUST_PROXY: 1 }, { limitsLogins: true }));
  for (const username of ['olga', 'otto']) {
    await api.send('POST', '/v1/users', { username, role: 'viewer', password: PASSWORD });
  }
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
});

const login = (username: string, password: string, forwardedFor: string) =>
  api.send(
    'POST',
    '/v1/auth/credentials',
    { username, password },
    { authorization: '', 'x-forwarded-for': forwardedFor },
  );

test('an address that a client writes into a header does not lock out the owner of that address', async () => {
  expect((await login('olga', PASSWORD, OWNER)).status).toBe(200);
  // the proxy appends the address that it sees
  for (let n = 0; n < 5; n++) await login('olga', 'wrong', `${OWNER}, ${ATTACKER}`);
  expect((await login('olga', 'wrong', `${OWNER}, ${ATTACKER}`)).body.code).toBe('locked');
  expect((await login('olga', PASSWORD, OWNER)).status).toBe(200);
});

test('others at the address of the owner do not lock out the program that the owner has logged in with', async () => {
  const shared = '192.0.2.10';
  const withCookie = (password: string, cookie: string) =>
    api.send(
      'POST',
      '/v1/auth/credentials',
      { username: 'otto', password },
      { authorization: '', 'x-forwarded-for': shared, cookie },
    );
  const first = await withCookie(PASSWORD, '');
  const cookie = first.headers.get('set-cookie')!.split(';', 1)[0]!;
  expect(cookie).toMatch(/^fleetgate_device=/);
  for (let n = 0; n < 5; n++) await login('otto', 'wrong', shared);
  expect((await login('otto', PASSWORD, shared)).body.code).toBe('locked');
  expect((await withCookie(PASSWORD, cookie)).status).toBe(200);
  // of another account, and a forged one
  const olgas = (await login('olga', PASSWORD, shared)).headers.get('set-cookie')!.split(';', 1)[0]!;
  expect((await withCookie(PASSWORD, olgas)).body.code).toBe('locked');
  expect((await withCookie(PASSWORD, `${cookie.slice(0, -4)}AAAA`)).body.code).toBe('locked');
  // its own wrong passwords are limited too
  for (let n = 0; n < 5; n++) await withCookie(`guess ${n}`, cookie);
  expect((await withCookie(PASSWORD, cookie)).body.code).toBe('locked');
});

describe('an attacker with a stolen session', () => {
  test('of an administrator does not get around the password or the one-time password', async () => {
    await api.send('POST', '/v1/users', { username: 'adele', role: 'admin', password: PASSWORD });
    const { accessToken, user } = (await login('adele', PASSWORD, OWNER)).body;
    const asAdele = { authorization: `Bearer ${accessToken}` };
    for (const name of ['me', 'adele', user.id]) {
      const password = 'staple of another kind';
      expect((await api.send('PATCH', `/v1/users/${name}`, { password }, asAdele)).body.code).toBe('conflict');
    }
    for (const name of ['adele', user.id]) {
      expect((await api.send('DELETE', `/v1/users/${name}/otp`, undefined, asAdele)).body).toMatchObject({
        code: 'conflict',
        detail: expect.stringContaining('DELETE /v1/users/me/otp'),
      });
    }
    expect((await login('adele', PASSWORD, OWNER)).status).toBe(200);
  });

  test('cannot guess the password or a one-time password, and does not lock the log-in', async () => {
    const { accessToken } = (await login('olga', PASSWORD, OWNER)).body;
    const asOlga = { authorization: `Bearer ${accessToken}` };
    const change = (currentPassword: string) =>
      api.send('PUT', '/v1/users/me/password', { currentPassword, newPassword: 'staple of another kind' }, asOlga);
    for (let n = 0; n < 5; n++) expect((await change(`guess ${n}`)).body.code).toBe('invalid-credentials');
    expect((await change(PASSWORD)).body.code).toBe('locked');
    expect((await api.send('POST', '/v1/users/me/otp', { password: PASSWORD }, asOlga)).body.code).toBe('locked');
    expect((await api.send('DELETE', '/v1/users/me/otp?otp=123456', undefined, asOlga)).body.code).toBe('locked');
    expect((await login('olga', PASSWORD, OWNER)).status).toBe(200);
  });

  test('cannot disable one-time passwords by trying codes', async () => {
    const { accessToken } = (await login('otto', PASSWORD, OWNER)).body;
    const asOtto = { authorization: `Bearer ${accessToken}` };
    await api.send('POST', '/v1/users/me/otp', { password: PASSWORD }, asOtto);
    const confirm = () => api.send('POST', '/v1/users/me/otp/confirm', { otp: 'AAAAA' }, asOtto);
    for (let n = 0; n < 5; n++) expect((await confirm()).body.code).toBe('invalid-credentials');
    expect((await confirm()).body).toMatchObject({ status: 423, code: 'locked' });
  });
});

// the last one: the flood leaves little for log-ins from addresses that are not known yet
test('log-ins are limited also if requests are not', async () => {
  const codes = new Set<string>();
  for (let n = 0; n < 30 && !codes.has('rate-limited'); n++)
    codes.add((await login(`guess${n}`, 'x', '203.0.113.77')).body.code);
  expect(codes).toContain('rate-limited');
});
