import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { untilAnalysed } from '../../../support/analysed.ts';
import { API_KEY, type RunningApi, startApi } from '../../../support/api.ts';
import { dropDatabases, withDatabase } from '../../../support/databases.ts';
import { readPdf, readXlsx } from '../../../support/documents.ts';
import {
  cardFile,
  crossing,
  datesFrom,
  dayOf,
  longDay,
  ordinary,
  secondsOf,
  transfer,
  use,
} from '../../../support/tachograph.ts';

let api: RunningApi;
let driverId: string;
let fileId: string;
let unknownFile: string;

/** Two weeks from Monday, 2 March 2026; on Tuesday, the 10th, 11 h 20 of driving. */
const days = datesFrom('2026-03-02', 12)
  .filter((date) => !['2026-03-07', '2026-03-08'].includes(date))
  .map((date) => dayOf(date, date === '2026-03-10' ? longDay : ordinary, 412));
const weekend = ['2026-03-07', '2026-03-08'].map((date) => dayOf(date, [], 0));

const upload = async (bytes: Uint8Array) =>
  (await api.send('POST', '/v1/drivers/ddd', { fileBase64: Buffer.from(bytes).toString('base64') })).body;

beforeAll(async () => {
  api = await withDatabase((url) => startApi(url));
  const driver = { name: 'Łucja Żółkiewska', cardNumber: 'I000000012345600' };
  driverId = (await api.send('POST', '/v1/drivers', driver)).body.id;
  const bytes = cardFile({
    days: [...days, ...weekend].toSorted((a, b) => (a.date < b.date ? -1 : 1)),
    lastDownload: secondsOf('2026-03-13T20:00:00Z'),
    vehicles: [use('FG 123 HI', '2026-03-02T05:00:00Z', '2026-03-02T15:15:00Z', [1_000, 1_412])],
    places: [
      { time: secondsOf('2026-03-02T05:00:00Z'), entryType: 0, country: 26, region: 0, odometerKm: 1_000 },
      { time: secondsOf('2026-03-02T15:15:00Z'), entryType: 1, country: 1, region: 0, odometerKm: 1_412 },
    ],
    conditions: [{ time: secondsOf('2026-03-04T06:00:00Z'), type: 3 }],
  });
  fileId = (await upload(bytes)).fileId;
  unknownFile = (await upload(cardFile({ number: 'I999999912345600', days: [dayOf('2026-03-02', ordinary)] }))).fileId;
  await untilAnalysed(api, fileId);
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
});

const fetchFile = async (path: string, body: object, headers: Record<string, string> = {}) => {
  const response = await fetch(api.url + path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json', ...headers },
  });
  return { response, bytes: new Uint8Array(await response.arrayBuffer()) };
};

const march = { from: '2026-03-02', to: '2026-03-08' };
const ACTIVITIES = '/v1/drivers/ddd/activities_file';

