import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningApi, startApi } from '../../support/api.ts';
import { positionEvent, positionOf } from '../../support/positions.ts';
import { startTestServer, type TestServer } from '../../support/postgres.ts';
import { packedPosition, spoolBody } from '../../support/spool-records.ts';

let server: TestServer;
let owner: pg.Client;
let api: RunningApi;
let marks = 0;
const lines: string[] = [];
beforeAll(async () => {
  server = await startTestServer(
    { fsync: 'off' },
    pino({ level: 'warn' }, { write: (line: string) => lines.push(line) }),
  );
  const url = await server.database();
  api = await startApi(url);
  owner = new pg.Client({ connectionString: url });
  await owner.connect();
});
afterAll(async () => {
  await owner?.end();
  await api?.stop();
  await server?.stop();
});

/** Warnings and errors that PostgreSQL has logged so far. */
async function logged(): Promise<string[]> {
  // lines come in order: what was logged before this one is there with it
  const mark = `mark-${++marks}`;
  await owner.query(`do $$ begin raise warning '${mark}'; end $$`);
  await expect.poll(() => lines.some((line) => line.includes(mark))).toBe(true);
  return lines.filter((line) => !line.includes('mark-'));
}

const packed = async (records: ReturnType<typeof packedPosition>[]): Promise<number> => {
  const response = await fetch(`${api.url}/v1/internal/events?spool=packed&clock=${Date.now()}`, {
    method: 'POST',
    headers: { ...(await api.gateway()), 'content-type': 'application/vnd.fleetgate.records' },
    body: spoolBody(records),
  });
  return response.status;
};

test('records that are sent again are no error in the log of PostgreSQL', async () => {
  const before = await logged();
  // past the first batches, which are written with care
  for (let n = 1; n <= 60; n++) expect(await packed([packedPosition(n, 'D-1', n)])).toBe(200);
  expect(await packed([packedPosition(61, 'D-1', 7), packedPosition(62, 'D-1', 61)])).toBe(200);
  expect((await api.get('/v1/devices/D-1/positions?limit=500')).body.items).toHaveLength(61);
  for (let n = 1; n <= 60; n++) await api.send('POST', '/v1/positions', { positions: [positionOf('D-2', n)] });
  const again = await api.send('POST', '/v1/positions', { positions: [positionOf('D-2', 3), positionOf('D-2', 61)] });
  expect(again.body).toMatchObject({ accepted: 1, duplicates: 1 });
  await api.events([{ ...positionEvent('D-2', 5), seq: 1 }], 'lines');
  expect(await logged()).toEqual(before);
  // the log is read at all
  await owner.query('select 1 / 0').catch(() => {});
  expect((await logged()).join('\n')).toContain('division by zero');
}, 60_000);
