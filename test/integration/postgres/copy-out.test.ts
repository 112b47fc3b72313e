import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { copyOut, copyToFile } from '../../../src/server/database/index.ts';
import { ReceivingSocket } from '../../../src/server/database/receiving-socket.ts';

const ROWS = 1_000;
/** rows of 0 to 3,000 bytes, and one that is larger than a block of the file */
const SQL = `copy (select n, repeat(chr(97 + n % 26), (n * 7919) % 3000), case when n = 500 then repeat('long', 300000) end
  from generate_series(1, ${ROWS}) n) to stdout`;

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fleetgate-copy-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SOCKETS = { 'a usual socket': Socket, 'a socket with one buffer': ReceivingSocket };
type Kind = keyof typeof SOCKETS;
const KINDS = Object.keys(SOCKETS) as Kind[];

/** `size`: bytes that arrive at once, at most */
async function connect(size = Number.POSITIVE_INFINITY, kind: Kind = 'a socket with one buffer'): Promise<pg.Client> {
  const socket = new SOCKETS[kind]();
  const emit = socket.emit.bind(socket) as (event: string | symbol, ...args: unknown[]) => boolean;
  socket.emit = (event: string | symbol, ...args: unknown[]): boolean => {
    if (event !== 'data' || !Number.isFinite(size)) return emit(event, ...args);
    const chunk = args[0] as Buffer;
    for (let at = 0; at < chunk.length; at += size) emit(event, chunk.subarray(at, at + size));
    return true;
  };
  const client = new pg.Client({ connectionString: inject('databaseServer'), stream: () => socket });
  await client.connect();
  return client;
}

/** As the library gives them that others use for this. */
async function readByLibrary(sql: string): Promise<Buffer> {
  const client = await connect(undefined, 'a usual socket');
  const chunks: Buffer[] = [];
  const collect = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  await pipeline(client.query(copyTo(sql)), collect);
  await client.end();
  return Buffer.concat(chunks);
}

test.each(KINDS.flatMap((kind) => [1, 3, 5, 4_096, Number.POSITIVE_INFINITY].map((size) => ({ kind, size }))))(
  'rows that arrive $size bytes at a time through $kind are those of the library',
  async ({ kind, size }) => {
    const client = await connect(size, kind);
    const path = join(folder, 'rows');
    expect(await copyToFile(client, SQL, path)).toBe(ROWS);
    expect(readFileSync(path).equals(await readByLibrary(SQL))).toBe(true);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await client.end();
  },
);

test.each(KINDS)('more rows than are in memory at once come in order through %s', async (kind) => {
  const client = await connect(undefined, kind);
  const path = join(folder, 'many');
  const sql = `copy (select n, repeat('x', 1 + n % 200) from generate_series(1, 200000) n) to stdout`;
  expect(await copyToFile(client, sql, path)).toBe(200_000);
  expect(readFileSync(path).equals(await readByLibrary(sql))).toBe(true);
  // and what pg reads afterwards is its own
  const { rows } = await client.query(`select repeat('y' || n, 100000) as text from generate_series(1, 9) n`);
  expect(rows.map(({ text }) => text)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => `y${n}`.repeat(100_000)));
  await client.end();
});

test.each([3, 4_096, Number.POSITIVE_INFINITY])('rows are passed on as a whole (%d bytes at a time)', async (size) => {
  const client = await connect(size);
  const blocks: string[] = [];
  const copied = await copyOut(client, SQL, async (rows) => {
    blocks.push(rows.toString());
  });
  expect(copied).toBe(ROWS);
  expect(blocks.length).toBeGreaterThan(1);
  expect(blocks.filter((block) => !block.endsWith('\n'))).toEqual([]);
  expect(blocks.join('')).toBe((await readByLibrary(SQL)).toString());
  await client.end();
});

test('no rows are an empty file', async () => {
  const client = await connect();
  const path = join(folder, 'none');
  expect(await copyToFile(client, 'copy (select 1 where false) to stdout', path)).toBe(0);
  expect(statSync(path).size).toBe(0);
  await client.end();
});

test.each([1, Number.POSITIVE_INFINITY])(
  'an error in the middle of the rows is thrown (%d bytes at a time)',
  async (size) => {
    const client = await connect(size);
    const sql = `copy (select 1 / (${ROWS} - n) from generate_series(1, ${ROWS}) n) to stdout`;
    await expect(copyToFile(client, sql, join(folder, 'error'))).rejects.toMatchObject({ code: '22012' });
    await expect(copyToFile(client, 'copy nothing to stdout', join(folder, 'error'))).rejects.toMatchObject({
      code: '42P01',
    });
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await client.end();
  },
);

test('an error behind a block that is full is thrown, and the session goes on', async () => {
  const client = await connect();
  // 4,096 rows of 1,024 bytes: the last one fills the fourth block while others are written
  const sql = `copy (select repeat('x', 1023 + 0 / (4097 - n)) from generate_series(1, 4097) n) to stdout`;
  await expect(copyToFile(client, sql, join(folder, 'full'))).rejects.toMatchObject({ code: '22012' });
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await client.end();
});

test('a file that cannot be written ends the copy, and not the session', async () => {
  const client = await connect();
  await client.query('begin');
  await expect(copyToFile(client, SQL, join(folder, 'missing', 'rows'))).rejects.toMatchObject({ code: 'ENOENT' });
  await client.query('rollback');
  await client.end();
});

test('a full disk ends the copy, and not the session', async () => {
  const client = await connect();
  await client.query('begin');
  await expect(copyToFile(client, SQL, '/dev/full')).rejects.toMatchObject({ code: 'ENOSPC' });
  await client.query('rollback');
  await client.end();
});

test('a session that ends in the middle of the rows is an error', async () => {
  const [client, other] = [await connect(), await connect()];
  client.on('error', () => undefined);
  const { rows } = await client.query('select pg_backend_pid() as pid');
  const sql = `copy (select n, case when n = 100000 then pg_sleep(60)::text end from generate_series(1, 200000) n) to stdout`;
  // it may end before the request that ends it is answered
  const isEnded = expect(copyToFile(client, sql, join(folder, 'ended'))).rejects.toThrow(/terminat/);
  const isCopying = `select from pg_stat_activity where pid = $1 and wait_event = 'PgSleep'`;
  while ((await other.query(isCopying, [rows[0].pid])).rowCount === 0);
  await other.query('select pg_terminate_backend($1)', [rows[0].pid]);
  await isEnded;
  await other.end();
});
