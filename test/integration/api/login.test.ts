import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../src/platform/clock.ts';
import { addConsole, addQueueBoard } from '../../../src/server/console/index.ts';
import { createKey, revokeKey } from '../../../src/server/index.ts';
import { API_KEY, type RunningApi, startApi } from '../../support/api.ts';
import { createDatabase, dropDatabases } from '../../support/databases.ts';

const PASSWORD = 'a password of some length';

let api: RunningApi;
let elapsedMs = 0;

beforeAll(async () => {
  const clock = { now: () => systemClock.now() + elapsedMs, monotonic: systemClock.monotonic };
  api = await startApi(
    await createDatabase(),
    {},
    {
      clock,
      adminPassword: PASSWORD,
      pages: (app, services) => {
        addQueueBoard(app, (request) => services.may(request, 'ops:write'));
        addConsole(app, {
          tenantOf: services.tenantOf,
          overview: async (tenantId) => ({ tenantId }) as never,
        });
      },
    },
  );
});
afterAll(async () => {
  await api.stop();
  await dropDatabases();
});

const form = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(`${api.url}/login`, { method: 'POST', body: new URLSearchParams(fields), headers, redirect: 'manual' });

const cookieOf = (response: Response): string => response.headers.get('set-cookie')!.split(';')[0]!;

const look = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(api.url + path, { method, headers, redirect: 'manual' });

describe('logging in', () => {
  it('as admin sets a cookie that is not available to scripts and other sites', async () => {
    const response = await form({ user: 'admin', password: PASSWORD });
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe('/console');
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^fleetgate_session=[\w.-]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/),
      expect.stringMatching(/^fleetgate_device=[\w.-]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=15552000$/),
    ]);
    const data = await look('/console/data', { cookie: cookieOf(response) });
    expect(data.status).toBe(200);
    expect(await data.json()).toEqual({ tenantId: await api.database.tenantId('default') });
  });

  it('over HTTPS sets cookies of this host only, and reads no others', async () => {
    const https = { 'x-forwarded-proto': 'https' };
    const response = await form({ user: 'admin', password: PASSWORD }, https);
    for (const line of response.headers.getSetCookie()) {
      expect(line).toMatch(/^__Host-fleetgate_\w+=[\w.-]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+; Secure$/);
    }
    const cookie = cookieOf(response);
    expect((await look('/console/data', { ...https, cookie })).status).toBe(200);
    // as a sibling domain could set it
    const foreign = cookie.replace('__Host-', '');
    expect((await look('/console/data', { ...https, cookie: foreign })).status).toBe(401);
  });

  it.each([
    { user: 'admin', password: 'wrong' },
    { user: 'admin', password: '' },
    { user: 'root', password: PASSWORD },
    { user: '', password: PASSWORD },
    { user: 'admin', password: 'flt_live_abc_0000000000000000000000000000000000000000000' },
  ])('with %j is refused', async (fields) => {
    const response = await form(fields);
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe('/login?failed=wrong&next=%2Fconsole');
    expect(response.headers.get('set-cookie')).toBeNull();
  });

  it('with an API key needs the scope ops, and lasts no longer than the key', async () => {
    const tenantId = await api.database.tenantId('default');
    const make = (scopes: ('ops' | 'devices:read')[]) =>
      createKey(api.database.ingest, { tenantId, name: 'test', scopes });
    const poor = await make(['devices:read']);
    expect((await form({ user: '', password: poor.key })).headers.get('set-cookie')).toBeNull();
    const reader = await make(['ops']);
    const cookie = cookieOf(await form({ user: '', password: reader.key }));
    expect((await look('/console/data', { cookie })).status).toBe(200);
    await revokeKey(api.database.ingest, tenantId, reader.id);
    // other processes hear of it by a notification
    await expect.poll(async () => (await look('/console/data', { cookie })).status).toBe(401);
  });

  it('expires after twelve hours', async () => {
    const cookie = cookieOf(await form({ user: 'admin', password: PASSWORD }));
    elapsedMs = 12 * 3_600_000 - 60_000;
    expect((await look('/console/data', { cookie })).status).toBe(200);
    elapsedMs = 12 * 3_600_000 + 1_000;
    expect((await look('/console/data', { cookie })).status).toBe(401);
    elapsedMs = 0;
  });

  it('is not possible with a forged cookie', async () => {
    const cookie = cookieOf(await form({ user: 'admin', password: PASSWORD }));
    const [name, value] = cookie.split('=') as [string, string];
    const [head, claims, signature] = value.split('.') as [string, string, string];
    const payload = JSON.parse(Buffer.from(claims, 'base64url').toString());
    const later = Buffer.from(JSON.stringify({ ...payload, exp: 9_999_999_999 })).toString('base64url');
    const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt' })).toString('base64url');
    const forged = [`${head}.${later}.${signature}`, `${head}.${claims}.`, `${none}.${claims}.`, claims, '.', ''];
    for (const text of forged) expect((await look('/console/data', { cookie: `${name}=${text}` })).status).toBe(401);
  });

  it.each([
    ['https://elsewhere.example', '/console'],
    ['//elsewhere.example', '/console'],
    ['/\\elsewhere.example', '/console'],
    ['/admin/queues/', '/admin/queues/'],
  ])('redirects from %s to %s', async (next, expected) => {
    const response = await form({ user: 'admin', password: PASSWORD, next });
    expect(response.headers.get('location')).toBe(expected);
  });

  // Fetch Metadata: over plain HTTP there is no Sec-Fetch-Site, only Origin
  it.each([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'http://elsewhere.example' },
    { origin: 'null' },
  ])('is refused for forms of other sites: %j', async (headers) => {
    const response = await form({ user: 'admin', password: PASSWORD }, headers);
    expect(response.status).toBe(401);
    expect(response.headers.get('set-cookie')).toBeNull();
  });

  it('is invalid after logging out, for every copy of the cookie', async () => {
    const cookie = cookieOf(await form({ user: 'admin', password: PASSWORD }));
    expect((await look('/console/data', { cookie })).status).toBe(200);
    const response = await look('/logout', { cookie }, 'POST');
    expect(response.headers.get('set-cookie')).toContain('Max-Age=0');
    await vi.waitUntil(async () => (await look('/console/data', { cookie })).status === 401, { timeout: 60_000 });
  });

  it('is invalid after logging out also if an API key was used, which stays valid', async () => {
    const cookies = await Promise.all(
      [API_KEY, API_KEY].map((key) => form({ user: '', password: key }).then(cookieOf)),
    );
    for (const cookie of cookies) expect((await look('/console/data', { cookie })).status).toBe(200);
    await look('/logout', { cookie: cookies[0]! }, 'POST');
    await expect.poll(async () => (await look('/console/data', { cookie: cookies[0]! })).status).toBe(401);
    expect((await look('/console/data', { cookie: cookies[1]! })).status).toBe(200);
    expect((await look('/v1/devices', { authorization: `Bearer ${API_KEY}` })).status).toBe(200);
  });
});

