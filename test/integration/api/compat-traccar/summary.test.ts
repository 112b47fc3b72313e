import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningApi, startApi } from '../../../support/api.ts';
import { dropDatabases, withDatabase } from '../../../support/databases.ts';
import { unzip } from '../../../support/documents.ts';
import { positionEvent } from '../../../support/positions.ts';
import { problemsOf } from './document/index.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely
type Json = any;

const PASSWORD = 'correct horse battery';
const CAR = '860000000000011';
/** in no vehicle */
const BARE = '860000000000012';
const SILENT = '860000000000013';
/** of 0.004° of latitude, on a sphere with the circumference of the Earth's */
const STEP_M = (40_030_174 / 360) * 0.004;
const STEP_MS = 30_000;
const INTERVAL = 'from=2026-03-27T12:00:00Z&to=2026-03-30T12:00:00Z';

let api: RunningApi;
const basic = (name: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${name}:${PASSWORD}`).toString('base64')}`,
});
async function get(path: string, user = 'boss', status = 200): Promise<Json> {
  const answer = await api.get(`/api${path}`, basic(user));
  expect(answer.status, JSON.stringify(answer.body)).toBe(status);
  if (status === 200) expect(problemsOf('GET', path, 200, answer.body)).toEqual([]);
  return answer.body;
}

let spools = 0;
let records = 0;
/** Goes north for so many steps, then stands with its engine off. */
async function drive(imei: string, start: string, steps: number, south: number): Promise<void> {
  const events = Array.from({ length: steps + 11 }, (_, n) => {
    const at = new Date(Date.parse(start) + n * STEP_MS).toISOString();
    const isMoving = n < steps;
    const latitude = south + Math.min(n, steps) * 0.004;
    return positionEvent(imei, ++records, {
      deviceTime: at,
      fixTime: at,
      serverTime: at,
      latitude,
      longitude: 9,
      speed: isMoving ? 53 : 0,
      attributes: { ignition: isMoving, fuelUsed: Math.round((latitude - 45) / 0.004) / 20 },
    });
  });
  expect((await api.events(events, `summary-${++spools}`)).body.rejected).toEqual([]);
}

beforeAll(async () => {
  api = await withDatabase((url) => startApi(url, { COMPAT_TRACCAR: true }));
  for (const imei of [CAR, BARE, SILENT]) await api.send('POST', '/v1/devices', { imei });
  await api.send('POST', '/v1/vehicles', { targa: 'DAY001' });
  await api.send('POST', '/v1/pairings', { targa: 'DAY001', imei: CAR, from: '2026-03-01T00:00:00Z' });
  // in Rome clocks are put forward on 29 March: that day is from 28 March 23:00 to 29 March 22:00 in UTC
  await drive(CAR, '2026-03-28T22:50:00Z', 40, 45);
  await drive(CAR, '2026-03-29T21:30:00Z', 30, 45.16);
  await drive(CAR, '2026-03-29T22:10:00Z', 10, 45.28);
  await drive(BARE, '2026-03-29T10:00:00Z', 20, 45);
  const user = { username: 'boss', role: 'admin', password: PASSWORD, email: 'boss@example.org' };
  expect((await api.send('POST', '/v1/users', { ...user, timezone: 'Europe/Rome' })).status).toBe(200);
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
});

const deviceOf = async (imei: string): Promise<Json> => (await get(`/devices?uniqueId=${imei}`))[0];
const daily = async (imei: string, interval = INTERVAL): Promise<Json[]> =>
  get(`/reports/summary?deviceId=${(await deviceOf(imei)).id}&${interval}&daily=true`);
const daysOf = (rows: Json[]) =>
  rows.map(({ startTime, endTime, distance }) => [startTime, endTime, Math.round(distance / STEP_M)]);

const IN_ROME = [
  ['2026-03-28T22:50:00.000Z', '2026-03-28T22:59:30.000Z', 19],
  ['2026-03-28T23:00:00.000Z', '2026-03-29T21:50:00.000Z', 20 + 30],
  ['2026-03-29T22:10:00.000Z', '2026-03-29T22:20:00.000Z', 10],
];

test('a daily summary has a row for each day of the user that has positions', async () => {
  const rows = await daily(CAR);
  expect(daysOf(rows)).toEqual(IN_ROME);
  const { id, name } = await deviceOf(CAR);
  for (const row of rows) {
    expect(row).toMatchObject({ deviceId: id, deviceName: name });
    expect(row.maxSpeed).toBeCloseTo(53 / 1.852, 1);
  }
  // 445 m in 30 s
  expect(rows[0].averageSpeed).toBeCloseTo(((STEP_M / 30) * 3.6) / 1.852, 0);
  // a liter in 20 steps
  expect(rows.map(({ spentFuel }) => spentFuel)).toEqual([0.95, 2.5, 0.5].map((liters) => expect.closeTo(liters, 1)));
  const whole = await get(`/reports/summary?deviceId=${id}&${INTERVAL}`);
  expect(daysOf(whole)).toEqual([['2026-03-28T22:50:00.000Z', '2026-03-29T22:20:00.000Z', 40 + 30 + 10]]);
});

