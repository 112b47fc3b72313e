import { request as httpRequest } from 'node:http';
import { SignJWT } from 'jose';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey, revokeKey, SCOPES } from '../../../src/server/index.ts';
import { API_KEY, type RunningApi, startApi } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';
import { positionEvent } from '../../support/positions.ts';

interface Operation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly scopes: readonly string[];
  readonly isPublic: boolean;
}

const PASSWORD = 'the owner’s own words';
const STREAM = { name: 'a stream', type: 'http', url: 'https://receiver.example/fleet', kinds: ['position'] };
let api: RunningApi;
let databaseUrl: string;
let operations: Operation[];
/** what stands in paths: names of things that the tenant `default` has, by the parameter's name */
const mine: Record<string, string> = {};

beforeAll(async () => {
  api = await withDatabase((url) => {
    databaseUrl = url;
    return startApi(url, { diagnostics: true }, { adminPassword: PASSWORD });
  });
  await api.events([positionEvent('SECRET-1', 1)]);
  const post = async (path: string, body: object) => (await api.send('POST', path, body)).body;
  await post('/v1/vehicles', { targa: 'SECRET1' });
  await post('/v1/pairings', { targa: 'SECRET1', imei: 'SECRET-1', from: 1_000_000_000_001 });
  const driver = await post('/v1/drivers', { name: 'SECRET driver' });
  Object.assign(mine, {
    imei: 'SECRET-1',
    targa: 'SECRET1',
    user_id: 'admin',
    tenant: 'default',
    id: driver.id,
    version: 'v1',
  });
  const { paths } = (await api.get('/openapi.json')).body as {
    paths: Record<string, Record<string, { security?: { bearer: string[] }[] }>>;
  };
  operations = Object.entries(paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, { security }]) => ({
      name: `${method.toUpperCase()} ${template}`,
      method: method.toUpperCase(),
      path: template.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => mine[parameter] ?? 'SECRET'),
      scopes: security?.[0]?.bearer ?? [],
      isPublic: security === undefined,
    })),
  );
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
});

const closed = () => operations.filter(({ isPublic }) => !isPublic);

async function tokens(): Promise<Record<string, string | undefined>> {
  const tenantId = await api.database.tenantId('default');
  const expired = await createKey(api.database.ingest, { tenantId, name: 'old', scopes: SCOPES, expiresAt: 1 });
  const revoked = await createKey(api.database.ingest, { tenantId, name: 'gone', scopes: SCOPES });
  const ofRevoked = await api.send('POST', '/v1/auth/user_api', { apiKey: revoked.key }, { authorization: '' });
  await revokeKey(api.database.ingest, tenantId, revoked.id);
  const login = () =>
    api.send('POST', '/v1/auth/credentials', { username: 'admin', password: PASSWORD }, { authorization: '' });
  const { accessToken, refreshToken } = (await login()).body;
  const ended = (await login()).body.accessToken;
  await api.send('POST', '/v1/auth/revoke', {}, { authorization: `Bearer ${ended}` });
  const [head, payload] = accessToken.split('.');
  const selfMade = await new SignJWT({ tid: tenantId, scope: SCOPES.join(' '), user: false })
    .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
    .setSubject('API_KEY')
    .setAudience('fleetgate')
    .setIssuer('fleetgate')
    .setJti('1')
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode('a key that anybody might guess, 32'));
  return {
    none: undefined,
    'of another scheme': `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`,
    wrong: 'Bearer wrong',
    'a made-up key': `Bearer flt_live_000000000000_${'A'.repeat(43)}`,
    'an expired key': `Bearer ${expired.key}`,
    'a revoked key': `Bearer ${revoked.key}`,
    'a token of a revoked key': `Bearer ${ofRevoked.body.accessToken}`,
    'a token of an ended session': `Bearer ${ended}`,
    'a token without its signature': `Bearer ${head}.${payload}.`,
    'a token of one’s own making': `Bearer ${selfMade}`,
    'a refresh token': `Bearer ${refreshToken}`,
  };
}

