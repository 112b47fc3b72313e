import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase, queryAsTenant } from '../../../src/server/database/index.ts';
import { createKey } from '../../../src/server/index.ts';
import { type RunningApi, silent, startApi } from '../../support/api.ts';
import { positionEvent, positionOf } from '../../support/positions.ts';
import { startTestServer, type TestServer } from '../../support/postgres.ts';

let server: TestServer;
let url: string;
let api: RunningApi;
let mine: number;
let other: number;
let otherKey: string;

beforeAll(async () => {
  server = await startTestServer();
  url = await server.database();
  api = await startApi(url);
  mine = await api.database.tenantId('default');
  other = await api.database.tenantId('other');
  const scopes = ['positions:read', 'positions:write', 'devices:read', 'devices:write'] as const;
  otherKey = (await createKey(api.database.ingest, { tenantId: other, name: 'test', scopes })).key;
  await api.events([positionEvent('mine', 1)]);
});
afterAll(async () => {
  await api?.stop();
  await server?.stop();
});

const asOther = () => ({ authorization: `Bearer ${otherKey}` });

describe('data of another tenant', () => {
  test('are not returned by any query', async () => {
    for (const path of [
      '/v1/vehicles/mine/position',
      '/v1/devices/mine',
      '/v1/devices/mine/positions',
      '/v1/devices/mine/timeline',
    ]) {
      expect((await api.get(path)).status).toBe(200);
      expect((await api.get(path, asOther())).body).toMatchObject({ status: 404, code: 'unknown-device' });
    }
    expect((await api.get('/v1/devices', asOther())).body.items).toEqual([]);
    expect((await api.send('PATCH', '/v1/devices/mine', { name: 'x' }, asOther())).status).toBe(404);
    expect((await api.send('DELETE', '/v1/devices/mine', undefined, asOther())).status).toBe(404);
  });

  test('cannot be changed', async () => {
    const pushed = await api.send('POST', '/v1/positions', { positions: [positionOf('mine', 7)] }, asOther());
    expect(pushed.body).toMatchObject({ accepted: 0, duplicates: 0, rejected: [{ index: 0, code: 'unknown-device' }] });
  });

  test('are not read by a query without a tenant condition', async () => {
    for (const table of ['position', 'position_newest', 'device', 'tenant', 'api_key', 'command']) {
      const rows = await queryAsTenant(api.database.app, other, { text: `select tenant_id from ${table}` });
      expect(rows.filter((row) => row['tenant_id'] !== other)).toEqual([]);
    }
    expect(await queryAsTenant(api.database.app, other, { text: 'select * from position' })).toEqual([]);
    expect(await queryAsTenant(api.database.app, mine, { text: 'select * from position' })).toHaveLength(1);
  });

  test('are not read if no tenant is set, also after another tenant used the connection', async () => {
    const client = await api.database.app.connect();
    try {
      await client.query('begin');
      await client.query("select set_config('fleetgate.tenant', $1, true)", [String(mine)]);
      expect((await client.query('select * from position')).rowCount).toBe(1);
      await client.query('commit');
      expect((await client.query('select * from position')).rowCount).toBe(0);
    } finally {
      client.release();
    }
  });

  test('cannot be created by a row that names that tenant', async () => {
    const insert = queryAsTenant(api.database.app, mine, {
      text: "insert into device (tenant_id, imei, registered_by) values ($1, 'smuggled', 'api')",
      values: [other],
    });
    await expect(insert).rejects.toMatchObject({ code: '42501' });
  });
});

