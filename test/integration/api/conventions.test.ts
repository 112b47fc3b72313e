import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorTable } from '../../../src/platform/errors.ts';
import { createKey, revokeKey } from '../../../src/server/index.ts';
import { assertion, type RunningApi, startApi } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';
import { positionEvent } from '../../support/positions.ts';

let api: RunningApi;
// biome-ignore lint/suspicious/noExplicitAny: a document
let document: any;
beforeAll(async () => {
  api = await withDatabase((url) => startApi(url, { RATE_LIMIT: 0 }));
  document = (await api.get('/openapi.json')).body;
  await api.events(Array.from({ length: 7 }, (_, n) => ({ seq: n + 1, ...positionEvent('C-1', n) })));
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
});

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly isPublic: boolean;
  readonly scopes: readonly string[];
}
const operations = (): Operation[] =>
  Object.entries<Record<string, { security?: { bearer: string[] }[] }>>(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { security }]) => ({
      method: method.toUpperCase(),
      path: path.replaceAll(/\{(\w+)\}/g, 'C-1'),
      isPublic: security === undefined,
      scopes: security?.[0]?.bearer ?? [],
    })),
  );

describe('the document', () => {
  test('is OpenAPI 3.1 with every path of the API', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.servers).toEqual([{ url: '/' }]);
    expect(Object.keys(document.paths).sort()).toEqual(
      expect.arrayContaining([
        '/v1/auth/internal',
        '/v1/devices',
        '/v1/devices/{imei}',
        '/v1/devices/{imei}/positions',
        '/v1/devices/{imei}/timeline',
        '/v1/internal/downlink',
        '/v1/internal/events',
        '/v1/internal/presence',
        '/v1/positions',
        '/v1/vehicles/imei/{imei}/position',
        '/v1/vehicles/{imei}/position',
      ]),
    );
    for (const path of Object.keys(document.paths)) expect(path).toMatch(/^\/v1\//);
  });

  test('declares problems with their media type', () => {
    const { responses } = document.paths['/v1/devices'].get;
    const { $ref: ref } = responses['401'];
    expect(ref).toBe('#/components/responses/Problem401.unauthorized');
    const shared = document.components.responses['Problem401.unauthorized'];
    expect(shared.content['application/problem+json'].schema).toEqual({
      $ref: '#/components/schemas/Problem',
    });
    expect(document.components.schemas.Problem.required).toContain('requestId');
    expect(responses['200'].content['application/json']).toBeDefined();
  });

  test('contains no dangling reference', () => {
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref!);
    expect(refs.length).toBeGreaterThan(10);
    for (const ref of refs) {
      const found = ref
        .slice(2)
        .split('/')
        // biome-ignore lint/suspicious/noExplicitAny: a document
        .reduce((node: any, key) => node?.[key], document);
      expect(found, ref).toBeDefined();
    }
  });

  test('has an HTML page', async () => {
    const page = await api.get('/docs/', { authorization: '' });
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toContain('text/html');
  });
});

