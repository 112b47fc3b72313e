import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { copyOut, withFile } from '../../../src/server/database/index.ts';
import { ReceivedRows, RowsError, type SentColumn } from '../../../src/server/history/exported/received.ts';
import { wholeId } from '../../../src/server/history/files/ids/store.ts';

const COLUMNS: readonly SentColumn[] = [
  { name: 'n', kind: 'int64' },
  { name: 'time', kind: 'time' },
  { name: 'id', kind: 'id' },
  { name: 'number', kind: 'double', isOptional: true },
  { name: 'small', kind: 'int32' },
  { name: 'text', kind: 'text', isOptional: true },
];
const NAMES = COLUMNS.map(({ name }) => name).join(', ');
/** of ids: the bytes of a time, µs since 1970 */
const TIME_OF = (micros: string): string => `decode(lpad(to_hex(floor(${micros} / 1000.0)::int8), 12, '0'), 'hex')`;

let folder: string;
let path: string;
let client: pg.Client;
let db: DuckDBConnection;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fleetgate-received-'));
  path = join(folder, 'rows');
  client = new pg.Client({ connectionString: inject('databaseServer') });
  await client.connect();
  db = await (await DuckDBInstance.create(':memory:')).connect();
});
afterAll(async () => {
  db.closeSync();
  await client.end();
  rmSync(folder, { recursive: true, force: true });
});

const receive = (sql: string, columns = COLUMNS): Promise<number> =>
  withFile(path, async (file) => {
    const received = new ReceivedRows(file, columns);
    const count = await copyOut(client, sql, (rows) => received.write(rows));
    await received.end();
    return count;
  });
const read = async (sql: string): Promise<Record<string, unknown>[]> =>
  (await db.runAndReadAll(sql)).getRowObjectsJson() as Record<string, unknown>[];

const IN_POSTGRES = `n::text, (extract(epoch from time) * 1000000)::int8::text as micros, encode(id, 'hex') as id,
  encode(float8send(number), 'hex') as number, small::text, text`;
const IN_DUCKDB = `n::varchar as n, epoch_us(time)::varchar as micros, lower(hex(${wholeId()})) as id,
  small::varchar as small, text`;

test('rows of PostgreSQL are read by DuckDB as they are', async () => {
  await client.query(`create temp table row as
    select n::int8 as n, at as time,
      case n % 4
        when 0 then substr(sha256(n::text::bytea), 1, 10) || ${TIME_OF('(extract(epoch from at) * 1000000)::int8')} || '\\x00'
        when 1 then substr(sha256(n::text::bytea), 1, 16) || '\\x00'
        when 2 then substr(sha256(n::text::bytea), 1, 16) || '\\x01'
        else substr(sha256(n::text::bytea), 1, n % 15) end as id,
      case when n % 9 = 0 then null else (array['NaN', 'Infinity', '-Infinity', '-0', '1e-300', '0.1', '45.1234567']::float8[])[1 + n % 7] end as number,
      (array[0, -1, 2147483647, -2147483648, 77])[1 + n % 5] as small,
      case when n % 11 = 0 then null when n = 30000 then repeat('long è', 400000) else repeat('ö\\t"', n % 40) end as text
    from generate_series(0, 50000) n,
      lateral (select timestamptz '1969-12-31 23:59:59.9Z' + n * interval '31.000007 hours' as at) t`);
  const rows = `select ${NAMES} from row order by n`;
  expect(await receive(`copy (${rows}) to stdout (format binary)`)).toBe(50_001);
  const expected = await client.query(`select ${IN_POSTGRES} from row order by row.n`);
  const found = await read(
    `select ${IN_DUCKDB} from (
       select * replace (make_timestamptz(time + 946684800000000) as time) from read_parquet('${path}'))`,
  );
  // DuckDB does not write the bits of a number
  const numbers = (await db.runAndReadAll(`select number from read_parquet('${path}')`)).getRowsJS();
  const bitsOf = (value: unknown): string | null => {
    if (value === null) return null;
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleBE(value as number);
    return bytes.toString('hex');
  };

  expect(found.map((row, i) => ({ ...row, number: bitsOf(numbers[i]![0]) }))).toEqual(expected.rows);
  const short = await read(
    `select octet_length(id)::varchar as bytes, count(*)::varchar as rows from read_parquet('${path}')
     where id_device is not null group by 1`,
  );
  // the first one is before 1970
  expect(short).toEqual([{ bytes: '5', rows: '12500' }]);
});

test('no rows are a file without rows', async () => {
  expect(await receive(`copy (select ${NAMES} from row where false) to stdout (format binary)`)).toBe(0);
  expect(await read(`select count(*)::varchar as rows from read_parquet('${path}')`)).toEqual([{ rows: '0' }]);
});

test('long texts do not gather in memory', async () => {
  const sql = `select n::int8, now() as time, 'x'::bytea as id, 1::float8, 1, repeat('x', 1000000) from generate_series(1, 200) n`;
  expect(await receive(`copy (${sql}) to stdout (format binary)`)).toBe(200);
  const groups = await read(`select count(distinct row_group_id)::int as groups from parquet_metadata('${path}')`);
  expect(groups).toEqual([{ groups: 4 }]);
  expect(await read(`select sum(length(text))::varchar as n from read_parquet('${path}')`)).toEqual([
    { n: '200000000' },
  ]);
});

test.each([
  ['in another format', `select 1 as n`, 'text', /in another format/],
  ['with other columns', `select 1::int8 as n`, 'binary', /a row of 1 columns/],
  ['with other types', `select 1, now(), 'x'::bytea, 1::float8, 1, 'x'`, 'binary', /n: 4 bytes/],
  ['without a value', `select 1::int8, now(), null::bytea, 1::float8, 1, 'x'`, 'binary', /without a value/],
])('rows %s are an error, and the session goes on', async (_name, sql, format, message) => {
  const received = receive(`copy (${sql}) to stdout (format ${format})`);
  await expect(received).rejects.toThrow(RowsError);
  await expect(received).rejects.toThrow(message);
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});

test('rows without their end are an error', async () => {
  let bytes = Buffer.alloc(0);
  await copyOut(
    client,
    `copy (select ${NAMES} from row where n < 9 order by n) to stdout (format binary)`,
    async (rows) => {
      bytes = Buffer.concat([bytes, rows]);
    },
  );
  await withFile(path, async (file) => {
    const received = new ReceivedRows(file, COLUMNS);
    await received.write(bytes.subarray(0, -2));
    await expect(received.end()).rejects.toThrow('rows without their end');
  });
  await withFile(path, async (file) => {
    const received = new ReceivedRows(file, COLUMNS);
    await expect(received.write(bytes.subarray(0, -5))).rejects.toThrow('a row that is not whole');
  });
  expect(readFileSync(path).length).toBe(0);
});

test('an id needs a time before it', () =>
  withFile(path, async (file) => {
    const [n, time, id] = COLUMNS;
    expect(() => new ReceivedRows(file, [n!, id!, time!])).toThrow('no time before the id');
    expect(() => new ReceivedRows(file, [n!, id!])).toThrow('no time before the id');
  }));
