import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { RECORDS_MEDIA_TYPE } from '../../../src/contract/records.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { schemaMigrations } from '../../../src/server/database/index.ts';
import { type RunningApi, startApi } from '../../support/api.ts';
import { asOwner, dropDatabases, withDatabase, withEmptyDatabase } from '../../support/databases.ts';
import { narrowAll, sealAll, startHistory, type TestHistory } from '../../support/history.ts';
import { runUntilKilled } from '../../support/run-until-killed.ts';
import { packedPosition, spoolBody } from '../../support/spool-records.ts';

vi.setConfig({ testTimeout: 300_000 });

const DAY = 86_400_000;
const START = Math.floor(systemClock.now() / DAY) * DAY - 20 * DAY;

/** Rows as an earlier version has stored them: usual ones, and each oddity that a column can hold. */
const OLD_ROWS = `
  insert into device (tenant_id, imei, registered_by) select tenant_id, 'old-' || n, 'api' from tenant, generate_series(1, 5) n
  where name = 'default';
  insert into position (device_id, time, id, tenant_id, latitude, longitude, speed, course, altitude, valid, outdated,
    device_time, fix_time, server_time, protocol, ignition, attributes)
  select d.id, at, decode(md5(d.id || ' ' || i) || '00', 'hex'), d.tenant_id, 45 + i / 7.0, 9 - i / 3.0, i * 1.852, i % 360,
    i / 11.0, i % 5 <> 0, i % 13 = 0, at, at, at + i * interval '1.2 s', 'teltonika', i % 2 = 0,
    format('{"ignition":%s,"sat":%s,"power":%s,"text":"a, \\"b\\" %% é"}', to_json(i % 2 = 0), i, 13 + i / 9.0)::json
  from generate_series(0, 299) i, device d, lateral (
    select to_timestamp(${START / 1000}) + i * interval '10 min' + d.id * interval '7 ms' as at) s;
  create table odd (n int generated always as identity, attributes json, protocol text, network json, accuracy float8,
    device interval, fix interval, server interval, latitude float8, speed float8, ignition boolean, suspect boolean default false);
  insert into odd (attributes) values ('{}'), ('{"a":1,"a":2}'), ('{ "spaces" :  1 }'), ('{"nested":{"b":[1, 2,null]},"z":null}'),
    ('{"%s":"%","100%":1}'), ('{"escaped":"\\u0041\\n"}'), ('{"bad":"\\u0000"}'), ('[1,2]'), ('"text"'), ('{"":""}'),
    ('{"big":1e400,"é":"è 😀","q\\"":1}');
  insert into odd (attributes, protocol) values ('{"a":1}', ''), ('{"a":1}', null), ('{"a":1}', 'gt06'), ('{ "a":1}', 'gt06');
  insert into odd (attributes, network, accuracy) values ('{"a":2}', '{ "cells": [null, 1] }', 0.1), ('{"a":2}', 'null', 'NaN');
  insert into odd (attributes, device, fix, server) values ('{"t":1}', null, '0', '0'), ('{"t":1}', '1 s', null, '-3 s'),
    ('{"t":1}', '0', '-1 day', '0.000001 s'), ('{"t":1}', '300 years', '-20 years', '-70 years');
  insert into odd (attributes, latitude, speed, ignition, suspect) values ('{"v":1}', 'NaN', 'Infinity', true, true),
    ('{"v":1}', -0.0, 5e-324, false, false);
  insert into position (device_id, time, id, tenant_id, latitude, longitude, speed, valid, outdated, accuracy,
    device_time, fix_time, server_time, protocol, network, ignition, clock_suspect, attributes)
  select d.id, at, decode(md5('odd' || n) || '30', 'hex'), d.tenant_id, latitude, 9, speed, false, false, accuracy,
    at + device, at + fix, coalesce(at + server, at + interval '1 s'), protocol, network, ignition, suspect, attributes
  from odd, device d, lateral (select to_timestamp(${START / 1000}) + n * interval '1 min' as at) s where d.imei = 'old-3';
  drop table odd;
  insert into position_newest (device_id, tenant_id, time, id, outdated, server_time, attributes, valid, located_at, received_at,
    latitude, longitude)
  select distinct on (device_id) device_id, tenant_id, time, id, false, server_time, '{}', true, time, time, latitude, longitude
  from position where latitude <> 'NaN' order by device_id, time desc`;

/** Every column of every row as text, whichever table it is in. */
const ALL = `select (p.device_id, p.time, p.id, p.tenant_id, p.latitude, p.longitude, p.speed, p.course, p.valid, p.outdated,
    p.altitude, p.accuracy, p.device_time, p.fix_time, p.server_time, p.protocol, p.network::text, p.attributes::text,
    p.ignition, p.clock_suspect)::text as row
  from position_all p order by p.device_id, p.time, p.id`;

