import { availableParallelism } from 'node:os';
import pg from 'pg';
import { request } from 'undici';
import { openDatabase } from '../../src/server/database/index.ts';
import { silent } from '../support/api.ts';
import { startTestServer } from '../support/postgres.ts';
import { type Figure, median } from './figure.ts';
import { generate, type Part, startApiProcess, startBareFastify } from './processes.ts';

const VEHICLES = 10_000;
const POSITIONS = 5_000_000;
const CONNECTIONS = 64;
const SECONDS = 3;
const ROUNDS = 9;
const API_KEY = 'key-of-the-benchmark';

/**
 * `GET /v1/vehicles/{imei}/position` of 10,000 vehicles with 5 million positions, straight from the database under
 * row-level security and with an access token. References, with the same load generator and alternating: a bare Fastify
 * route that returns a constant, and the same API on a copy of the database without the policies that limit a user to
 * vehicles (medians of the rounds, in which each is first as often as the other).
 */
export async function run(): Promise<Figure[]> {
  const server = await startTestServer({ shared_buffers: '256MB', fsync: 'off' });
  const url = await server.database('fleet');
  const database = await openDatabase({ url, log: silent });
  const tenantId = await database.tenantId('default');
  await database.close();
  await fill(url, tenantId);
  const copyUrl = await copyWithoutVehiclePolicies(url, 'copy');
  const settings = { API_KEY, RATE_LIMIT: '0' };
  const bare = await startBareFastify();
  const api = await startApiProcess(url, settings);
  const copy = await startApiProcess(copyUrl, settings);
  try {
    const paths = Array.from({ length: VEHICLES }, (_, n) => `/v1/vehicles/${imeiOf(n + 1)}/position`);
    const load = async (target: string, isOurs: boolean): ReturnType<typeof generate> => {
      const headers = isOurs ? { authorization: `Bearer ${await tokenOf(target)}` } : {};
      return generate({ url: target, paths, connections: CONNECTIONS, seconds: SECONDS, headers });
    };
    const cpuOf = async (part: Part): Promise<{ run: Awaited<ReturnType<typeof load>>; micros: number }> => {
      const used = (): number => part.cpuSeconds() + server.cpuSeconds();
      const before = used();
      const run = await load(part.url, true);
      return { run, micros: (1e6 * (used() - before)) / (run.perSecond * SECONDS) };
    };
    const rounds: Round[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const reference = await load(bare.url, false);
      // what comes second finds another machine than what comes first
      const first = round % 2 === 0 ? api : copy;
      const one = await cpuOf(first);
      const other = await cpuOf(first === api ? copy : api);
      const [{ run: ours, micros }, unlimited] = first === api ? [one, other] : [other, one];
      // the first warms up
      if (round === 0) continue;
      rounds.push({
        ...ours,
        bare: reference.perSecond,
        ours: ours.perSecond,
        ofBare: (100 * ours.perSecond) / reference.perSecond,
        micros,
        microsWithout: unlimited.micros,
      });
    }
    return figuresOf(rounds);
  } finally {
    await Promise.all([api.stop(), copy.stop(), bare.stop()]);
    await server.stop();
  }
}

interface Round {
  /** requests a second */
  readonly bare: number;
  readonly ours: number;
  /** % */
  readonly ofBare: number;
  /** CPU of a request, of the API and PostgreSQL, µs */
  readonly micros: number;
  /** without the policies about vehicles */
  readonly microsWithout: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

function figuresOf(rounds: readonly Round[]): Figure[] {
  const of = (pick: (round: Round) => number): number => median(rounds.map(pick));
  const ofBare = of((round) => round.ofBare);
  const micros = of((round) => round.micros);
  const policies = 100 * (1 - of((round) => round.microsWithout) / micros);
  const p50 = of((round) => round.p50Ms);
  const p99 = of((round) => round.p99Ms);
  const name = (text: string): string => `vehicle-position: ${text}`;
  return [
    { name: name('bare Fastify, requests a second'), value: count(of(({ bare }) => bare)) },
    { name: name('from the database, requests a second'), value: count(of(({ ours }) => ours)) },
    {
      name: name('of bare Fastify'),
      value: `${ofBare.toFixed(1)} %`,
      measurements: [{ key: 'ofBareServer', value: ofBare, unit: '%' }],
    },
    { name: name('of bare Fastify, round by round'), value: list(rounds.map((round) => round.ofBare)) },
    { name: name('CPU of a request, API and PostgreSQL'), value: `${micros.toFixed(0)} µs` },
    {
      name: name('CPU that the policies about vehicles take'),
      value: `${policies.toFixed(1)} %`,
      measurements: [{ key: 'vehiclePolicies', value: policies, unit: '%', wanted: { atMost: 10 } }],
    },
    {
      name: name('the same, round by round'),
      value: list(rounds.map((round) => 100 * (1 - round.microsWithout / round.micros))),
    },
    {
      name: name('latency, median and p99'),
      value: `${p50} and ${p99} ms`,
      measurements: [
        { key: 'p50', value: p50, unit: 'ms' },
        { key: 'p99', value: p99, unit: 'ms' },
      ],
    },
    { name: name('cores of this machine'), value: String(availableParallelism()) },
  ];
}

const list = (values: readonly number[]): string => values.map((value) => `${value.toFixed(0)} %`).join(', ');
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

async function copyWithoutVehiclePolicies(url: string, name: string): Promise<string> {
  const copyUrl = Object.assign(new URL(url), { pathname: `/${name}` }).href;
  const administrator = new pg.Client({
    connectionString: Object.assign(new URL(url), { pathname: '/postgres' }).href,
  });
  await administrator.connect();
  await administrator.query(`create database "${name}" template "${new URL(url).pathname.slice(1)}"`);
  await administrator.end();
  const owner = new pg.Client({ connectionString: copyUrl });
  await owner.connect();
  const { rows } = await owner.query<{ statement: string }>(
    `select format('drop policy %I on %I.%I', policyname, schemaname, tablename) as statement
     from pg_policies where policyname like 'of_vehicles%'`,
  );
  for (const { statement } of rows) await owner.query(statement);
  await owner.end();
  return copyUrl;
}

/** Rows as ingest would have left them: a device's lie apart, its newest in a table of its own. */
async function fill(url: string, tenant: number): Promise<void> {
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  try {
    await owner.query('set search_path = fleetgate; set synchronous_commit = off');
    await owner.query(`select make_partition('position', '2026-05-01', '2026-06-01', '202605')`);
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
