import { availableParallelism } from 'node:os';
import pg from 'pg';
import { request } from 'undici';
import { startTestServer } from '../support/postgres.ts';
import { type Figure, median } from './figure.ts';
import { generate, startApiProcess, startBareFastify } from './processes.ts';

const VEHICLES = 10_000;
const POSITIONS = 5_000_000;
const CONNECTIONS = 64;
const SECONDS = 4;
const ROUNDS = 5;
const API_KEY = 'key-of-the-benchmark';

/**
 * `GET /v1/vehicles/{imei}/position` of 10,000 vehicles with 5 million positions, straight from the database under
 * row-level security and with an access token, against a bare Fastify route that returns a constant: the same load
 * generator, alternating.
 */
export async function run(): Promise<Figure[]> {
  const server = await startTestServer({ shared_buffers: '256MB', fsync: 'off' });
  const url = await server.database();
  const api = await startApiProcess(url, { API_KEY, RATE_LIMIT: '0' });
  const bare = await startBareFastify();
  try {
    await fill(url);
    const authorization = `Bearer ${await tokenOf(api.url)}`;
    const paths = Array.from({ length: VEHICLES }, (_, n) => `/v1/vehicles/${imeiOf(n + 1)}/position`);
    const load = { paths, connections: CONNECTIONS, seconds: SECONDS, headers: { authorization } };
    const rounds: { bare: number; ours: number; p50Ms: number; p99Ms: number }[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const reference = await generate({ ...load, url: bare.url });
      const ours = await generate({ ...load, url: api.url });
      // the first warms up
      if (round > 0) rounds.push({ ...ours, bare: reference.perSecond, ours: ours.perSecond });
    }
    const of = (pick: (round: (typeof rounds)[number]) => number): number => median(rounds.map(pick));
    return [
      { name: 'vehicle-position: bare Fastify, requests a second', value: count(of((r) => r.bare)) },
      { name: 'vehicle-position: from the database, requests a second', value: count(of((r) => r.ours)) },
      {
        name: 'vehicle-position: of bare Fastify',
        value: `${(100 * of((r) => r.ours / r.bare)).toFixed(1)} %`,
        measurements: [{ key: 'ofBareServer', value: 100 * of((r) => r.ours / r.bare), unit: '%' }],
      },
      { name: 'vehicle-position: of bare Fastify, round by round', value: rounds.map(share).join(', ') },
      {
        name: 'vehicle-position: latency, median and p99',
        value: `${of((r) => r.p50Ms)} and ${of((r) => r.p99Ms)} ms`,
        measurements: [
          { key: 'p50', value: of((r) => r.p50Ms), unit: 'ms' },
          { key: 'p99', value: of((r) => r.p99Ms), unit: 'ms' },
        ],
      },
      { name: 'vehicle-position: cores of this machine', value: String(availableParallelism()) },
    ];
  } finally {
    await Promise.all([api.stop(), bare.stop()]);
    await server.stop();
  }
}

const share = (round: { bare: number; ours: number }): string => `${((100 * round.ours) / round.bare).toFixed(0)} %`;
const count = (value: number): string => Math.round(value).toLocaleString('en');
const imeiOf = (n: number): string => `3563070424${String(n).padStart(5, '0')}`;

async function tokenOf(url: string): Promise<string> {
  const { body } = await request(`${url}/v1/auth/user_api`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ apiKey: API_KEY }),
  });
  return ((await body.json()) as { accessToken: string }).accessToken;
}

/** Rows as ingest would have left them: a device's lie apart, its newest in a table of its own. */
async function fill(url: string): Promise<void> {
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  try {
    await owner.query('set search_path = fleetgate; set synchronous_commit = off');
    await owner.query(`select make_partition('position', '2026-05-01', '2026-06-01', '202605')`);
    const tenant = `(select tenant_id from tenant where name = 'default')`;
    await owner.query(
      `insert into device (tenant_id, imei, registered_by)
       select ${tenant}, '3563070424' || lpad(n::text, 5, '0'), 'api' from generate_series(1, ${VEHICLES}) n`,
    );
    await owner.query(
      `insert into vehicle (id, tenant_id, targa) select 'veh_' || n, ${tenant}, 'V' || n
       from generate_series(1, ${VEHICLES}) n`,
    );
    await owner.query(
      `insert into pairing (id, tenant_id, vehicle_id, device_id, source, valid_from)
       select 'par_' || d.id, d.tenant_id, 'veh_' || ltrim(right(imei, 5), '0'), d.id, 'manual', '2026-01-01'
       from device d`,
    );
    await owner.query(
      `insert into position (device_id, time, id, tenant_id, latitude, longitude, speed, course, valid, outdated,
         server_time, protocol, attributes)
       select d.id, '2026-05-01'::timestamptz + i * interval '1 minute',
         int8send(d.id) || int8send(i), d.tenant_id, 45 + i / 1e4, 9 + d.id / 1e4, 53, 90, true, false,
         '2026-05-01'::timestamptz + i * interval '1 minute', 'teltonika',
         '{"ignition":true,"satellites":11,"power":12.6,"odometer":123456,"event":239}'
       from generate_series(1, ${POSITIONS / VEHICLES}) i, device d`,
    );
    await owner.query(
      `insert into position_newest (device_id, tenant_id, time, id, outdated, server_time, protocol, attributes,
         located_at, fix_time, valid, latitude, longitude, speed, course)
       select device_id, tenant_id, time, id, outdated, server_time, protocol, attributes, time, time, valid, latitude,
         longitude, speed, course
       from position where time = '2026-05-01'::timestamptz + ${POSITIONS / VEHICLES} * interval '1 minute'`,
    );
    await owner.query(
      `insert into session (device_id, tenant_id, gateway, conn, open, since, changed_at, seen_at)
       select id, tenant_id, 'bench', 'c', true, now(), now(), now() from device`,
    );
    await owner.query(
      `insert into gateway_lease (gateway, lease_until, clock) values ('bench', now() + interval '1 day', now())`,
    );
    await owner.query('vacuum analyze');
  } finally {
    await owner.end();
  }
}
