import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrate, readMigrationFiles } from '../../../src/server/database/migrate.ts';
import { type RunningApi, startApi } from '../../support/api.ts';
import { startTestServer, type TestServer } from '../../support/postgres.ts';

/** the migration that keeps the newest value of each attribute */
const DEVICE_STATE = 46;
/** the migration that repeats it for owners that are subject to policies */
const REPEATED = 90;
const START = Date.now() - 600_000;
const at = (seconds: number): Date => new Date(START + seconds * 1000);

let server: TestServer;
let api: RunningApi;
let databaseUrl: string;
const close = async (): Promise<void> => {
  await api?.stop();
  await server?.stop();
};

async function withClient(url: string, body: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await body(client);
  } finally {
    await client.end();
  }
}

const older = readMigrationFiles().filter(({ version }) => version < DEVICE_STATE);

async function openAsSuperuser(): Promise<void> {
  server = await startTestServer();
  const url = await server.database();
  await withClient(url, async (owner) => {
    await migrate(owner, older, undefined);
    await fill(owner);
  });
  databaseUrl = url;
  api = await startApi(url);
}

/** `between`: with what the older tables were upgraded before this version. */
async function openAsPlainOwner(between: (owner: pg.Client) => Promise<unknown> = async () => {}): Promise<void> {
  server = await startTestServer();
  const superuser = await server.database();
  await withClient(superuser, (client) =>
    client.query(`create role plain login createrole nosuperuser nobypassrls password 'plain';
      alter database ${new URL(superuser).pathname.slice(1)} owner to plain; alter schema public owner to plain`),
  );
  const url = Object.assign(new URL(superuser), { username: 'plain', password: 'plain' }).href;
  await withClient(url, (owner) => migrate(owner, older, undefined));
  await withClient(superuser, fill);
  await withClient(url, between);
  databaseUrl = url;
  api = await startApi(url);
}

/** As migrations were applied that had an effect for superusers only. */
async function upgradeWithoutEffect(owner: pg.Client): Promise<void> {
  await owner.query('set search_path = fleetgate, pg_temp');
  for (const { version, name, sql, checksum } of readMigrationFiles()) {
    if (version < DEVICE_STATE || version >= REPEATED) continue;
    await owner.query('begin');
    await owner.query(sql);
    await owner.query('insert into schema_migration (version, name, checksum) values ($1, $2, $3)', [
      version,
      name,
      checksum,
    ]);
    await owner.query('commit');
  }
}

const ID = (n: number): Buffer => Buffer.alloc(16, n);

/** Two devices: one with a fix and later records without, one that never had a fix. */
async function fill(owner: pg.Client): Promise<void> {
  await owner.query('set search_path = fleetgate, pg_temp');
  await owner.query(`insert into tenant (name) values ('default') on conflict do nothing`);
  await owner.query(`insert into device (tenant_id, imei, registered_by)
    select tenant_id, imei, 'api' from tenant, unnest(array['moved', 'never']) imei where name = 'default'`);
  const position = (imei: string, n: number, seconds: number, isFix: boolean, attributes: object) =>
    owner.query(
      `insert into position (device_id, time, id, tenant_id, latitude, longitude, speed, valid, outdated, device_time,
         fix_time, server_time, protocol, attributes)
       select d.id, $2, $3, d.tenant_id, case when $4 then 41.9 end, case when $4 then 12.5 end, case when $4 then 7 end,
         $4, not $4, $2, case when $4 then $2::timestamptz end, $2, 'teltonika', $5
       from device d where d.imei = $1`,
      [imei, at(seconds), ID(n), isFix, JSON.stringify(attributes)],
    );
  await position('moved', 1, 0, true, { ignition: false, sat: 9 });
  await position('moved', 2, 10, true, { ignition: true, power: 12.4 });
  await position('moved', 3, 20, false, { power: 12.7 });
  await position('moved', 4, 30, false, { type: 6, result: 'OK' });
  await position('never', 5, 40, false, { battery: 3.9 });
  // as it was kept then: the newest record, with the newest fix
  await owner.query(
    `insert into position_newest (device_id, tenant_id, time, id, outdated, device_time, server_time, protocol, attributes,
       located_at, fix_time, valid, latitude, longitude, speed)
     select p.device_id, p.tenant_id, p.time, p.id, p.outdated, p.device_time, p.server_time, p.protocol, p.attributes,
       f.time, f.fix_time, f.time is not null, f.latitude, f.longitude, f.speed
     from (select distinct on (device_id) * from position order by device_id, time desc) p
     left join (select distinct on (device_id) * from position where not outdated order by device_id, time desc) f
       on f.device_id = p.device_id`,
  );
}

const stateOf = async (imei: string) => (await api.get(`/v1/devices/${imei}/state`)).body;
const instant = (seconds: number): string => at(seconds).toISOString().replace('.000Z', 'Z');

describe.each([
  ['of a superuser', () => openAsSuperuser()],
  ['of an owner that is subject to policies', () => openAsPlainOwner()],
  ['that such an owner has upgraded without effect', () => openAsPlainOwner(upgradeWithoutEffect)],
] as const)('in a database %s', (_, open) => {
  beforeAll(open);
  afterAll(close);

  test('devices that reported before the upgrade have a state', async () => {
    expect(await stateOf('moved')).toMatchObject({
      lastFix: { latitude: 41.9, longitude: 12.5, speed: 7, attributes: { ignition: true, power: 12.4 } },
      attributes: {
        sat: { value: 9, time: instant(0) },
        ignition: { value: true, time: instant(10) },
        power: { value: 12.7, time: instant(20) },
        result: { value: 'OK', time: instant(30) },
      },
    });
    expect(await stateOf('never')).toMatchObject({
      lastFix: null,
      attributes: { battery: { value: 3.9, time: instant(40) } },
    });
  });

  test('their position is that of the last fix, not of the answer to a command', async () => {
    const { body } = await api.get('/v1/vehicles/moved/position');
    expect(body).toMatchObject({ latitude: 41.9, speed: 7, fixTime: instant(10) });
    expect(body.attributes).not.toHaveProperty('result');
  });

  test('the next records change only what they report', async () => {
    const status = { deviceId: 'moved', protocol: 'teltonika', valid: false, outdated: true };
    const positions = [{ ...status, deviceTime: at(50).toISOString(), attributes: { power: 13 } }];
    expect((await api.send('POST', '/v1/positions', { positions })).body.rejected).toEqual([]);
    expect(await stateOf('moved')).toMatchObject({
      lastFix: { fixTime: instant(10) },
      attributes: { ignition: { value: true, time: instant(10) }, power: { value: 13, time: instant(50) } },
    });
  });

  test('policies apply to the owner again', async () => {
    const unforced = `select relname from pg_class where relnamespace = 'fleetgate'::regnamespace
      and relrowsecurity and not relforcerowsecurity and not relispartition`;
    await withClient(databaseUrl, async (owner) => expect((await owner.query(unforced)).rows).toEqual([]));
  });
});