describe('rows of an earlier version', () => {
  let url: string;
  let api: RunningApi;
  let history: TestHistory;
  let before: Awaited<ReturnType<typeof answers>>;
  beforeAll(async () => {
    url = await withEmptyDatabase(async (empty) => empty);
    const last = schemaMigrations.known().findIndex((name) => name.endsWith('-narrow-positions')) - 1;
    await schemaMigrations.migrate(url, schemaMigrations.known()[last]);
    await asOwner(url, `insert into tenant (name) values ('default')`);
    await asOwner(url, OLD_ROWS);
    api = await startApi(url);
    history = startHistory(api.database);
    before = await answers();
  });
  afterAll(async () => {
    await history?.stop();
    await api?.stop();
    await dropDatabases();
  });

  const count = async (table: string): Promise<number> =>
    (await asOwner<{ n: number }>(url, `select count(*)::int as n from ${table}`))[0]!.n;
  const rows = async (): Promise<string[]> => (await asOwner<{ row: string }>(url, ALL)).map(({ row }) => row);
  async function answers() {
    const range = `from=${new Date(START).toISOString()}&to=${new Date(START + 4 * DAY).toISOString()}`;
    const lists: unknown[] = [];
    for (const imei of ['old-1', 'old-2']) {
      for (const path of [`devices/${imei}/positions?limit=500&`, `vehicles/${imei}/polyline?`]) {
        const { status, body } = await api.get(`/v1/${path}${range}`);
        lists.push([path, status, body]);
      }
    }
    return { rows: await rows(), lists };
  }

  test('are the same while they are moved, after the process was killed, and afterwards', async () => {
    expect(before.rows).toHaveLength(5 * 300 + 23);
    expect(before.lists.map((list) => (list as unknown[])[1])).toEqual([200, 200, 200, 200]);
    for (const n of [1, 4]) {
      await runUntilKilled('narrow', url, String(n));
      expect(await answers()).toEqual(before);
    }
    expect(await count('position_narrow')).toBeGreaterThan(0);
    let transactions = 0;
    await history.narrow({
      before: START + 30 * DAY,
      by: 'day',
      forms: 100,
      async at() {
        transactions += 1;
        if (transactions % 4 === 1) expect(await answers()).toEqual(before);
      },
    });
    expect(await count('position')).toBe(0);
    expect(await count('position_narrow')).toBe(before.rows.length);
    expect(await answers()).toEqual(before);
    // nothing is left to be moved
    expect(await narrowAll(history)).toBe(0);
  });

  test('have the names of their attributes once', async () => {
    const forms = await asOwner<{ template: string }>(url, 'select template, protocol from attribute_form');
    const usual = forms.filter(({ template }) => template.startsWith('{"ignition":'));
    expect(usual).toEqual([{ template: '{"ignition":%s,"sat":%s,"power":%s,"text":%s}', protocol: 'teltonika' }]);
    const [texts] = await asOwner<{ n: number }>(url, 'select count(*)::int as n from position_narrow where form = 0');
    // spaces, escapes, no object, no place for a name that only differs in null and ''
    expect(texts!.n).toBeLessThanOrEqual(8);
  });

  test('become files as they are, and their tables are dropped', async () => {
    await sealAll(history, START + 1 * DAY);
    await sealAll(history);
    expect(await count('position_narrow')).toBe(0);
    expect((await history.status()).positions).toBe(before.rows.length);
    expect(await history.verify()).toEqual([]);
    const { rows: read } = await api.database.ingest.query(`select count(*)::int as n from position_all`);
    expect(read[0].n).toBe(0);
    const partitions = () =>
      asOwner(url, `select inhrelid::regclass::text from pg_inherits where inhparent = 'position_narrow'::regclass`);
    expect((await partitions()).length).toBeGreaterThan(1);
    await asOwner(url, 'vacuum position_narrow');
    await narrowAll(history);
    expect(await partitions()).toEqual([]);
  });
});

