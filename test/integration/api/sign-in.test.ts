import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createKey, revokeKey } from '../../../src/server/index.ts';
import { accountOf } from '../../../src/server/kernel/auth/login/limits.ts';
import { type Answer, API_KEY, type RunningApi, startApi } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';

const PASSWORD = 'a first run’s password';
const mails: { to: string; text: string }[] = [];
let api: RunningApi;

beforeAll(async () => {
  api = await withDatabase((url) =>
    startApi(
      url,
      { TRUST_PROXY: 1, APP_MINIMUM_BUILD: 7 },
      {
        adminPassword: PASSWORD,
        sendMail: async (mail) => {
          mails.push(mail);
        },
      },
    ),
  );
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
});
afterEach(() => {
  vi.useRealTimers();
});

let addresses = 0;
/** each log-in from an address of its own, unless one is given */
const login = (body: object, address = `10.0.${++addresses >> 8}.${addresses & 255}`): Promise<Answer> =>
  api.send('POST', '/v1/auth/credentials', body, { authorization: '', 'x-forwarded-for': address });
const admin = (password = PASSWORD, address?: string) => login({ username: 'admin', password }, address);
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const open = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  api.send('POST', path, body, { authorization: '', ...headers });

describe('a log-in', () => {
  test('returns a token for the API with the tenant, the user and the scopes', async () => {
    const { status, body, headers } = await admin();
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toMatchObject({
      tokenType: 'Bearer',
      expiresIn: 900,
      refreshExpiresIn: 2_592_000,
      user: { username: 'admin', role: 'admin', tenant: 'default' },
    });
    expect(decodeProtectedHeader(body.accessToken)).toMatchObject({ alg: 'EdDSA', kid: expect.any(String) });
    const claims = decodeJwt(body.accessToken);
    expect(claims).toMatchObject({ tenant: 'default', sub: body.user.id, scope: body.scope, jti: expect.any(String) });
    expect(claims.exp! - claims.iat!).toBe(900);
    expect((await api.get('/v1/devices', bearer(body.accessToken))).status).toBe(200);
    const me = await api.get('/v1/app/ME', bearer(body.accessToken));
    expect(me.body).toMatchObject({
      user: { id: body.user.id, role: 'admin' },
      tenant: { name: 'default' },
      scopes: expect.arrayContaining(['app', 'ops', 'users:write']),
      badge: 0,
    });
    expect(me.body.scopes).not.toContain('internal');
  });

  test('returns a token that can be verified with the published keys', async () => {
    const { body } = await admin();
    const jwks = createRemoteJWKSet(new URL(`${api.url}/.well-known/jwks.json`));
    await jwtVerify(body.accessToken, jwks, { audience: 'fleetgate' });
    const { keys } = (await api.get('/.well-known/jwks.json', { authorization: '' })).body;
    expect(keys).toEqual([
      { kty: 'OKP', crv: 'Ed25519', x: expect.any(String), kid: expect.any(String), alg: 'EdDSA', use: 'sig' },
    ]);
  });

  test('is answered the same for a wrong password, a wrong user and a wrong tenant', async () => {
    const answers = [
      await admin('wrong'),
      await login({ username: 'nobody', password: PASSWORD }),
      await login({ username: 'admin', password: PASSWORD, tenant: 'elsewhere' }),
    ];
    for (const { status, body } of answers) {
      expect({ status, ...body, requestId: '' }).toEqual({ ...answers[0]!.body, requestId: '' });
      expect(body).toMatchObject({ status: 401, code: 'invalid-credentials' });
    }
  });

  test('refuses a token that was changed, is unsigned or has expired', async () => {
    const { accessToken } = (await admin()).body;
    const [head, payload, signature] = accessToken.split('.');
    const forged = Buffer.from(JSON.stringify({ ...decodeJwt(accessToken), tid: 999 })).toString('base64url');
    const unsigned = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url');
    for (const token of [`${head}.${forged}.${signature}`, `${unsigned}.${payload}.`, `${accessToken}x`]) {
      expect((await api.get('/v1/devices', bearer(token))).status).toBe(401);
    }
    expect((await api.get('/v1/devices', bearer(accessToken))).status).toBe(200);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 901_000 });
    expect((await api.get('/v1/devices', bearer(accessToken))).status).toBe(401);
  });
});