describe('pages', () => {
  it.each(['/console', '/admin/queues', '/admin/queues/queue/gprs-commands'])(
    '%s redirects browsers to the login and answers programs with an error',
    async (path) => {
      const person = await look(path, { accept: 'text/html' });
      expect(person.status).toBe(303);
      expect(person.headers.get('location')).toBe(`/login?next=${encodeURIComponent(path)}`);
      const program = await look(path, { accept: 'application/json' });
      expect(program.status).toBe(401);
      expect(program.headers.get('content-type')).toContain('problem+json');
    },
  );

  it('load nothing from other origins', async () => {
    const cookie = cookieOf(await form({ user: 'admin', password: PASSWORD }));
    for (const path of ['/login', '/console']) {
      const response = await look(path, { cookie });
      expect(response.status).toBe(200);
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(await response.text()).not.toMatch(/https?:\/\/|<script(?![^>]* src=)| style=| on[a-z]+=/);
    }
  });

  it('accept an API key as a bearer token', async () => {
    const response = await look('/console/data', { authorization: `Bearer ${API_KEY}` });
    expect(response.status).toBe(200);
  });

  it('allow their cookie in the API for requests of the console only', async () => {
    const cookie = cookieOf(await form({ user: 'admin', password: PASSWORD }));
    const console = { cookie, 'x-requested-with': 'fleetgate-console' };
    expect((await look('/v1/devices', { cookie })).status).toBe(401);
    expect((await look('/v1/devices', console)).status).toBe(200);
    for (const site of ['cross-site', 'same-site', 'none'])
      expect((await look('/v1/devices', { ...console, 'sec-fetch-site': site })).status, site).toBe(401);
    // a change has to say where it comes from, too
    const path = '/v1/devices/356307042441013';
    expect((await look(path, console, 'DELETE')).status).toBe(401);
    expect((await look(path, { ...console, origin: 'https://elsewhere.example' }, 'DELETE')).status).toBe(401);
    expect((await look(path, { ...console, 'sec-fetch-site': 'same-origin' }, 'DELETE')).status).toBe(404);
  });

  it('have an event stream that ends when the login ends', async () => {
    const cookie = cookieOf(await form({ user: 'admin', password: PASSWORD }));
    const stream = await look('/v1/events', { cookie, 'x-requested-with': 'fleetgate-console' });
    expect(stream.status).toBe(200);
    await look('/logout', { cookie }, 'POST');
    // it is checked with each keep-alive comment
    expect(await stream.text()).toMatch(/^retry: /);
  });

  it('refuse changes of the queue by users who may only read', async () => {
    const tenantId = await api.database.tenantId('default');
    const { key } = await createKey(api.database.ingest, { tenantId, name: 'looks', scopes: ['ops'] });
    const authorization = `Bearer ${key}`;
    expect((await look('/admin/queues/api/queues', { authorization })).status).toBe(200);
    const path = '/admin/queues/api/queues/gprs-commands/pause';
    expect((await look(path, { authorization }, 'PUT')).status).toBe(403);
    const admin = `Bearer ${API_KEY}`;
    expect((await look(path, { authorization: admin }, 'PUT')).status).toBe(404);
  });

  it('change the queue for requests of the same origin only', async () => {
    const path = '/admin/queues/api/queues/gprs-commands/pause';
    const entry = await form({ user: 'admin', password: PASSWORD });
    const cookie = entry.headers.get('set-cookie')!.split(';', 1)[0]!;
    expect((await look(path, { cookie }, 'PUT')).status).toBe(401);
    expect((await look(path, { cookie, 'sec-fetch-site': 'same-site' }, 'PUT')).status).toBe(401);
    expect((await look(path, { cookie, origin: 'https://elsewhere.example' }, 'PUT')).status).toBe(401);
    expect((await look(path, { cookie, 'sec-fetch-site': 'same-origin' }, 'PUT')).status).toBe(404);
  });

  it('of other packages have a content security policy', async () => {
    const cookie = cookieOf(await form({ user: 'admin', password: PASSWORD }));
    for (const path of ['/docs', '/docs/static/index.html', '/admin/queues/']) {
      const response = await look(path, { cookie });
      const policy = response.headers.get('content-security-policy');
      expect(policy, path).toMatch(/default-src 'self'/);
      expect(policy, path).not.toMatch(/script-src[^;]*'unsafe-/);
    }
  });
});