describe('the activities of a driver', () => {
  test('are reported day by day, with totals, vehicles, places and flags', async () => {
    const { status, body } = await api.send('POST', ACTIVITIES, { driverId, ...march });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      driver: { id: driverId, name: 'Łucja Żółkiewska', cardNumbers: ['I000000012345600'] },
      zone: 'UTC',
      files: [{ fileId, verdict: 'unsigned' }],
    });
    expect(body.days).toHaveLength(7);
    const ordinaryMinutes = { driving: 510, work: 60, availability: 0, rest: 870, unknown: 0 };
    expect(body.days[0]).toMatchObject({
      date: '2026-03-02',
      minutes: ordinaryMinutes,
      distanceKm: 412,
      vehicles: ['FG123HI'],
      minutesInDay: 1440,
      places: [
        { at: '2026-03-02T05:00:00Z', kind: 'begin', country: 26, odometerKm: 1000 },
        { at: '2026-03-02T15:15:00Z', kind: 'end', country: 1, odometerKm: 1412 },
      ],
    });
    expect(body.days[0].intervals[1]).toMatchObject({
      from: '2026-03-02T05:00:00Z',
      to: '2026-03-02T06:00:00Z',
      activity: 'work',
      source: 'card',
    });
    expect(body.days[2].conditions).toMatchObject([{ kind: 'ferry' }]);
    expect(body.totals).toEqual({
      driving: 2550,
      work: 300,
      availability: 0,
      rest: 7230,
      unknown: 0,
      distanceKm: 2060,
      days: 7,
    });
  });

  test('follow the clock of a zone, with its day of 23 hours', async () => {
    const own = cardFile({
      number: 'I000000022222200',
      days: datesFrom('2026-03-28', 3).map((date) => dayOf(date, ordinary)),
    });
    const { fileId: other } = await upload(own);
    const rome = { fileId: other, from: '2026-03-28', to: '2026-03-29', tz: 'Europe/Rome' };
    const { body } = await api.send('POST', ACTIVITIES, rome);
    expect(body.days.map(({ minutesInDay }: { minutesInDay: number }) => minutesInDay)).toEqual([1440, 1380]);
    // what the card does not cover, the hour before its first UTC midnight, is unknown
    expect(body.days[0].minutes.unknown).toBe(60);
    expect(body.days[1]).toMatchObject({ minutes: { driving: 510, work: 60, unknown: 0 } });
  });

  test('are read back from a PDF with a bar a day', async () => {
    const { response, bytes } = await fetchFile(ACTIVITIES, { driverId, ...march, format: 'pdf' });
    expect(response.headers.get('content-type')).toBe('application/pdf');
    expect(response.headers.get('content-disposition')).toContain(`activities_${driverId}_2026-03-02_2026-03-08.pdf`);
    const { text, pages, fills } = await readPdf(bytes);
    for (const part of [
      'Attività del conducente',
      'Łucja Żółkiewska',
      '02/03/2026 lun',
      '02/03/2026',
      'carta',
      '42:30',
      'FG123HI',
      'Guida',
    ]) {
      expect(text).toContain(part);
    }
    expect(text).toContain(`1 / ${pages}`);
    expect(pages).toBeGreaterThan(1);
    // two stretches of driving on each of five days, and one in the legend
    expect(fills.get('#d1495b')).toBe(11);
  });

  test('are read back from a spreadsheet and from CSV', async () => {
    const { bytes } = await fetchFile(ACTIVITIES, { driverId, ...march, format: 'xlsx', lang: 'en' });
    const sheets = await readXlsx(bytes);
    const [table] = sheets;
    const header = table!.rows.findIndex(([first]) => first === 'Date');
    expect(table!.rows[header]!.slice(0, 4)).toEqual(['Date', 'Day', 'Driving', 'Other work']);
    expect(table!.rows[header + 1]![1]).toBe('Mon');
    expect(Number(table!.rows[header + 1]![2])).toBeCloseTo(510 / 1440, 9);
    expect(table!.rows.at(-1)![0]).toBe('Total');
    expect(sheets.some(({ name }) => name.startsWith('24 h'))).toBe(true);
    const csv = await fetchFile(ACTIVITIES, { driverId, ...march, format: 'csv', lang: 'en' });
    const rows = parse(Buffer.from(csv.bytes), { columns: true, bom: true }) as Record<string, string>[];
    expect(rows).toHaveLength(7);
    expect(rows[0]).toMatchObject({ Date: '2026-03-02', Day: 'Mon', Driving: '8:30', 'Other work': '1:00', Km: '412' });
    expect(rows.map((row) => row['Driver'])).toEqual(Array(7).fill('Łucja Żółkiewska'));
    const rests = await fetchFile('/v1/drivers/ddd/rests_file', { driverId, ...march, format: 'csv', lang: 'en' });
    const restRows = parse(Buffer.from(rests.bytes), { columns: true, bom: true }) as Record<string, string>[];
    expect(restRows.length).toBeGreaterThan(3);
    expect(new Set(restRows.map((row) => row['Driver']))).toEqual(new Set(['Łucja Żółkiewska']));
  });

  test('have borders, loads and positions of Smart 2 with their coordinates', async () => {
    const number = 'I000000088888800';
    await api.send('POST', '/v1/drivers', { name: 'Smart', cardNumber: number });
    const own = cardFile({
      number,
      days: [dayOf('2026-03-02', ordinary)],
      borderCrossings: [crossing('2026-03-02T07:00:00Z', 26, 13, [46, 9])],
      loadUnloads: [transfer('2026-03-02T08:00:00Z', 1, [46.5, 9.5])],
    });
    const smart = (await upload(own)).fileId;
    await untilAnalysed(api, smart);
    const { body } = await api.send('POST', ACTIVITIES, { fileId: smart });
    expect(body.days[0].places).toMatchObject([
      { at: '2026-03-02T07:00:00Z', kind: 'border', country: 13, position: { latitude: 46, longitude: 9 } },
      { at: '2026-03-02T08:00:00Z', kind: 'load', position: { latitude: 46.5, longitude: 9.5 } },
    ]);
  });

  test('come as Accept asks for them, and as Base64 for who takes JSON alone', async () => {
    const asPdf = await fetchFile(ACTIVITIES, { driverId, ...march }, { accept: 'application/pdf' });
    expect(asPdf.response.headers.get('content-type')).toBe('application/pdf');
    const asJson = await fetchFile(ACTIVITIES, { driverId, ...march, format: 'pdf' }, { accept: 'application/json' });
    const packed = JSON.parse(Buffer.from(asJson.bytes).toString());
    expect(packed).toMatchObject({ mime: 'application/pdf' });
    expect(Buffer.from(packed.contentBase64, 'base64').subarray(0, 5).toString()).toBe('%PDF-');
  });

  test('are refused if there is nothing to report', async () => {
    const other = (await api.send('POST', '/v1/drivers', { name: 'Nobody' })).body.id;
    const code = async (body: object) => (await api.send('POST', ACTIVITIES, body)).body.code;
    expect(await code({ driverId: other, ...march })).toBe('not-analysed');
    expect(await code({ driverId: 'drv_none', ...march })).toBe('unknown-driver');
    expect(await code({ fileId: 'ddd_none', ...march })).toBe('unknown-file');
    expect(await code({ driverId, from: '2020-01-01', to: '2020-01-31' })).toBe('no-data');
    expect(await code({ driverId, from: '2026-03-08', to: '2026-03-02' })).toBe('from-after-to');
    expect(await code({ driverId, from: '2025-01-01', to: '2026-03-02' })).toBe('interval-too-long');
    expect(await code({ ...march })).toBe('invalid');
    expect(await code({ driverId, fileId })).toBe('invalid');
  });

  test('of a file of an unknown driver are reported from that file', async () => {
    const { body } = await api.send('POST', ACTIVITIES, { fileId: unknownFile });
    expect(body).toMatchObject({
      driver: { id: null, name: 'Żółkiewski Łucja' },
      from: '2026-03-02',
      to: '2026-03-02',
    });
    expect(body.days[0].minutes).toMatchObject({ driving: 510, work: 60 });
  });
});

