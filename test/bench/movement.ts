import { monitorEventLoopDelay } from 'node:perf_hooks';
import pg from 'pg';
import { systemClock } from '../../src/platform/clock.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import { startTestServer } from '../support/postgres.ts';
import { type Figure, median } from './figure.ts';

const START = '2026-05-01T00:00:00Z';
const VEHICLES = 50;
const DAY_MS = 86_400_000;
const ROUNDS = 7;

/**
 * From the database, through the API: `checkpoi` over a week at 1 Hz with 40 corners against counting the same rows, a
 * day as polyline against fetching its rows, a month of trips of 50 vehicles at one position each 30 s. Rows of the
 * vehicles lie mixed, as they arrive; statistics and visibility are up to date.
 */
export async function run(): Promise<Figure[]> {
  const server = await startTestServer({});
  const url = await server.database();
  const api = await startApi(url);
  const owner = new pg.Client({ connectionString: url });
  owner.on('error', () => {});
  try {
    await owner.connect();
    await fill(owner, await api.database.tenantId('default'));
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const figures = [
      ...(await polygon(api, owner)),
      ...(await wayOfDay(api, owner)),
      ...(await tripsOfMonth(api, server.cpuSeconds)),
    ];
    delay.disable();
    const blocked = { name: 'movement: longest time that the event loop was held', value: ms(delay.max / 1e6) };
    return [...figures, blocked, { name: 'movement: memory at the end', value: mb(process.memoryUsage().rss) }];
  } finally {
    await owner.end();
    await api.stop();
    await server.stop();
  }
}

const ms = (value: number): string => `${value.toFixed(0)} ms`;
const mb = (bytes: number): string => `${Math.round(bytes / 1_048_576)} MB`;

async function fill(owner: pg.Client, tenantId: number): Promise<void> {
  await owner.query(`set search_path = fleetgate`);
  await owner.query(`select make_partition('position', '2026-05-01', '2026-06-01', '202605')`);
  await owner.query(
    `insert into device (tenant_id, imei, registered_by)
     select $1, 'bench-' || n, 'api' from generate_series(0, ${VEHICLES}) n`,
    [tenantId],
  );
  await owner.query(`insert into position_newest (device_id, tenant_id, time, id, outdated, server_time, attributes, valid)
    select id, tenant_id, now(), '\\x00', false, now(), '{}', true from device`);
  const columns = `(device_id, time, id, tenant_id, latitude, longitude, speed, course, valid, outdated, server_time,
    attributes, ignition)`;
  // bench-0: a week at 1 Hz, in and out of the polygon
  await owner.query(
    `insert into position ${columns}
     select d.id, $1::timestamptz + i * interval '1 s', decode(md5(d.id || ' ' || i), 'hex'), tenant_id,
       41.9 + sin(i / 5000.0) * 0.1, 12.5 + cos(i / 3000.0) * 0.1, 50, 90, true, false, now(), '{"sat":11}', true
     from device d, generate_series(0, 604799) i where imei = 'bench-0'`,
    [START],
  );
  // the others: a month, one each 30 s; driving for half an hour of each two, from six in the morning to eight at night
  await owner.query(
    `insert into position ${columns}
     select d.id, $1::timestamptz + i * interval '30 s' + d.id * interval '100 ms', decode(md5(d.id || ' ' || i), 'hex'),
       tenant_id, 45 + case when drives then (i % 240) * 0.004 else 0.24 end, 9, case when drives then 53 else 0 end, 0,
       true, false, now(), '{"sat":11}', drives
     from generate_series(0, 86399) i,
       lateral (select i % 240 < 60 and (i / 120) % 24 between 6 and 20 as drives) s,
       device d where imei <> 'bench-0'`,
    [START],
  );
  await owner.query('vacuum analyze position');
}

async function timed(work: () => Promise<unknown>, rounds = ROUNDS): Promise<number> {
  const took: number[] = [];
  for (let i = 0; i < rounds; i++) {
    const from = systemClock.monotonic();
    await work();
    took.push(systemClock.monotonic() - from);
  }
  return median(took);
}

const isOk = ({ status, body }: { status: number; body: unknown }): void => {
  if (status !== 200) throw new Error(JSON.stringify(body));
};

const device0 = `device_id = (select id from device where imei = 'bench-0')`;

async function polygon(api: RunningApi, owner: pg.Client): Promise<Figure[]> {
  const ring = Array.from({ length: 40 }, (_, n) => {
    const [angle, radius] = [(n * Math.PI) / 20, n % 2 === 0 ? 0.08 : 0.04];
    return [12.5 + Math.cos(angle) * radius, 41.9 + Math.sin(angle) * radius];
  });
  const from = Date.parse(START);
  const body = { from, to: from + 7 * DAY_MS - 1, polygon: [...ring, ring[0]] };
  const counted = await timed(() =>
    owner.query(`select count(latitude) from position where ${device0} and time >= $1 and time < $2`, [
      START,
      '2026-05-08T00:00:00Z',
    ]),
  );
  const checked = await timed(async () => isOk(await api.send('PUT', '/v1/vehicles/bench-0/checkpoi', body)));
  return [
    { name: 'movement: count(latitude) of a week at 1 Hz', value: ms(counted) },
    { name: 'movement: checkpoi of it, 40 corners', value: `${ms(checked)}, ${(checked / counted).toFixed(2)} times` },
  ];
}

async function wayOfDay(api: RunningApi, owner: pg.Client): Promise<Figure[]> {
  const from = Date.parse(START);
  const fetched = await timed(() =>
    owner.query(
      `select time, latitude, longitude from position
       where ${device0} and time >= $1 and time < $2 order by time, id`,
      [START, '2026-05-02T00:00:00Z'],
    ),
  );
  const answered = await timed(async () =>
    isOk(await api.send('PUT', '/v1/vehicles/bench-0/polyline', { from, to: from + DAY_MS - 1 })),
  );
  const ratio = (answered / fetched).toFixed(2);
  return [
    { name: 'movement: fetching a day of 86,400 rows', value: ms(fetched) },
    { name: 'movement: it as polyline', value: `${ms(answered)}, ${ratio} times` },
  ];
}

async function tripsOfMonth(api: RunningApi, cpuSeconds: () => number): Promise<Figure[]> {
  const from = Date.parse(START);
  const vehicles = Array.from({ length: VEHICLES }, (_, n) => `bench-${n + 1}`);
  const body = { vehicles, from, to: from + 30 * DAY_MS - 1, groupBy: 'vehicle' };
  let routes = 0;
  const cpuBefore = cpuSeconds();
  const ownBefore = process.cpuUsage();
  const rounds = 3;
  const took = await timed(async () => {
    const answer = await api.send('POST', '/v1/routesGrouped', body);
    isOk(answer);
    routes = answer.body.totals.routes;
  }, rounds);
  const own = process.cpuUsage(ownBefore);
  const cpu = `${((cpuSeconds() - cpuBefore) / rounds).toFixed(2)} s of PostgreSQL, ${((own.user + own.system) / 1e6 / rounds).toFixed(2)} s here`;
  return [
    { name: 'movement: a month of trips of 50 vehicles, each 30 s', value: `${ms(took)}, ${routes} trips` },
    { name: 'movement: CPU of it', value: cpu },
  ];
}