describe('every operation of the document', () => {
  test('is found in the API document', () => {
    expect(closed().length).toBeGreaterThan(50);
    const open = operations.filter(({ isPublic }) => isPublic).map(({ name }) => name);
    expect(open.sort()).toEqual([
      'GET /v1/app/version',
      'POST /v1/app/auth',
      'POST /v1/app/recovery_mode',
      'POST /v1/auth/credentials',
      'POST /v1/auth/internal',
      'POST /v1/auth/refresh',
      'POST /v1/auth/user_api',
      'POST /v1/shared',
      'PUT /v1/app/recovery_mode',
    ]);
  });

  test('answers 401 to an invalid credential before it validates the request', async () => {
    for (const [kind, authorization] of Object.entries(await tokens())) {
      for (const { method, path, name } of closed()) {
        const headers: Record<string, string> = authorization === undefined ? { authorization: '' } : { authorization };
        const body = method === 'GET' || method === 'DELETE' ? undefined : { nothing: 'valid' };
        const answer = await api.send(method, path, body, headers);
        expect({ status: answer.status, code: answer.body.code }, `${name} with ${kind}`).toEqual({
          status: 401,
          code: 'unauthorized',
        });
        expect(JSON.stringify({ ...answer.body, instance: '' })).not.toContain('SECRET');
      }
    }
  });

  test('shows nothing of one tenant to another, whatever its scopes', async () => {
    const tenantId = await api.database.tenantId('other-tenant');
    const { key } = await createKey(api.database.ingest, { tenantId, name: 'all', scopes: SCOPES });
    for (const { method, path, name } of closed()) {
      // a held stream does not end; what it shows is tested with it
      if (/\/internal\/|\/v1\/events$/.test(path)) continue;
      const body = method === 'GET' || method === 'DELETE' ? undefined : {};
      const answer = await api.send(method, path, body, { authorization: `Bearer ${key}` });
      expect(answer.status, name).toBeLessThan(500);
      const text = JSON.stringify(typeof answer.body === 'string' ? answer.body : { ...answer.body, instance: '' });
      // what was asked for may be named in the answer to it, what lies in records may not
      expect(text.replaceAll('SECRET-1', '').replaceAll('SECRET1', ''), name).not.toContain('SECRET');
      expect(text, name).not.toContain('"latitude":');
    }
    // and it has changed nothing
    expect((await api.get('/v1/vehicles/SECRET1?include=lastPosition')).body).toMatchObject({ imei: 'SECRET-1' });
    expect((await api.get(`/v1/drivers/${mine['id']}`)).status).toBe(200);
  });
});

interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | string[];
  readonly anyOf?: JsonSchema[];
  readonly oneOf?: JsonSchema[];
  readonly allOf?: JsonSchema[];
  readonly enum?: unknown[];
  readonly const?: unknown;
  readonly properties?: Record<string, JsonSchema>;
}
type Body = Record<string, { readonly schema: JsonSchema; readonly example: object } | undefined>;

/** Fields of an object, of each of the shapes that it may have. */
function propertiesOf(schema: JsonSchema, known: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const { $ref: ref, properties, anyOf, oneOf, allOf } = schema;
  if (ref !== undefined) return propertiesOf(known[ref.split('/').at(-1)!]!, known);
  const choices = (anyOf ?? oneOf ?? allOf ?? []).map((choice) => propertiesOf(choice, known));
  return Object.assign({}, ...choices, properties ?? {});
}

/** what stands in the paths of lists, where it is not what it is elsewhere */
const inLists: Readonly<Record<string, string>> = { id: 'admin', from: '2026-05-01', data: '2026-05-01' };