describe('the role of the application', () => {
  const refused = async (text: string): Promise<void> => {
    await expect(api.database.app.query(text), text).rejects.toMatchObject({ code: '42501' });
  };

  test('cannot change its role, alter tables or read partitions directly', async () => {
    const owner = new URL(url).username;
    await refused(`set role ${owner}`);
    await refused('set role fleetgate_ingest');
    await refused('alter table position disable row level security');
    await refused('drop policy of_tenant on position');
    await refused('select * from position_202605');
    await refused('select * from position_default');
    await refused('select * from login');
    await refused("select make_partition('position', now(), now() + interval '1 day', '209901')");
    await refused('create table fleetgate.mine ()');
    await refused('delete from position');
    await refused('update position set valid = false');
  });

  test('cannot disable the policies', async () => {
    const client = await api.database.app.connect();
    try {
      await client.query('begin');
      await client.query('set local row_security = off');
      await expect(client.query('select * from position')).rejects.toMatchObject({ code: '42501' });
    } finally {
      await client.query('rollback');
      client.release();
    }
  });

  test('cannot act as a restricted user, to whose vehicles its policies do not limit it', async () => {
    const client = await api.database.app.connect();
    try {
      await client.query('begin');
      await expect(client.query(`select become_restricted_user('1', 'usr_1')`)).rejects.toMatchObject({
        code: '42501',
      });
    } finally {
      await client.query('rollback');
      client.release();
    }
  });

  test('owns no objects and is a member of no other role', async () => {
    const { rows } = await api.database.app.query(
      `select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb,
              (select count(*) from pg_class where relowner = r.oid) as owned
       from pg_roles r where rolname = current_user or rolname in ('fleetgate_app', 'fleetgate_ingest', 'fleetgate_restricted')`,
    );
    expect(rows).toHaveLength(4);
    for (const row of rows) {
      expect(row).toEqual({ rolsuper: false, rolbypassrls: false, rolcreaterole: false, rolcreatedb: false, owned: 0 });
    }
  });
});

test('every table with a tenant has forced row-level security, also partitions', async () => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    `select c.relname, c.relrowsecurity as enabled, c.relforcerowsecurity as forced, c.relispartition as part
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
     where n.nspname = 'fleetgate' and c.relkind in ('r', 'p')`,
  );
  await client.end();
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.filter((r) => !r.enabled).map((r) => r.relname)).toEqual([]);
  expect(rows.filter((r) => !r.forced && !r.part).map((r) => r.relname)).toEqual([]);
});

test('policies about vehicles are of the restricted role alone, so that other work does not pay for them', async () => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    `select tablename, roles::text[] as roles from pg_policies
     where schemaname = 'fleetgate' and (qual ~ 'is_restricted' or with_check ~ 'is_restricted')`,
  );
  await client.end();
  expect(rows.length).toBeGreaterThan(40);
  for (const { tablename, roles } of rows)
    expect({ tablename, roles }).toEqual({ tablename, roles: ['fleetgate_restricted'] });
});

describe('migrations', () => {
  test('of several concurrent processes run once', async () => {
    const fresh = await server.database();
    const all = await Promise.all([1, 2, 3, 4].map(() => openDatabase({ url: fresh, log: silent })));
    const tenants = await Promise.all(all.map((database) => database.tenantId('default')));
    expect(new Set(tenants).size).toBe(1);
    for (const database of all) await database.check();
    await Promise.all(all.map((database) => database.close()));
  });

  test('name the missing right of a user who may not create roles', async () => {
    const fresh = await server.database('poor');
    const client = new pg.Client({ connectionString: fresh });
    await client.connect();
    await client.query("create role poor login password 'poor'; grant create on database poor to poor");
    await client.end();
    const poor = Object.assign(new URL(fresh), { username: 'poor', password: 'poor' }).href;
    await expect(openDatabase({ url: poor, log: silent })).rejects.toThrow(/CREATEROLE/);
  });

  test('work for an owner who is not a superuser', async () => {
    const fresh = await server.database('owned');
    const client = new pg.Client({ connectionString: fresh });
    await client.connect();
    await client.query(
      `create role landlord login password 'x' createrole; grant create on database owned to landlord;
       grant fleetgate_app, fleetgate_ingest, fleetgate_restricted to landlord with admin option`,
    );
    await client.end();
    const landlord = await startApi(Object.assign(new URL(fresh), { username: 'landlord', password: 'x' }).href);
    try {
      await landlord.events([positionEvent('of-landlord', 1)]);
      expect((await landlord.get('/v1/devices/of-landlord/positions')).body.items).toHaveLength(1);
      expect((await landlord.send('DELETE', '/v1/devices/of-landlord')).status).toBe(200);
      const { rows } = await landlord.database.ingest.query('select count(*) as n from removed_device');
      expect(rows[0].n).toBe(1);
    } finally {
      await landlord.stop();
    }
  });
});
