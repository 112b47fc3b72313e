import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/platform/clock.ts';
import { type Answer, type RunningApi, startApi } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';

const PASSWORD = 'a harbour of 9 cranes';
let api: RunningApi;
let now = systemClock.now();

beforeAll(async () => {
  const clock = { now: () => now, monotonic: systemClock.monotonic };
  api = await withDatabase((url) => startApi(url, {}, { clock }));
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
});

const login = (username: string, otp?: string): Promise<Answer> =>
  api.send('POST', '/v1/auth/credentials', { username, password: PASSWORD, otp }, { authorization: '' });
const bearer = (answer: Answer) => ({ authorization: `Bearer ${answer.body.accessToken}` });
/** RFC 6238 with what authenticators take: SHA-1, six digits, 30 s */
const codeAt = (secret: string, at: number): string =>
  new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 }).generate({ timestamp: at });

/** A user who has asked for one-time passwords, with the secret and the recovery codes. */
async function enrolled(username: string) {
  await api.send('POST', '/v1/users', { username, role: 'viewer', password: PASSWORD });
  const me = bearer(await login(username));
  const { secret, uri } = (await api.send('POST', '/v1/users/me/otp', { password: PASSWORD }, me)).body;
  const confirmed = await api.send('POST', '/v1/users/me/otp/confirm', { otp: codeAt(secret, now) }, me);
  now += 30_000;
  return { me, secret, uri, codes: confirmed.body.recoveryCodes as string[] };
}

describe('a one-time password', () => {
  test('is computed as in RFC 6238', () => {
    // appendix B, the last six of its eight digits
    const secret = Secret.fromLatin1('12345678901234567890').base32;
    expect(codeAt(secret, 59_000)).toBe('287082');
    expect(codeAt(secret, 1_111_111_109_000)).toBe('081804');
  });

  test('is required after it has been confirmed, and not before', async () => {
    await api.send('POST', '/v1/users', { username: 'slow', role: 'viewer', password: PASSWORD });
    const me = bearer(await login('slow'));
    const wrong = await api.send('POST', '/v1/users/me/otp', { password: 'another' }, me);
    expect(wrong.body.code).toBe('invalid-credentials');
    const { secret, uri } = (await api.send('POST', '/v1/users/me/otp', { password: PASSWORD }, me)).body;
    expect(uri).toContain('otpauth://totp/');
    expect(uri).toContain(secret);
    expect((await login('slow')).status).toBe(200);
    const confirm = (otp: string) => api.send('POST', '/v1/users/me/otp/confirm', { otp }, me);
    expect((await confirm('000000x')).body.code).toBe('invalid-credentials');
    const codes = (await confirm(codeAt(secret, now))).body.recoveryCodes;
    expect(new Set(codes).size).toBe(10);
    expect((await confirm(codeAt(secret, now))).body.code).toBe('conflict');
    expect((await api.send('POST', '/v1/users/me/otp', { password: PASSWORD }, me)).body.code).toBe('conflict');
    expect(await login('slow')).toMatchObject({ status: 401, body: { code: 'otp-required' } });
    expect((await api.get('/v1/users/me/otp', me)).body).toEqual({ enabled: true, recoveryCodesLeft: 10 });
  });

  test('is accepted once, at most one period early or late', async () => {
    const { secret } = await enrolled('olga');
    const code = codeAt(secret, now);
    expect((await login('olga', code)).status).toBe(200);
    expect((await login('olga', code)).body.code).toBe('invalid-credentials');
    now += 90_000;
    expect((await login('olga', codeAt(secret, now - 60_000))).status).toBe(401);
    expect((await login('olga', codeAt(secret, now - 30_000))).status).toBe(200);
    expect((await login('olga', codeAt(secret, now + 30_000))).status).toBe(200);
    // what lies before one that was used is spent too
    expect((await login('olga', codeAt(secret, now))).status).toBe(401);
  });

  test('is accepted for one of two concurrent log-ins', async () => {
    const { secret } = await enrolled('twin');
    const both = await Promise.all([login('twin', codeAt(secret, now)), login('twin', codeAt(secret, now))]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  test('that is wrong counts as a wrong password', async () => {
    const { secret } = await enrolled('gus');
    for (let n = 0; n < 5; n++) expect((await login('gus', '123456x')).status).toBe(401);
    expect((await login('gus', codeAt(secret, now))).body.code).toBe('locked');
  });

  test('is required by the app and by the page', async () => {
    const { secret } = await enrolled('appy');
    const app = (otp?: string) =>
      api.send('POST', '/v1/app/auth', { username: 'appy', password: PASSWORD, otp }, { authorization: '' });
    expect((await app()).body.code).toBe('otp-required');
    expect((await app(codeAt(secret, now))).status).toBe(200);
    const fields = { user: 'appy', password: PASSWORD };
    const page = await fetch(`${api.url}/login`, {
      method: 'POST',
      body: new URLSearchParams(fields),
      redirect: 'manual',
    });
    expect(page.headers.get('location')).toContain('failed=otp');
  });
});

describe('a recovery code', () => {
  test('is accepted in its place, once', async () => {
    const { codes, me } = await enrolled('lost');
    expect((await login('lost', codes[3]!.toLowerCase().replace('-', ' '))).status).toBe(200);
    expect((await login('lost', codes[3])).status).toBe(401);
    expect((await api.get('/v1/users/me/otp', me)).body.recoveryCodesLeft).toBe(9);
  });

  test('disables one-time passwords, as a code does; nothing else of the user does', async () => {
    const { codes, me } = await enrolled('ender');
    expect((await api.send('DELETE', '/v1/users/me/otp?otp=nonsense', undefined, me)).status).toBe(401);
    expect((await api.send('DELETE', `/v1/users/me/otp?otp=${codes[0]}`, undefined, me)).status).toBe(200);
    expect((await login('ender')).status).toBe(200);
    expect((await api.send('DELETE', `/v1/users/me/otp?otp=${codes[1]}`, undefined, me)).body.code).toBe('conflict');
  });

  test('is not necessary if an administrator disables them', async () => {
    await enrolled('stuck');
    expect((await api.send('DELETE', '/v1/users/stuck/otp')).status).toBe(200);
    expect((await login('stuck')).status).toBe(200);
    expect((await api.send('DELETE', '/v1/users/stuck/otp')).body.code).toBe('conflict');
  });
});

test('secrets and codes are not in the audit trail and not in the export of personal data', async () => {
  const { secret, codes } = await enrolled('trail');
  const audit = JSON.stringify((await api.get('/v1/audit?limit=500')).body);
  const { rows } = await api.database.ingest.query('select row_to_json(o)::text as text from user_otp o');
  const kept = rows.map(({ text }) => text).join();
  expect(audit).toContain('/v1/users/me/otp');
  for (const word of [secret, ...codes]) expect(audit).not.toContain(word);
  for (const word of codes) expect(kept).not.toContain(word);
  const asApp = api.database.app.query('select * from user_otp');
  await expect(asApp).rejects.toMatchObject({ code: '42501' });
});