describe('invalid input', () => {
  test('of every operation that takes JSON is refused, and nothing is stored', async () => {
    const before = await everything();
    const { paths } = (await api.get('/openapi.json')).body;
    // what they take is anything at all, or may be left out
    const takesAnything = new Set(['/v1/unamerda', '/v1/diagnostics/echo']);
    const send = async (method: string, path: string, body: string) => {
      const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' };
      const response = await fetch(api.url + path, { method, headers, body });
      return { status: response.status, code: ((await response.json()) as { code: string }).code };
    };
    let walked = 0;
    for (const [template, methods] of Object.entries<Record<string, { requestBody?: { content: object } }>>(paths)) {
      for (const [method, { requestBody }] of Object.entries(methods)) {
        if (!Object.hasOwn(requestBody?.content ?? {}, 'application/json')) continue;
        const path = template.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => mine[parameter] ?? 'SECRET');
        if (path.startsWith('/v1/internal/')) continue;
        const name = `${method} ${template}`;
        for (const text of ['{"a":', '{"a":1}}', '\u0000', "{'a':1}", '{"a":NaN}']) {
          const answer = await send(method.toUpperCase(), path, text);
          expect(answer, `${name} ${text}`).toEqual({ status: 400, code: 'malformed' });
        }
        if (takesAnything.has(template)) continue;
        for (const text of ['7', '"x"', 'true', '[]']) {
          const { status } = await send(method.toUpperCase(), path, text);
          // a credential in the body is asked for before anything else
          expect(template === '/v1/auth/refresh' ? 401 : 422, `${name} ${text}`).toBe(status);
        }
        walked++;
      }
    }
    expect(walked).toBeGreaterThan(30);
    expect(await everything()).toEqual(before);
  });

  test('of a wrong type in any field of any body is refused, and nothing is stored', async () => {
    const before = await everything();
    const { paths, components } = (await api.get('/openapi.json')).body;
    const typesOf = (schema: JsonSchema): string[] => {
      const { $ref: ref, type, anyOf, oneOf, allOf, enum: words, const: only } = schema;
      if (ref !== undefined) return typesOf(components.schemas[ref.split('/').at(-1)!]);
      if (only !== undefined) return [typeof only];
      if (words !== undefined) return words.map((word) => typeof word);
      const choices = anyOf ?? oneOf ?? allOf;
      if (choices !== undefined) return choices.flatMap(typesOf);
      return type === undefined ? ['any'] : [type].flat();
    };
    const wrong: readonly (readonly [string, unknown])[] = [
      ['object', { wrong: [] }],
      ['number', 7.5],
      ['string', 'x'],
      ['array', [[]]],
    ];
    let fields = 0;
    for (const [template, methods] of Object.entries<Record<string, { requestBody?: { content: Body } }>>(paths)) {
      for (const [method, { requestBody }] of Object.entries(methods)) {
        const { schema, example } = requestBody?.content['application/json'] ?? {};
        if (schema === undefined || template.startsWith('/v1/internal/')) continue;
        const path = template.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => mine[parameter] ?? 'SECRET');
        for (const [field, own] of Object.entries(propertiesOf(schema, components.schemas))) {
          // of another shape than the example
          if (!Object.hasOwn(example ?? {}, field)) continue;
          const types = typesOf(own);
          const [, value] = wrong.find(([type]) => !types.includes(type) && !types.includes('any')) ?? [];
          if (value === undefined) continue;
          const { status } = await api.send(method.toUpperCase(), path, { ...example, [field]: value });
          const wanted = template === '/v1/auth/refresh' ? 401 : 422;
          expect(status, `${method} ${template}: ${field} ${JSON.stringify(value)}`).toBe(wanted);
          fields++;
        }
      }
    }
    expect(fields).toBeGreaterThan(150);
    expect(await everything()).toEqual(before);
  });

  test('of a forged cursor is refused by every list', async () => {
    const { paths } = (await api.get('/openapi.json')).body;
    const cursor = Buffer.from(JSON.stringify({ k: [0, 'SECRET'], f: '' })).toString('base64url');
    const stream = await api.send('POST', '/v1/streams', STREAM);
    expect(stream.status, JSON.stringify(stream.body)).toBe(200);
    let refused = 0;
    for (const [template, methods] of Object.entries<{ get?: { parameters?: { name: string }[] } }>(paths)) {
      const { parameters = [] } = methods.get ?? {};
      if (!parameters.some(({ name }) => name === 'cursor')) continue;
      const names: Readonly<Record<string, string>> = template.startsWith('/v1/streams/')
        ? { ...mine, id: stream.body.id }
        : { ...mine, ...inLists };
      const path = template.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => names[parameter]!);
      const asked = template.includes('routesV2') ? 'targa=SECRET1&from=1000000000001&to=1000000000002&' : '';
      const { status, body } = await api.get(`${path}?${asked}cursor=${cursor}`);
      // a caller without any access is rejected first, and a key, which is no user, has no alerts
      if (body.code === 'partner-off' || template === '/v1/app/alert') continue;
      expect({ status, code: body.code }, path).toEqual({ status: 422, code: 'bad-cursor' });
      refused++;
    }
    expect(refused).toBeGreaterThan(20);
    expect((await api.send('DELETE', `/v1/streams/${stream.body.id}`)).status).toBeLessThan(300);
  });

  /** rows of every table, but for what is written of each request */
  async function everything(): Promise<Record<string, number>> {
    const { rows } = await api.database.ingest.query(
      `select c.relname as name from pg_class c where c.relnamespace = 'fleetgate'::regnamespace
         and c.relkind in ('r', 'p') and not c.relispartition and has_table_privilege(c.oid, 'select')
         -- filled by jobs, not by requests
         and c.relname not in ('audit_block', 'login_failure', 'movement_day')`,
    );
    const counts: Record<string, number> = {};
    for (const { name } of rows) {
      counts[name] = (await api.database.ingest.query(`select count(*)::int as n from ${name}`)).rows[0].n;
    }
    return counts;
  }

  const raw = (path: string, body: string | Buffer, headers: Record<string, string>, method = 'POST') =>
    new Promise<{ status: number; body: string }>((resolve, reject) => {
      const { hostname, port } = new URL(api.url);
      const sent = httpRequest({ hostname, port, path, method, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode!, body: text }));
      });
      sent.on('error', reject);
      sent.end(body);
    });
  const authorization = 'Bearer test-key-of-the-default-tenant';
  const counts = async (): Promise<unknown> =>
    (
      await api.database.ingest.query(
        `select (select count(*) from vehicle) as vehicles, (select count(*) from driver) as drivers,
                (select count(*) from app_user) as users, (select count(*) from device) as devices,
                (select count(*) from geofence) as geofences, (select count(*) from pairing) as pairings`,
      )
    ).rows[0];

  test('is answered with a problem document, and nothing is stored', async () => {
    const before = await counts();
    const json = { authorization, 'content-type': 'application/json' };
    for (const [body, status, code] of [
      ['{"targa":', 400, 'malformed'],
      ['{"targa":"A\\u0000B"}', 422, 'invalid'],
      ['{"targa":7}', 422, 'invalid'],
      ['{"targa":["A"]}', 422, 'invalid'],
      ['[]', 422, 'invalid'],
      ['null', 422, 'invalid'],
      ['{"targa":"A1","year":"2020"}', 422, 'invalid'],
      ['{"targa":"A1","group":"grp_of_another"}', 404, 'unknown-group'],
    ] as const) {
      const answer = await raw('/v1/vehicles', body, json);
      expect({ status: answer.status, code: JSON.parse(answer.body).code }, body).toEqual({ status, code });
    }
    expect(await counts()).toEqual(before);
  });

  test('of 100 MB is refused by its Content-Length, or while it is received', async () => {
    const headers = { authorization, 'content-type': 'application/json' };
    const declared = { ...headers, 'content-length': String(100 * 1024 * 1024) };
    const answer = await raw('/v1/vehicles', Buffer.alloc(1_000, 0x20), declared).catch((error: Error) => error);
    if (!(answer instanceof Error)) expect(JSON.parse(answer.body)).toMatchObject({ status: 413, code: 'too-large' });
    const before = await counts();
    const body = Buffer.alloc(100 * 1024 * 1024, 0x20);
    const sent = await raw('/v1/vehicles', body, headers).catch((error: NodeJS.ErrnoException) => error.code);
    if (typeof sent === 'object') expect(sent.status).toBe(413);
    else expect(sent).toMatch(/ECONNRESET|EPIPE/);
    expect(await counts()).toEqual(before);
    expect((await api.get('/healthz')).status).toBe(200);
  });

  test('of 64 kB in a header is refused', async () => {
    const answer = await raw('/v1/vehicles', '', { authorization, 'x-padding': 'x'.repeat(65_536) }, 'GET');
    expect(answer.status).toBe(431);
    expect(JSON.parse(answer.body)).toMatchObject({ status: 431, code: 'headers-too-large' });
  });

  test('with ids of another tenant finds nothing and creates no reference', async () => {
    const tenantId = await api.database.tenantId('other-tenant');
    const { key } = await createKey(api.database.ingest, { tenantId, name: 'more', scopes: SCOPES });
    const asOtherTenant = { authorization: `Bearer ${key}` };
    const post = (path: string, body: object) => api.send('POST', path, body, asOtherTenant);
    await post('/v1/vehicles', { targa: 'THEIRS' });
    const pairing = { targa: 'THEIRS', from: 1_000_000_000_001 };
    expect((await post('/v1/pairings', { ...pairing, imei: 'SECRET-1' })).body.code).toBe('unknown-device');
    expect((await post('/v1/pairings', { ...pairing, driverId: mine['id'] })).body.code).toBe('unknown-driver');
    const expense = { driverId: mine['id'], amount: 1, currency: 'EUR', spentAt: '2026-05-03' };
    expect((await post('/v1/expenses', expense)).body.code).toBe('unknown-driver');
    const user = { username: 'theirs', role: 'viewer', allVehicles: false, targhe: ['SECRET1'] };
    expect((await post('/v1/users', user)).body.code).toBe('unknown-vehicle');
    expect((await post('/v1/drivers', { name: 'x', userId: 'admin' })).body.code).toBe('unknown-user');
  });

  test('of a cursor that was changed, or belongs to another list, is refused', async () => {
    for (const n of [1, 2, 3]) await api.send('POST', '/v1/groups', { name: `group ${n}` });
    const { nextCursor } = (await api.get('/v1/groups?limit=1')).body;
    expect((await api.get(`/v1/groups?limit=1&cursor=${nextCursor}`)).status).toBe(200);
    const changed = nextCursor.slice(0, -4) + (nextCursor.endsWith('AAAA') ? 'BBBB' : 'AAAA');
    for (const path of [`/v1/groups?cursor=${changed}`, `/v1/drivers?cursor=${nextCursor}`, '/v1/audit?cursor=x']) {
      expect((await api.get(path)).body, path).toMatchObject({ status: 422, code: 'bad-cursor' });
    }
  });
});

test('a row of the audit trail that the owner of the database changes is detected', async () => {
  await api.send('POST', '/v1/groups', { name: 'sealed' });
  const tenantId = await api.database.tenantId('default');
  const unsealed = async () =>
    (await api.database.ingest.query('select count(*)::int as n from audit where block is null')).rows[0].n;
  await expect.poll(unsealed, { timeout: 60_000 }).toBe(0);
  expect((await api.get('/v1/audit/chain')).body).toMatchObject({ intact: true });
  const owner = new pg.Client({ connectionString: databaseUrl });
  await owner.connect();
  try {
    const { rows } = await owner.query(
      `update fleetgate.audit set actor = 'somebody else' where id = (
         select max(id) from fleetgate.audit where tenant_id = $1) returning block`,
      [tenantId],
    );
    const { body } = await api.get('/v1/audit/chain');
    expect(body).toMatchObject({ intact: false, brokenBlock: rows[0].block });
  } finally {
    await owner.end();
  }
});
