import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from '../../support/command-line.ts';
import { startPostgresContainer } from '../../support/containers.ts';
import { startTestServer } from '../../support/postgres.ts';
import { KEY, type Part, part } from '../../support/processes.ts';

const IMEI = '356307042441013';

/** A server that has none of the roles yet. */
interface EmptyServer {
  /** as a superuser */
  readonly url: string;
  stop(): Promise<void>;
}

async function startEmptyServer(): Promise<EmptyServer> {
  const image = process.env['FLEETGATE_TEST_POSTGRES'];
  if (image !== undefined) return startPostgresContainer(image);
  const server = await startTestServer();
  const url = Object.assign(new URL(await server.database()), { pathname: '/postgres' }).href;
  return { url, stop: () => server.stop() };
}

describe('the user that operations.md describes: CREATEROLE and CREATE on the database, no superuser', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'fleetgate-plain-owner-'));
  const started: Part[] = [];
  let server: EmptyServer;

  beforeAll(async () => {
    server = await startEmptyServer();
    await query(
      server.url,
      `create role plain login password 'plain' nosuperuser nocreatedb createrole nobypassrls noreplication`,
    );
  });
  afterAll(async () => {
    for (const api of started) await api.kill();
    await server?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const urlOf = (database: string): string =>
    Object.assign(new URL(server.url), { username: 'plain', password: 'plain', pathname: `/${database}` }).href;

  const createApi = async (database: string): Promise<Part> => {
    const api = await part({ ROLE: 'api', DATABASE_URL: urlOf(database), DATA_DIR: dataDir });
    started.push(api);
    return api;
  };

  /** Commands that wait have a job after a second. */
  const expectJobs = (database: string, count: number): Promise<void> =>
    expect
      .poll(async () => (await query(urlOf(database), 'select count(*)::int as count from bullmq.job'))[0]!['count'])
      .toBe(count);

  const enqueue = async (api: Part): Promise<void> => {
    await call(api, 'POST', '/v1/gprsCommands', { imei: IMEI, gprsCommand: 'getinfo' });
  };

  test('the API starts again as often as it is asked to, and the queue goes on', async () => {
    await query(server.url, 'create database fleet owner plain');
    const api = await createApi('fleet');
    await api.start();
    await call(api, 'POST', '/v1/devices', { imei: IMEI });
    // its trigger writes as the owner
    await call(api, 'POST', '/v1/streams', {
      name: 'tms',
      type: 'http',
      url: 'https://tms.example/',
      kinds: ['position'],
    });
    for (const count of [1, 2]) {
      await enqueue(api);
      await expectJobs('fleet', count);
      await api.stop();
      await api.start();
    }
    await enqueue(api);
    await expectJobs('fleet', 3);
    await api.stop();
    const rebuilt = await runCommand(['queue', 'rebuild'], { DATABASE_URL: urlOf('fleet') });
    expect(rebuilt).toMatchObject({ code: 0, stderr: expect.stringContaining('3 jobs rebuilt') });
  });

  test('functions of the owner may use the tables that they name, whose policies are forced', async () => {
    const used = `p.prosrc ~* ('\\m(from|join|into|update)\\s+' || c.relname || '\\M')`;
    const functions = `select p.proname || ' uses ' || c.relname as use, exists (
        select from pg_policy y where y.polrelid = c.oid and c.relowner = any (y.polroles)) as allowed
      from pg_proc p join pg_class c on c.relnamespace = p.pronamespace
      where p.pronamespace = 'fleetgate'::regnamespace and p.prosecdef and c.relforcerowsecurity and ${used} order by 1`;
    const uses = await query(urlOf('fleet'), functions);
    expect(uses.length).toBeGreaterThan(5);
    expect(uses.filter(({ allowed }) => allowed !== true)).toEqual([]);
  });

  test('a copy of the database under another name, whose logins are others, starts too', async () => {
    await query(server.url, 'create database restored template fleet owner plain');
    const api = await createApi('restored');
    await api.start();
    await enqueue(api);
    await expectJobs('restored', 4);
    await api.stop();
    const rebuilt = await runCommand(['queue', 'rebuild'], { DATABASE_URL: urlOf('restored') });
    expect(rebuilt).toMatchObject({ code: 0, stderr: expect.stringContaining('4 jobs rebuilt') });
  });
});

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

async function call<T>(api: Part, method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(api.url + path, {
    method,
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
  expect(response.status, await response.clone().text()).toBeLessThan(300);
  return (await response.json()) as T;
}