describe('the rests of a driver', () => {
  test('are reported with their kinds and windows', async () => {
    const { body } = await api.send('POST', '/v1/drivers/ddd/rests_file', {
      driverId,
      from: '2026-03-02',
      to: '2026-03-13',
    });
    expect(body.dailyRests[0]).toMatchObject({
      from: '2026-03-02T15:15:00Z',
      to: '2026-03-03T05:00:00Z',
      minutes: 825,
      kind: 'regular',
      windowFrom: '2026-03-02T05:00:00Z',
      windowTo: '2026-03-03T05:00:00Z',
    });
    expect(body.weeklyRests).toContainEqual(
      expect.objectContaining({ from: '2026-03-06T15:15:00Z', to: '2026-03-09T05:00:00Z', kind: 'regular' }),
    );
    expect(body).toMatchObject({ reducedLeft: 3, debtMinutes: 0 });
  });

  test('are read back from a PDF, a spreadsheet and CSV', async () => {
    const body = { driverId, from: '2026-03-02', to: '2026-03-13', lang: 'en' };
    const pdf = await readPdf((await fetchFile('/v1/drivers/ddd/rests_file', { ...body, format: 'pdf' })).bytes);
    expect(pdf.text).toContain('Weekly rests');
    expect(pdf.text).toContain('61:45');
    const sheets = await readXlsx((await fetchFile('/v1/drivers/ddd/rests_file', { ...body, format: 'xlsx' })).bytes);
    expect(sheets.map(({ name }) => name)).toEqual([
      'Daily rests Driver Łucja Żółkie',
      'Weekly rests Driver Łucja Żółki',
      'Files Driver Łucja Żółkiewska',
    ]);
    const csv = await fetchFile('/v1/drivers/ddd/rests_file', { ...body, format: 'csv' });
    const rows = parse(Buffer.from(csv.bytes), { columns: true, bom: true }) as Record<string, string>[];
    expect(rows[0]).toMatchObject({ From: '2026-03-02 15:15', Length: '13:45', Type: 'regular' });
  });
});