test('a method that a path does not support is answered with 405 and the supported methods', async () => {
  for (const method of ['QUERY', 'PUT', 'FROBNICATE']) {
    const text = await new Promise<string>((resolve, reject) => {
      let said = '';
      const socket = connect(Number(new URL(api.url).port), '127.0.0.1', () => {
        socket.write(`${method} /v1/devices/export HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      });
      socket.setEncoding('utf8').on('data', (chunk: string) => {
        said += chunk;
      });
      socket.on('close', () => resolve(said));
      socket.on('error', reject);
    });
    expect(text, method).toMatch(/^HTTP\/1\.1 405 /);
    expect(text.toLowerCase(), method).toContain('\r\nallow: get, head\r\n');
    expect(text, method).toContain('"code":"method-not-allowed"');
  }
});

describe('every operation', () => {
  test('that is not public requires a valid credential before it validates the request', async () => {
    const guarded = operations().filter(({ isPublic }) => !isPublic);
    expect(guarded.length).toBeGreaterThanOrEqual(11);
    for (const { method, path } of guarded) {
      for (const authorization of [
        '',
        'Bearer wrong',
        'Basic YTpi',
        `Bearer flt_live_000000000000_${'x'.repeat(43)}`,
      ]) {
        const answer = await api.send(method, path, undefined, { authorization, 'content-type': 'text/nonsense' });
        expect(answer, `${method} ${path} with "${authorization}"`).toMatchObject({
          status: 401,
          body: { code: 'unauthorized', status: 401 },
        });
        expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
      }
    }
  });

  test('requires its scopes', async () => {
    const tenantId = await api.database.tenantId('default');
    const { key } = await createKey(api.database.ingest, { tenantId, name: 'narrow', scopes: [] });
    for (const { method, path } of operations().filter(({ scopes }) => scopes.length > 0)) {
      const answer = await api.send(method, path, undefined, { authorization: `Bearer ${key}` });
      expect(answer, `${method} ${path}`).toMatchObject({ status: 403, body: { code: 'missing-scope' } });
    }
  });

  test('refuses API keys if it is internal', async () => {
    for (const { method, path } of operations().filter((o) => o.path.startsWith('/v1/internal/'))) {
      expect((await api.send(method, path)).status).toBe(403);
    }
  });
});

describe('problems', () => {
  test('have the shape of RFC 9457, a request id and the code of the table', async () => {
    const { status, headers, body } = await api.get('/v1/devices/nobody');
    expect(status).toBe(404);
    expect(headers.get('content-type')).toBe('application/problem+json');
    expect(body).toEqual({
      type: '/problems/unknown-device',
      title: errorTable['unknown-device'].title,
      status: 404,
      detail: expect.any(String),
      instance: '/v1/devices/nobody',
      code: 'unknown-device',
      requestId: headers.get('x-request-id'),
    });
  });

  test.each([
    ['GET', '/v1/nothing', undefined, {}, 404, 'not-found'],
    ['GET', '/nothing', undefined, { authorization: '' }, 404, 'not-found'],
    ['PUT', '/v1/devices', {}, {}, 405, 'method-not-allowed'],
    ['GET', '/v1/devices', undefined, { accept: 'text/csv' }, 406, 'not-acceptable'],
    ['POST', '/v1/devices', { imei: 'x' }, { 'content-type': 'application/xml' }, 415, 'unsupported-media-type'],
    ['POST', '/v1/devices', { imei: 'no spaces' }, {}, 422, 'invalid'],
    ['POST', '/v1/devices', undefined, { 'content-type': 'application/json' }, 422, 'invalid'],
    ['GET', '/v1/devices?limit=0', undefined, {}, 422, 'invalid'],
    ['GET', '/v1/devices?limit=501', undefined, {}, 422, 'invalid'],
    ['GET', '/v1/devices?state=asleep', undefined, {}, 422, 'invalid'],
    ['GET', '/v1/devices/C-1/positions?from=yesterday', undefined, {}, 422, 'invalid'],
    ['GET', '/v1/devices/C-1/positions?from=1000000000002&to=1000000000001', undefined, {}, 422, 'from-after-to'],
    ['GET', '/v1/devices/C-1/positions?cursor=x', undefined, {}, 422, 'bad-cursor'],
    ['POST', '/v1/positions', { positions: [] }, {}, 422, 'invalid'],
    ['POST', '/v1/positions', [], {}, 422, 'invalid'],
    ['POST', '/v1/devices', { imei: 'x', name: 'y'.repeat(1_100_000) }, {}, 413, 'too-large'],
    ['GET', `/v1/devices/${'x'.repeat(65)}`, undefined, {}, 422, 'invalid'],
    ['GET', '/v1/devices/%zz', undefined, {}, 400, 'malformed'],
  ])('%s %.60s', async (method, path, body, headers, status, code) => {
    const answer = await api.send(method, path, body, headers as unknown as Record<string, string>);
    expect(answer).toMatchObject({ status, body: { status, code } });
    if (status === 405) expect(answer.headers.get('allow')).toBe('GET, HEAD, POST');
  });

  test('name the field', async () => {
    const { body } = await api.send('POST', '/v1/devices', { imei: 'no spaces', options: { model: [] } });
    expect(body.errors.map((e: { pointer: string }) => e.pointer).sort()).toEqual(['/imei', '/options/model']);
  });

  test('report malformed JSON', async () => {
    const response = await fetch(`${api.url}/v1/devices`, {
      method: 'POST',
      body: '{"imei":',
      headers: { authorization: 'Bearer test-key-of-the-default-tenant', 'content-type': 'application/json' },
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'malformed' });
  });
});

test('a trailing slash is accepted', async () => {
  expect((await api.get('/v1/devices/')).body).toEqual((await api.get('/v1/devices')).body);
});

describe('a list', () => {
  test('is paged, oldest first, and contains each record once', async () => {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? '' : `&cursor=${cursor}`;
      const { body } = await api.get(`/v1/devices/C-1/positions?limit=3${query}`);
      seen.push(...body.items.map((p: { fixTime: string }) => p.fixTime));
      cursor = body.nextCursor;
    } while (cursor !== null);
    expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6].map((n) => `2026-05-01T08:00:0${n}Z`));
  });

  test('binds its cursor to its filter, and refuses a cursor that was changed', async () => {
    const { nextCursor } = (await api.get('/v1/devices/C-1/positions?limit=3')).body;
    expect((await api.get(`/v1/devices/C-1/positions?limit=2&cursor=${nextCursor}`)).status).toBe(200);
    const changed = (nextCursor[9] === 'A' ? 'B' : 'A') + nextCursor.slice(10);
    for (const path of [
      `/v1/devices/C-1/positions?from=1000000000001&cursor=${nextCursor}`,
      `/v1/devices?cursor=${nextCursor}`,
      `/v1/devices/C-1/positions?cursor=${nextCursor.slice(0, 9)}${changed}`,
      `/v1/devices/C-1/positions?cursor=${nextCursor.slice(0, -6)}`,
    ]) {
      expect((await api.get(path)).body).toMatchObject({ status: 422, code: 'bad-cursor' });
    }
  });

  test.each([
    ['from=1777622402000&to=1777622404000', 3],
    ['from=2026-05-01T10:00:02%2B02:00&to=2026-05-01T08:00:04Z', 3],
    ['from=2026-05-01&to=2026-05-01', 7],
    ['from=2026-05-02', 0],
    ['to=2026-04-30', 0],
  ])('requires an interval with both ends: %s', async (query, count) => {
    expect((await api.get(`/v1/devices/C-1/positions?${query}`)).body.items).toHaveLength(count);
  });
});

describe('credentials', () => {
  test('of a key are invalid after it is revoked', async () => {
    const tenantId = await api.database.tenantId('default');
    const { id, key } = await createKey(api.database.ingest, { tenantId, name: 'short', scopes: ['devices:read'] });
    const call = () => api.get('/v1/devices', { authorization: `Bearer ${key}` });
    expect((await call()).status).toBe(200);
    const aborted = new Promise<void>((resolve) => {
      api.database.listener.on('fleetgate_key', (revoked) => revoked === id && resolve());
    });
    expect(await revokeKey(api.database.ingest, tenantId, id)).toBe(true);
    await aborted;
    expect((await call()).status).toBe(401);
  });

  test('of a key are invalid after it expires, or with another secret', async () => {
    const tenantId = await api.database.tenantId('default');
    const old = await createKey(api.database.ingest, { tenantId, name: 'old', scopes: ['devices:read'], expiresAt: 1 });
    expect((await api.get('/v1/devices', { authorization: `Bearer ${old.key}` })).status).toBe(401);
    const good = await createKey(api.database.ingest, { tenantId, name: 'good', scopes: ['devices:read'] });
    const forged = good.key.slice(0, -1) + (good.key.endsWith('A') ? 'B' : 'A');
    expect((await api.get('/v1/devices', { authorization: `Bearer ${forged}` })).status).toBe(401);
  });

  const exchange = async (text: string) =>
    api.send('POST', '/v1/auth/internal', { service: 'gateway', assertion: text }, { authorization: '' });

  test('of a gateway are issued for an assertion, once', async () => {
    const text = await assertion('gw-x');
    const answer = await exchange(text);
    expect(answer.body).toEqual({
      accessToken: expect.any(String),
      tokenType: 'Bearer',
      expiresIn: 300,
      scope: 'internal positions:write commands:dispatch',
    });
    expect((await exchange(text)).body).toMatchObject({ status: 401, code: 'invalid-assertion' });
    // a token is no assertion
    expect((await exchange(answer.body.accessToken)).status).toBe(401);
  });

  test('of a gateway are not issued for a forged, late or long-lived assertion', async () => {
    const now = Math.floor(Date.now() / 1000);
    for (const text of [
      await assertion('gw-x', 'another-key-0123456789'),
      await assertion('gw-x', undefined, { exp: now - 3600 }),
      await assertion('gw-x', undefined, { exp: now + 86_400 }),
      await assertion('no such name!'),
      'rubbish',
    ]) {
      expect((await exchange(text)).body).toMatchObject({ status: 401, code: 'invalid-assertion' });
    }
    // an assertion is no token
    const answer = await api.get('/v1/devices', { authorization: `Bearer ${await assertion('gw-x')}` });
    expect(answer.status).toBe(401);
  });
});

describe('pages', () => {
  test('of health, readiness and metrics', async () => {
    expect((await api.get('/healthz', { authorization: '' })).body).toEqual({ status: 'ok' });
    expect((await api.get('/readyz', { authorization: '' })).body).toEqual({
      status: 'ready',
      checks: [{ name: 'database', ok: true }],
    });
    expect((await api.get('/metrics', { authorization: '' })).body).toMatch(/^fleetgate_positions_stored_total 7$/m);
  });
});

test('requests are limited per credential, and both header forms report the limit', async () => {
  const limited = await withDatabase((url) => startApi(url, { RATE_LIMIT: 3 }));
  try {
    const answers = [];
    for (let i = 0; i < 4; i++) answers.push(await limited.get('/v1/devices'));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(answers[3]!.body).toMatchObject({ code: 'rate-limited' });
    expect(answers[3]!.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(answers[0]!.headers.get('ratelimit-remaining')).toBe('2');
    expect(answers[0]!.headers.get('ratelimit')).toMatch(/^"default";r=2;t=\d+$/);
    expect(answers[0]!.headers.get('ratelimit-policy')).toBe('"default";q=3;w=60');
    for (let i = 0; i < 5; i++) {
      expect((await limited.send('POST', '/v1/positions', { positions: [{}] })).status).toBe(200);
      expect((await limited.events([{ type: 'clock', at: 1, seq: i + 1 }])).status).toBe(200);
    }
  } finally {
    await limited.stop();
  }
});
