import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { systemClock } from '../../../src/platform/clock.ts';
import { schemaMigrations } from '../../../src/server/database/index.ts';
import { exportDatabase, importDatabase, TransferRefused } from '../../../src/server/database/transfer/index.ts';
import { query } from '../../support/bench.ts';
import { startTestServer, type TestServer } from '../../support/postgres.ts';

// Real processes and disks: what takes a second on a machine of one's own takes a minute on a crowded one.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

let server: TestServer;
let folder: string;

beforeAll(async () => {
  server = await startTestServer();
  folder = mkdtempSync(join(tmpdir(), 'fleetgate-transfer-'));
});
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const FILL = `
  insert into fleetgate.tenant (name) values ('acme');
  insert into fleetgate.device (tenant_id, imei, registered_by) values (1, '356307042441013', 'api');
  select fleetgate.make_partition('position', '2026-03-01Z', '2026-04-01Z', '202603');
  insert into fleetgate.position (device_id, time, id, tenant_id, latitude, longitude, valid, outdated, server_time, attributes)
    select 1, '2026-02-27Z'::timestamptz + i * interval '1 hour', decode(lpad(to_hex(i), 32, '0'), 'hex'), 1, 45.5, 9.25, true, false, now(), '{"ignition": true}'
    from generate_series(1, 500) i`;

const EVERYTHING = `select (select json_agg(t) from fleetgate.tenant t) as tenants, (select json_agg(d) from fleetgate.device d) as devices,
  (select json_agg(json_build_object('part', tableoid::regclass::text, 'row', p) order by time) from fleetgate.position p) as positions,
  (select json_agg(json_build_object('t', relname, 's', relrowsecurity, 'f', relforcerowsecurity) order by relname) from pg_class
   where relnamespace = 'fleetgate'::regnamespace and relkind in ('r', 'p')) as security,
  (select count(*)::int from pg_policies) as policies`;

/** A server of one's own, whose owner is neither superuser nor exempt from row-level security. */
async function databaseOfOwner(): Promise<{ owner: string; superuser: string }> {
  const superuser = await server.database();
  const url = new URL(superuser);
  const name = url.pathname.slice(1);
  await query(
    superuser,
    `do $$ begin if not exists (select from pg_roles where rolname = 'landlord') then
       create role landlord login password 'landlord' createrole; end if; end $$;
     alter database ${name} owner to landlord; alter schema public owner to landlord`,
  );
  url.username = 'landlord';
  url.password = 'landlord';
  return { owner: url.href, superuser };
}

// First of all, so that it is this owner who makes the roles of the server.
test('an owner who is under row-level security exports and imports every row', async () => {
  const from = await databaseOfOwner();
  await schemaMigrations.migrate(from.owner, undefined);
  await query(from.superuser, FILL);
  const path = join(folder, 'owner.fleetgate');
  const { rows } = await exportDatabase(from.owner, path, schemaMigrations, systemClock);
  expect(rows).toMatchObject({ 'fleetgate.tenant': 1, 'fleetgate.device': 1, 'fleetgate.position': 500 });
  expect(await query(from.superuser, `select 1 from pg_policies where policyname = 'fleetgate_export'`)).toEqual([]);

  const to = await databaseOfOwner();
  await importDatabase(to.owner, path, schemaMigrations, { force: false });
  expect(await query(to.superuser, EVERYTHING)).toEqual(await query(from.superuser, EVERYTHING));

  // Rows that it may not see are rows all the same.
  await query(to.superuser, 'delete from fleetgate.login');
  await expect(importDatabase(to.owner, path, schemaMigrations, { force: false })).rejects.toThrow(TransferRefused);
});

test('a fleet is the same after export and import: rows, partitions, row-level security', async () => {
  const from = await server.database();
  await schemaMigrations.migrate(from, undefined);
  await query(from, FILL);
  const path = join(folder, 'fleet.fleetgate');
  await exportDatabase(from, path, schemaMigrations, systemClock);
  const to = await server.database();
  await importDatabase(to, path, schemaMigrations, { force: false });
  expect(await query(to, EVERYTHING)).toEqual(await query(from, EVERYTHING));
  expect(await schemaMigrations.applied(to)).toEqual(await schemaMigrations.applied(from));
  // The import's partitions are the ones that the next month's are made beside.
  await query(to, `select fleetgate.make_partition('position', '2026-03-01Z', '2026-04-01Z', '202603')`);
  await query(to, `select fleetgate.make_partition('position', '2026-04-01Z', '2026-05-01Z', '202604')`);
});

test('an empty database is not exported', async () => {
  const path = join(folder, 'empty.fleetgate');
  await expect(exportDatabase(await server.database(), path, schemaMigrations, systemClock)).rejects.toThrow(
    TransferRefused,
  );
  expect(existsSync(path)).toBe(false);
});