describe('wrong passwords', () => {
  test('lock the user for the address of the request for some time, and no other address', async () => {
    const attacker = '192.0.2.1';
    for (let i = 0; i < 5; i++) expect((await admin(`wrong ${i}`, attacker)).status).toBe(401);
    const { status, body, headers } = await admin(PASSWORD, attacker);
    expect({ status, code: body.code }).toEqual({ status: 423, code: 'locked' });
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(800);
    // the user from elsewhere, others from there, and every key
    expect((await admin(PASSWORD, '192.0.2.2')).status).toBe(200);
    expect((await login({ username: 'nobody', password: 'x' }, attacker)).status).toBe(401);
    expect((await api.get('/v1/devices', { 'x-forwarded-for': attacker })).status).toBe(200);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 901_000 });
    expect((await admin(PASSWORD, attacker)).status).toBe(200);
  });

  test('lock an unknown user name in the same way', async () => {
    const codes = [];
    for (let i = 0; i < 6; i++) codes.push((await login({ username: 'ghost', password: 'x' }, '192.0.2.9')).status);
    expect(codes).toEqual([401, 401, 401, 401, 401, 423]);
  });

  test('of unknown clients do not lock a user out at known addresses', async () => {
    expect((await admin(PASSWORD, '198.51.100.7')).status).toBe(200);
    await api.database.ingest.query(
      'insert into login_failure values ($1, 99, $2) on conflict (key) do update set points = 99',
      [`unknown-clients:${accountOf('default', 'admin')}`, Date.now() + 600_000],
    );
    expect((await admin('wrong', '203.0.113.1')).status).toBe(401);
    expect((await admin(PASSWORD, '203.0.113.200')).status).toBe(423);
    expect((await admin(PASSWORD, '198.51.100.7')).status).toBe(200);
    await api.database.ingest.query('delete from login_failure');
  });
});

test('a flood of wrong log-ins from an address does not affect users who logged in from it before, or keys', async () => {
  const flooded = await withDatabase((url) => startApi(url, { RATE_LIMIT: 600 }, { adminPassword: PASSWORD }));
  try {
    const attempt = (username: string, password: string) =>
      flooded.send('POST', '/v1/auth/credentials', { username, password }, { authorization: '' });
    expect((await attempt('admin', PASSWORD)).status).toBe(200);
    const statuses = new Map<number, number>();
    for (let i = 0; i < 500; i++) {
      const { status, headers } = await attempt(`user ${i % 40}`, 'wrong');
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 429) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(statuses.get(429)).toBeGreaterThan(400);
    expect((await attempt('admin', PASSWORD)).status).toBe(200);
    expect((await flooded.get('/v1/devices')).status).toBe(200);
  } finally {
    await flooded.stop();
  }
});

