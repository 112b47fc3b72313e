import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import pg from 'pg';
import { systemClock } from '../../src/platform/clock.ts';
import { startTestServer } from '../support/postgres.ts';
import type { Figure } from './figure.ts';

const SETTINGS = { shared_buffers: '1GB', fsync: 'off', full_page_writes: 'off' };
const FROM = '2025-01-01T00:00:00Z';
const TO = '2026-01-01T00:00:00Z';
const DAYS = 365;

/** A year of one vehicle with a report each 10 s, day and night: four drives of an hour a day, 50 km each. */
async function fill(owner: pg.Client, tenantId: number): Promise<void> {
  await owner.query('set search_path = fleetgate');
  for (let month = 1; month <= 12; month++) {
    const [first, next] = [month, month + 1].map((n) => new Date(Date.UTC(2025, n - 1, 1)).toISOString());
    await owner.query('select make_partition($1, $2, $3, $4)', [
      'position',
      first,
      next,
      `2025${String(month).padStart(2, '0')}`,
    ]);
  }
  await owner.query(
    `insert into device (tenant_id, imei, registered_by) select $1::int, 'year-' || n, 'api' from generate_series(1, 2) n`,
    [tenantId],
  );
  await owner.query(`insert into position_newest (device_id, tenant_id, time, id, outdated, server_time, attributes, valid)
    select id, tenant_id, now(), '\\x00', false, now(), '{}', true from device`);
  await owner.query(
    `insert into position (device_id, time, id, tenant_id, latitude, longitude, speed, course, valid, outdated,
       server_time, attributes, ignition)
     select d.id, $1::timestamptz + i * interval '10 s', decode(md5(i::text) || 'ab', 'hex'), tenant_id,
       45 + 0.00125 * abs((i % 2160) - 360 - greatest(0, least((i % 2160) - 720, 0))) * drives::int, 9,
       case when drives then 50 else 0 end, 0, true, false, now(), '{"sat":11}', case when imei = 'year-1' then drives end
     from device d, generate_series(0, ${DAYS * 8_640 - 1}) i, lateral (select i % 2160 < 720 as drives) s`,
    [FROM],
  );
  await owner.query('vacuum analyze position');
}

const answer = async <T>(child: ReturnType<typeof fork>): Promise<T> => (await once(child, 'message'))[0] as T;

/**
 * Totals over a year of one vehicle: without any day that was calculated before, as the background work of the API leaves
 * them, again, and after a late record of one day.
 */
export async function run(): Promise<Figure[]> {
  const server = await startTestServer(SETTINGS);
  const url = await server.database();
  const child = fork(join(import.meta.dirname, 'movement-child.js'), [url], { execArgv: ['--expose-gc'] });
  const owner = new pg.Client({ connectionString: url });
  owner.on('error', () => {});
  try {
    const { url: api, key, tenantId } = await answer<{ url: string; key: string; tenantId: number }>(child);
    await owner.connect();
    await fill(owner, tenantId);
    const send = async (method: string, path: string, body: object): Promise<unknown> => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const response = await fetch(api + path, { method, headers, body: JSON.stringify(body) });
      const text = await response.text();
      if (response.status !== 200) throw new Error(text);
      return JSON.parse(text);
    };
    for (const n of [1, 2]) {
      await send('POST', '/v1/vehicles', { targa: `YEAR${n}` });
      await send('POST', '/v1/pairings', { targa: `YEAR${n}`, imei: `year-${n}`, from: FROM });
    }
    const history = { vehicles: ['YEAR1'], from: FROM, to: TO, kind: 'device' };
    const blind = { ...history, vehicles: ['YEAR2'] };
    const figures: Figure[] = [];
    const measure = async (name: string, path: string, body: object, atMost?: number): Promise<void> => {
      const from = systemClock.monotonic();
      await send('POST', path, body);
      const took = systemClock.monotonic() - from;
      const wanted = atMost === undefined ? {} : { wanted: { atMost } };
      figures.push({
        name: `movement-year: ${name}`,
        value: `${took.toFixed(0)} ms`,
        measurements: [{ key: name, value: Math.round(took), unit: 'ms', ...wanted }],
      });
    };
    const path = '/v1/vehicles/reports/pairing_history';
    await measure('pairing_history, no day known', path, history);
    await measure('pairing_history, again', path, history, 2_000);
    await measure('pairing_history without ignition, no day known', path, blind);
    await measure('pairing_history without ignition, again', path, blind, 2_000);
    await owner.query('delete from movement_day');
    child.send('keep days');
    const { tookMs } = await answer<{ tookMs: number }>(child);
    figures.push({
      name: 'movement-year: two years of days calculated in the background, without its rests',
      value: `${tookMs.toFixed(0)} ms`,
      measurements: [{ key: 'days in the background', value: Math.round(tookMs), unit: 'ms' }],
    });
    await measure('pairing_history, first', path, history, 2_000);
    await measure('pairing_history without ignition, first', path, blind, 2_000);
    const year = { vehicles: ['YEAR1'], from: Date.parse(FROM), to: Date.parse(TO) - 1, groupBy: 'month' };
    await measure('routesGrouped by month', '/v1/routesGrouped', year);
    // one record of one day that arrives late
    await owner.query(
      `insert into position (device_id, time, id, tenant_id, latitude, longitude, valid, outdated, server_time, attributes)
       select id, '2025-06-15T12:00:05Z', '\\xff', tenant_id, 45, 9, true, false, now(), '{}' from device where imei = 'year-1'`,
    );
    await measure('pairing_history, after a late record', path, history, 2_000);
    return figures;
  } finally {
    child.kill();
    await owner.end();
    await server.stop();
  }
}