test('the ends of the interval cut the first and the last day', async () => {
  expect(daysOf(await daily(CAR, 'from=2026-03-28T22:55:00Z&to=2026-03-29T21:40:00Z'))).toEqual([
    ['2026-03-28T22:55:00.000Z', '2026-03-28T22:59:30.000Z', 9],
    ['2026-03-28T23:00:00.000Z', '2026-03-29T21:40:00.000Z', 20 + 20],
  ]);
});

test('a device that is in no vehicle has its rows, one without positions has none', async () => {
  const both = `deviceId=${(await deviceOf(BARE)).id}&deviceId=${(await deviceOf(SILENT)).id}`;
  const rows = await get(`/reports/summary?${both}&${INTERVAL}&daily=true`);
  expect(daysOf(rows)).toEqual([['2026-03-29T10:00:00.000Z', '2026-03-29T10:15:00.000Z', 20]]);
  const trips = await get(`/reports/trips?${both}&${INTERVAL}`);
  expect(trips).toMatchObject([{ startTime: '2026-03-29T10:00:00Z', distance: rows[0].distance }]);
  expect(await get(`/reports/stops?deviceId=${(await deviceOf(SILENT)).id}&${INTERVAL}`)).toEqual([]);
});

test('the zone that a client has stored for the user comes before that of the user', async () => {
  const [user] = await get('/users?keyword=boss');
  const store = (timezone: string) =>
    api.send('PUT', `/api/users/${user.id}`, { ...user, attributes: { timezone } }, basic('boss'));
  expect((await store('Asia/Tokyo')).status).toBe(200);
  // a day begins at 15:00 in UTC
  expect(daysOf(await daily(CAR))).toEqual([
    ['2026-03-28T22:50:00.000Z', '2026-03-28T23:15:00.000Z', 40],
    ['2026-03-29T21:30:00.000Z', '2026-03-29T22:20:00.000Z', 30 + 10],
  ]);
  expect((await store('Mars/Olympus')).status).toBe(200);
  const { id } = await deviceOf(CAR);
  const refused = await get(`/reports/summary?deviceId=${id}&${INTERVAL}&daily=true`, 'boss', 422);
  expect(refused).toMatchObject({ code: 'unknown-timezone', detail: expect.stringContaining('Mars/Olympus') });
  expect((await store('')).status).toBe(200);
  expect(daysOf(await daily(CAR))).toEqual(IN_ROME);
});

test('an interval that is too long is refused, however many days it has', async () => {
  const { id } = await deviceOf(CAR);
  const path = `/reports/summary?deviceId=${id}&from=1991-01-01T00:00:00Z&to=2090-01-01T00:00:00Z&daily=true`;
  expect(await get(path, 'boss', 422)).toMatchObject({ code: 'interval-too-long' });
});

test('a device with more positions than are read at once has the same days', async () => {
  const start = Date.parse('2026-04-10T18:00:00Z');
  const [most, batch] = [20_000, 1_000];
  for (let first = 0; first < most; first += batch) {
    const events = Array.from({ length: batch }, (_, n) => {
      const at = new Date(start + (first + n) * 1_000).toISOString();
      const times = { deviceTime: at, fixTime: at, serverTime: at };
      return positionEvent(BARE, ++records, { ...times, latitude: 45, longitude: 9, speed: 0, attributes: {} });
    });
    expect((await api.events(events, `summary-${++spools}`)).body.rejected).toEqual([]);
  }
  // in Rome the day begins at 22:00 in UTC
  expect(daysOf(await daily(BARE, 'from=2026-04-10T12:00:00Z&to=2026-04-11T12:00:00Z'))).toEqual([
    ['2026-04-10T18:00:00.000Z', '2026-04-10T21:59:59.000Z', 0],
    ['2026-04-10T22:00:00.000Z', '2026-04-10T23:33:19.000Z', 0],
  ]);
});

test('a spreadsheet has the same days', async () => {
  const { id } = await deviceOf(CAR);
  const path = `/api/reports/summary/xlsx?deviceId=${id}&${INTERVAL}&daily=true`;
  const response = await fetch(`${api.url}${path}`, { headers: basic('boss') });
  const files = await unzip(new Uint8Array(await response.arrayBuffer()));
  const text = [...files.values()].map((bytes) => Buffer.from(bytes).toString()).join('\n');
  for (const time of IN_ROME.flatMap(([start, end]) => [String(start), String(end)])) expect(text).toContain(time);
});