describe('narrow rows', () => {
  let url: string;
  let api: RunningApi;
  let history: TestHistory;
  beforeAll(async () => {
    api = await withDatabase((given) => {
      url = given;
      return startApi(given, { RETENTION_DAYS: 10 });
    });
    history = startHistory(api.database);
  });
  afterAll(async () => {
    await history?.stop();
    await api?.stop();
    await dropDatabases();
  });

  const position = (imei: string, at: number, attributes: object = { sat: 7 }) => ({
    imei,
    fixTime: new Date(at).toISOString(),
    valid: true,
    latitude: 45.1,
    longitude: 9.2,
    attributes,
  });
  const push = (positions: object[]) => api.send('POST', '/v1/positions', { positions });
  const listed = async (imei: string): Promise<{ attributes: object }[]> =>
    (await api.get(`/v1/devices/${imei}/positions?limit=500`)).body.items;

  test('are duplicates if a device sends them again', async () => {
    const positions = [position('N-1', START), position('N-1', START + 1_000)];
    await push(positions);
    expect(await narrowAll(history)).toBe(2);
    expect((await push(positions)).body).toMatchObject({ accepted: 0, duplicates: 2 });
    const fresh = position('N-1', START + 2_000);
    expect((await push([...positions, fresh])).body).toMatchObject({ accepted: 1, duplicates: 2 });
    expect(await listed('N-1')).toHaveLength(3);
  });

  test('are duplicates if a gateway sends them again in another batch', async () => {
    const report = async (spool: string, ...numbers: number[]): Promise<unknown> => {
      const records = numbers.map((n, i) => packedPosition(i + 1, 'N-2', n));
      const response = await fetch(`${api.url}/v1/internal/events?spool=${spool}`, {
        method: 'POST',
        headers: { ...(await api.gateway()), 'content-type': RECORDS_MEDIA_TYPE },
        body: new Uint8Array(spoolBody(records)),
      });
      return response.json();
    };
    await report('first', 0, 1, 2);
    await narrowAll(history);
    expect(await report('second', 0, 1, 2, 3)).toEqual({ lastSeq: 4, rejected: [] });
    expect(await listed('N-2')).toHaveLength(4);
  });

  test('are duplicates if they are sent again while they are moved', async () => {
    await narrowAll(history);
    const positions = [position('N-3', START)];
    await push(positions);
    let again: ReturnType<typeof push> | undefined;
    await history.narrow({
      before: START + DAY,
      by: 'day',
      forms: 100,
      async at() {
        again ??= push(positions);
        // it waits for the transaction that moves the row
        await expect.poll(waiting, { timeout: 60_000 }).toBe(1);
      },
    });
    expect((await again!).body).toMatchObject({ accepted: 0, duplicates: 1 });
    expect(await listed('N-3')).toHaveLength(1);
  });
  const waiting = async (): Promise<number> => {
    const [found] = await asOwner<{ n: number }>(
      url,
      `select count(*)::int as n from pg_locks where locktype = 'advisory' and not granted
         and database = (select oid from pg_database where datname = current_database())`,
    );
    return found!.n;
  };

  test('keep their attributes as a text where a tenant has too many forms', async () => {
    const positions = Array.from({ length: 20 }, (_, n) => position('N-4', START + n * 1_000, { [`name${n}`]: n }));
    await push(positions);
    const before = await listed('N-4');
    const [{ n: known }] = (await asOwner<{ n: number }>(url, 'select count(*)::int as n from attribute_form')) as [
      { n: number },
    ];
    await history.narrow({ before: START + DAY, by: 'day', forms: known + 5 });
    const [{ n: forms }] = (await asOwner<{ n: number }>(url, 'select count(*)::int as n from attribute_form')) as [
      { n: number },
    ];
    expect(forms).toBe(known + 5);
    expect(await listed('N-4')).toEqual(before);
  });

  test('of months and of days are tables of their own, and a month is not divided', async () => {
    const month = Date.UTC(2025, 2, 1);
    await push([position('N-5', month), position('N-5', month + 5 * DAY)]);
    await narrowAll(history, month + 100 * DAY, 'month');
    await push([position('N-5', month + 7 * DAY)]);
    await narrowAll(history, month + 100 * DAY, 'day');
    expect(await listed('N-5')).toHaveLength(3);
    const [found] = await asOwner<{ n: number }>(url, 'select count(*)::int as n from position_narrow_202503');
    expect(found!.n).toBe(3);
  });

  test('are removed with their device, and after RETENTION_DAYS', async () => {
    const young = Math.floor(systemClock.now() / DAY) * DAY - 2 * DAY;
    await push([position('N-6', START), position('N-6', young), position('N-7', START), position('N-7', young)]);
    await narrowAll(history);
    const device = await asOwner<{ id: number }>(url, `select id from device where imei = 'N-7'`);
    await api.send('DELETE', '/v1/devices/N-7');
    await asOwner(url, `update removed_device set removed_at = now() - interval '1 hour'`);
    await api.api.housekeeping.run();
    expect(await listed('N-6')).toHaveLength(1);
    const [found] = await asOwner<{ n: number }>(
      url,
      `select count(*)::int as n from position_all where device_id = ${device[0]!.id}`,
    );
    expect(found!.n).toBe(0);
    const old = await asOwner(
      url,
      `select from pg_inherits where inhparent = 'position_narrow'::regclass
         and inhrelid::regclass::text like '%narrow_202503'`,
    );
    expect(old).toEqual([]);
  });
});