test('each report that is fetched is a line of the audit trail, with ids and no names', async () => {
  const made = { 'ddd.activities-file': ACTIVITIES, 'ddd.rests-file': '/v1/drivers/ddd/rests_file' };
  for (const [action, path] of Object.entries(made)) {
    const count = async (): Promise<number> => (await api.get(`/v1/audit?action=${action}`)).body.items.length;
    const before = await count();
    for (const format of ['json', 'csv', 'xlsx', 'pdf']) {
      expect((await fetchFile(path, { driverId, ...march, format })).response.status).toBe(200);
    }
    expect(await count(), action).toBe(before + 4);
    expect(JSON.stringify((await api.get(`/v1/audit?action=${action}`)).body), action).not.toContain('ukiewsk');
  }
});

test('a card that is fetched as it came is a line too', async () => {
  const headers = { authorization: `Bearer ${API_KEY}` };
  const content = await fetch(`${api.url}/v1/drivers/ddd/files/${fileId}/content`, { headers });
  expect((await content.arrayBuffer()).byteLength).toBeGreaterThan(1_000);
  const { items } = (await api.get('/v1/audit?action=ddd.downloaded')).body;
  expect(items).toHaveLength(1);
  expect(JSON.stringify(items)).toContain(fileId);
});

test('days of a report are those of its own default zone, and not of the tenant', async () => {
  const settings = await api.send('PATCH', '/v1/tenants/default', { timezone: 'America/New_York' });
  expect(settings.status).toBe(200);
  const dates = { from: '2026-03-02', to: '2026-03-13' };
  const zoneOf = async (path: string, body: object) =>
    (await api.send('POST', `/v1/drivers/ddd/${path}`, body)).body.zone;
  expect(await zoneOf('activities_file', { driverId, ...dates })).toBe('UTC');
  expect(await zoneOf('rests_file', { driverId, ...dates })).toBe('UTC');
  await api.send('PUT', '/v1/drivers/ddd/settings', { zone: 'Europe/Rome' });
  expect(await zoneOf('infringements_file', { drivers: [driverId], ...dates })).toBe('Europe/Rome');
  expect(await zoneOf('infringements_file', { drivers: [driverId], ...dates, tz: 'UTC' })).toBe('UTC');
});

test('after a download while driving, neither rest nor remaining times are known', async () => {
  const { id } = (await api.send('POST', '/v1/drivers', { name: 'Piotr', cardNumber: 'I000000077777700' })).body;
  const days = datesFrom('2026-03-09', 3).map((date) =>
    dayOf(
      date,
      date === '2026-03-11'
        ? [
            ['17:00', 'work'],
            ['17:30', 'driving'],
          ]
        : ordinary,
    ),
  );
  const bytes = cardFile({ number: 'I000000077777700', days, lastDownload: secondsOf('2026-03-11T18:30:00Z') });
  await untilAnalysed(api, (await upload(bytes)).fileId);
  const { items } = (await api.get(`/v1/drivers/plafond?driver_id=${id}&at=2026-03-12T02:00:00Z`)).body;
  expect(items).toMatchObject([
    {
      basis: 'unknown',
      stale: true,
      drivableNowS: null,
      dataAsOf: '2026-03-11T18:30:00Z',
      driving: { usedS: 3_600, remainingS: null },
      range: { drivableNowS: { min: 0, max: 16_200 } },
    },
  ]);
  const rests = (
    await api.send('POST', '/v1/drivers/ddd/rests_file', { driverId: id, from: '2026-03-09', to: '2026-03-12' })
  ).body;
  expect(rests.dataTo).toBe('2026-03-11T18:30:00Z');
  const ends = [...rests.dailyRests, ...rests.weeklyRests].map(({ from }: { from: string }) => from);
  expect(ends.toSorted().at(-1)).toBe('2026-03-10T15:15:00Z');
  expect(
    rests.dailyRests.every(
      (one: Record<string, number>) => one['minutes'] === one['knownMinutes']! + one['unknownMinutes']!,
    ),
  ).toBe(true);
});