describe('a refresh token', () => {
  const refresh = (refreshToken: string) => open('/v1/auth/refresh', { refreshToken });

  test('is valid once and returns the next', async () => {
    const first = (await admin()).body;
    const second = await refresh(first.refreshToken);
    expect(second.status).toBe(200);
    expect(second.body.refreshToken).not.toBe(first.refreshToken);
    expect((await refresh(second.body.refreshToken)).status).toBe(200);
  });

  test('that is used again ends the session with all its tokens', async () => {
    const first = (await admin()).body;
    const second = (await refresh(first.refreshToken)).body;
    expect((await api.get('/v1/devices', bearer(second.accessToken))).status).toBe(200);
    expect((await refresh(first.refreshToken)).body).toMatchObject({ status: 401, code: 'invalid-credentials' });
    expect((await refresh(second.refreshToken)).status).toBe(401);
    await expect.poll(async () => (await api.get('/v1/devices', bearer(second.accessToken))).status).toBe(401);
  });

  test('that is used twice at the same time gives at most one session', async () => {
    const { refreshToken } = (await admin()).body;
    const answers = await Promise.all([refresh(refreshToken), refresh(refreshToken)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  test('is required', async () => {
    for (const body of [undefined, {}, { refreshToken: 7 }, { refreshToken: 'rft_made-up' }]) {
      expect((await open('/v1/auth/refresh', body)).status).toBe(401);
    }
  });

  test('is invalid after logging out', async () => {
    const { accessToken, refreshToken } = (await admin()).body;
    const answer = await api.send('POST', '/v1/auth/revoke', {}, bearer(accessToken));
    expect(answer.body).toEqual({ message: 'Sessions ended', sessionsRevoked: 1 });
    // by the time it is answered, in the process that answers
    expect((await api.get('/v1/devices', bearer(accessToken))).status).toBe(401);
    expect((await refresh(refreshToken)).status).toBe(401);
  });
});

describe('a key', () => {
  const makeKey = async (scopes: readonly ('devices:read' | 'vehicles:read')[]) => {
    const tenantId = await api.database.tenantId('default');
    return { tenantId, ...(await createKey(api.database.ingest, { tenantId, name: 'service', scopes })) };
  };

  test('can be exchanged for a token, with fewer scopes if requested', async () => {
    const { key } = await makeKey(['devices:read', 'vehicles:read']);
    const all = await open('/v1/auth/user_api', { apiKey: key });
    expect(all.body).toEqual({
      accessToken: expect.any(String),
      tokenType: 'Bearer',
      expiresIn: 3600,
      scope: 'devices:read vehicles:read',
    });
    expect((await api.get('/v1/devices', bearer(all.body.accessToken))).status).toBe(200);
    const less = await open('/v1/auth/user_api', { apiKey: key, scope: 'vehicles:read' });
    expect(less.body.scope).toBe('vehicles:read');
    expect((await api.get('/v1/devices', bearer(less.body.accessToken))).body.code).toBe('missing-scope');
    const more = await open('/v1/auth/user_api', { apiKey: key, scope: 'vehicles:read ops' });
    expect(more.body).toMatchObject({ status: 403, code: 'scope-not-granted' });
  });

  test('can be exchanged for a token by OAuth 2.0 client credentials', async () => {
    const { id, key } = await makeKey(['devices:read']);
    const secret = key.slice(`flt_live_${id}_`.length);
    const form = (body: string, headers = {}) =>
      fetch(`${api.url}/v1/auth/user_api`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      });
    const basic = { authorization: `Basic ${Buffer.from(`${id}:${encodeURIComponent(secret)}`).toString('base64')}` };
    for (const response of [
      await form('grant_type=client_credentials&scope=devices%3Aread', basic),
      await form(`grant_type=client_credentials&client_id=${id}&client_secret=${secret}`),
    ]) {
      expect(response.status).toBe(200);
      const { access_token, token_type, expires_in } = (await response.json()) as Record<string, string>;
      expect({ token_type, expires_in }).toEqual({ token_type: 'Bearer', expires_in: 3600 });
      expect((await api.get('/v1/devices', bearer(access_token!))).status).toBe(200);
    }
    const wrong = { authorization: `Basic ${Buffer.from(`${id}:${'A'.repeat(43)}`).toString('base64')}` };
    const refused = await form('grant_type=client_credentials', wrong);
    expect(await refused.json()).toMatchObject({ status: 401, code: 'invalid-client' });
  });

  test('is revoked together with its tokens', async () => {
    const { id, key, tenantId } = await makeKey(['devices:read']);
    const { accessToken } = (await open('/v1/auth/user_api', { apiKey: key })).body;
    expect((await api.get('/v1/devices', bearer(accessToken))).status).toBe(200);
    await revokeKey(api.database.ingest, tenantId, id);
    await expect.poll(async () => (await api.get('/v1/devices', bearer(accessToken))).status).toBe(401);
    expect((await open('/v1/auth/user_api', { apiKey: key })).body.code).toBe('invalid-client');
  });

  test('that is revoked through the API is invalid when the request is answered, and so are its tokens', async () => {
    const { id, key } = await makeKey(['devices:read']);
    const { accessToken } = (await open('/v1/auth/user_api', { apiKey: key })).body;
    const statuses = async () =>
      (await Promise.all([key, accessToken].map((token) => api.get('/v1/devices', bearer(token))))).map(
        (a) => a.status,
      );
    expect(await statuses()).toEqual([200, 200]);
    expect((await api.send('DELETE', `/v1/keys/${id}`)).status).toBe(200);
    expect(await statuses()).toEqual([401, 401]);
  });

  test('of the settings acts on behalf of a user if requested', async () => {
    const { body } = await open('/v1/auth/user_api', { apiKey: API_KEY, onBehalfOf: 'admin' });
    expect((await api.get('/v1/app/me', bearer(body.accessToken))).body.user.username).toBe('admin');
    const { key } = await makeKey(['devices:read']);
    const refused = await open('/v1/auth/user_api', { apiKey: key, onBehalfOf: 'admin' });
    expect(refused.body).toMatchObject({ status: 403, code: 'scope-not-granted' });
  });
});

describe('an app', () => {
  test('is notified whether its version is supported', async () => {
    const { body, headers } = await api.get('/v1/app/version?platform=ios&build=3', { authorization: '' });
    expect(body).toMatchObject({ api: '0.0.0', minimum: 7, mustUpdate: true });
    expect(headers.get('cache-control')).toContain('max-age=300');
    const device = { id: 'phone-1', build: 3 };
    const old = await open('/v1/app/auth', { username: 'admin', password: PASSWORD, device });
    expect(old.body).toMatchObject({ status: 426, code: 'app-too-old' });
  });

  test('logs in with its device and continues with a refresh token', async () => {
    const device = { id: 'phone-1', platform: 'android', build: 9 };
    const headers = { 'x-forwarded-for': '10.9.0.1' };
    const first = await open('/v1/app/auth', { username: 'ADMIN', password: PASSWORD, device }, headers);
    expect(first.body).toMatchObject({ deviceId: 'phone-1', user: { username: 'admin' } });
    const second = await open('/v1/app/auth', { refreshToken: first.body.refreshToken });
    expect(second.body).toMatchObject({ deviceId: 'phone-1', accessToken: expect.any(String) });
    expect((await open('/v1/app/auth', { username: 'admin' })).body).toMatchObject({ status: 422, code: 'invalid' });
  });
});

describe('own sessions', () => {
  const listed = async (token: string) => (await api.get('/v1/auth/sessions', bearer(token))).body.items;

  test('are listed with where they were begun, and each can be ended', async () => {
    const user = { username: 'serena', password: PASSWORD };
    await api.send('POST', '/v1/users', { ...user, role: 'viewer' });
    const first = (await login(user, '198.51.100.1')).body.accessToken;
    const device = { id: 'phone-1', platform: 'ios', model: 'X' };
    const app = await open('/v1/app/auth', { ...user, device: { ...device, build: 9 } });
    const [newest, oldest] = await listed(first);
    expect(newest).toMatchObject({ device, isCurrent: false, userAgent: 'node' });
    expect(oldest).toMatchObject({ device: null, isCurrent: true, address: '198.51.100.1' });
    const end = (token: string) => api.send('DELETE', `/v1/auth/sessions/${newest.id}`, undefined, bearer(token));
    // those of others look as if they did not exist
    expect((await end((await admin()).body.accessToken)).body.code).toBe('unknown-session');
    expect((await end(first)).status).toBe(200);
    expect((await api.get('/v1/devices', bearer(app.body.accessToken))).status).toBe(401);
    expect((await end(first)).body.code).toBe('unknown-session');
    expect(await listed(first)).toMatchObject([{ id: oldest.id }]);
    expect((await api.get('/v1/auth/sessions')).body.code).toBe('unknown-user');
  });

  test('and other answers that need a credential are not cached', async () => {
    const { accessToken } = (await admin()).body;
    for (const path of ['/v1/auth/sessions', '/v1/devices', '/v1/drivers', '/v1/app/me', '/v1/users/me'])
      expect((await api.get(path, bearer(accessToken))).headers.get('cache-control'), path).toBe('no-store');
  });
});
