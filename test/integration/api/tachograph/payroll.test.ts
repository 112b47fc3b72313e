import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey } from '../../../../src/server/index.ts';
import { untilAnalysed } from '../../../support/analysed.ts';
import { API_KEY, type RunningApi, startApi } from '../../../support/api.ts';
import { dropDatabases, withDatabase } from '../../../support/databases.ts';
import { readPdf, readXlsx } from '../../../support/documents.ts';
import { cardFile, datesFrom, dayOf, longDay, ordinary, type Plan, secondsOf } from '../../../support/tachograph.ts';

let api: RunningApi;
let driverId: string;

const free: Plan = [['00:00', 'rest']];

/** Five weeks from Monday, 2 March 2026, weekends free; on Tuesday, the 10th, 11 h 20 of driving. */
const planOf = (date: string): Plan => {
  const weekday = new Date(date).getUTCDay();
  if (weekday === 0 || weekday === 6) return free;
  return date === '2026-03-10' ? longDay : ordinary;
};

beforeAll(async () => {
  api = await withDatabase((url) => startApi(url));
  const driver = {
    taxCode: 'RSSMRA80A01H501U',
    employeeNumber: '0042',
    name: 'Mario Rossi',
    cardNumber: 'I000000012345600',
  };
  driverId = (await api.send('POST', '/v1/drivers', driver)).body.id;
  const bytes = cardFile({
    days: datesFrom('2026-03-01', 33).map((date) => dayOf(date, planOf(date), planOf(date) === free ? 0 : 400)),
    lastDownload: secondsOf('2026-04-02T20:00:00Z'),
  });
  const { fileId } = (await api.send('POST', '/v1/drivers/ddd', { fileBase64: Buffer.from(bytes).toString('base64') }))
    .body;
  await untilAnalysed(api, fileId);
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
});

const fetchFile = async (path: string, body: object, method = 'POST') => {
  const response = await fetch(api.url + path, {
    method,
    ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
    headers: {
      authorization: `Bearer ${API_KEY}`,
      ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
    },
  });
  return { response, bytes: new Uint8Array(await response.arrayBuffer()) };
};
const LUL = '/v1/drivers/ddd/lul_file';
const march = () => ({ drivers: [driverId], month: '2026-03' });

describe('the month of a driver', () => {
  test('has days of the payroll’s zone, ordinary hours by the week and overtime on its last days', async () => {
    const { status, body } = await api.send('POST', LUL, march());
    expect(status).toBe(200);
    expect(body).toMatchObject({ month: '2026-03', zone: 'Europe/Rome', layout: 'standard' });
    const [sheet] = body.items;
    expect(sheet.days).toHaveLength(31);
    const day = (date: string) => sheet.days.find((each: { date: string }) => each.date === date);
    // 05:00 UTC is 06:00 in Rome before the clock changes, and 07:00 after it
    expect(day('2026-03-02')).toMatchObject({
      presence: 'P',
      startClock: '06:00',
      endClock: '16:15',
      spreadMin: 615,
      breaksMin: 45,
      drivingMin: 510,
      otherWorkMin: 60,
      workingMin: 570,
      ordinaryMin: 570,
      overtimeMin: 0,
      km: 400,
    });
    expect(day('2026-03-30')).toMatchObject({ startClock: '07:00' });
    expect(day('2026-03-29')).toMatchObject({ minutesInDay: 1380, presence: 'R', workingMin: 0 });
    // 4 × 570 + 680 = 2960 in the second week, 2340 of them ordinary: 620 above, from Friday back
    expect(day('2026-03-13')).toMatchObject({ overtimeMin: 570, ordinaryMin: 0 });
    expect(day('2026-03-12')).toMatchObject({ overtimeMin: 50, ordinaryMin: 520 });
    expect(sheet.weeks[2]).toMatchObject({ isoWeek: '2026-W11', workingMin: 2960, overtimeMin: 620, over60: false });
    expect(sheet.fourMonths).toMatchObject({
      from: '2025-12-01',
      to: '2026-03-31',
      limitWeeklyMin: 2880,
      complete: false,
    });
    // before the card's first UTC day there is an hour of Rome's 1 March of which nothing is known
    expect(sheet).toMatchObject({ complete: false, totals: { missingMin: 60, daysWorked: 22 } });
    // what is for the undertaking itself is not reported here
    expect(day('2026-03-10')).toMatchObject({ infringements: [], cost: null });
  });

  test('is read back from a PDF with bars, a spreadsheet and CSV', async () => {
    const pdf = await readPdf((await fetchFile(LUL, { ...march(), format: 'pdf' })).bytes);
    for (const part of [
      'Libro Unico del Lavoro',
      'Mario Rossi – 2026-03',
      'Lavoro effettivo',
      'Straord.',
      '2026-W11',
      'Stampato il',
    ]) {
      expect(pdf.text).toContain(part);
    }
    // 21 ordinary days with two stretches of driving, one with three, and the legend
    expect(pdf.fills.get('#d1495b')).toBe(46);
    const [table] = await readXlsx((await fetchFile(LUL, { ...march(), format: 'xlsx' })).bytes);
    const header = table!.rows.findIndex((row) => row.includes('data'));
    const column = (title: string): number => table!.rows[header]!.indexOf(title);
    const friday = table!.rows.find((row) => row[column('data')] === '46094')!;
    expect(Number(friday[column('straordinario')])).toBeCloseTo(570 / 1440, 9);
    expect(Number(friday[column('straordinario (cent.)')])).toBe(9.5);
    const csv = await fetchFile(LUL, { ...march(), format: 'csv' });
    const rows = parse(Buffer.from(csv.bytes), { columns: true, bom: true, delimiter: ';' }) as Record<
      string,
      string
    >[];
    expect(rows).toHaveLength(31);
    expect(rows[1]).toMatchObject({ data: '2026-03-02', giorno: 'lun', presenza: 'P', ore_guida: '8:30' });
    expect(rows[1]).toMatchObject({ 'ore_lavoro_effettivo (cent.)': '9,50', conducente: 'Mario Rossi' });
  });

  test('shows shifts, infringements and costs in the internal layout alone', async () => {
    const costs = { currency: 'EUR', ordinaryHour: 10, overtimeHour: 20, nightHour: 0, km: 0.1 };
    await api.send('PUT', '/v1/drivers/ddd/settings', { costs });
    try {
      const { body } = await api.send('POST', '/v1/drivers/ddd/lul_internal_file', march());
      const day = (date: string) => body.items[0].days.find((each: { date: string }) => each.date === date);
      expect(day('2026-03-10').infringements).toEqual(expect.arrayContaining(['D1/SI']));
      expect(day('2026-03-13').cost).toBe(9.5 * 20 + 40);
      const csv = await fetchFile('/v1/drivers/ddd/lul_internal_file', { ...march(), format: 'csv' });
      const rows = parse(Buffer.from(csv.bytes), { columns: true, bom: true, delimiter: ';' }) as Record<
        string,
        string
      >[];
      expect(rows[1]).toMatchObject({ inizio_turno: '06:00', fine_turno: '16:15', nastro: '10:15', km: '400' });
    } finally {
      await api.send('PUT', '/v1/drivers/ddd/settings', {});
    }
  });

  test('uses the settings of the tenant', async () => {
    const layouts = {
      paga: [
        { title: 'MATR', field: 'driverId' },
        { title: 'ORE', field: 'working', as: 'hours' },
      ],
    };
    const set = await api.send('PUT', '/v1/drivers/ddd/settings', { zone: 'UTC', weeklyMinutes: 2_820, layouts });
    expect(set.body).toMatchObject({ zone: 'UTC', weeklyMinutes: 2_820, availabilityAsWork: false });
    try {
      await expect
        .poll(async () => (await api.send('POST', LUL, march())).body.items[0].days[1].startClock, { timeout: 60_000 })
        .toBe('05:00');
      const { body } = await api.send('POST', LUL, march());
      expect(body.zone).toBe('UTC');
      expect(body.items[0].weeks[2]).toMatchObject({ overtimeMin: 140 });
      const csv = await fetchFile(LUL, { ...march(), layout: 'paga', format: 'csv' });
      const rows = parse(Buffer.from(csv.bytes), { columns: true, bom: true, delimiter: ';' }) as Record<
        string,
        string
      >[];
      expect(rows[1]).toEqual({ MATR: driverId, ORE: '9,50' });
    } finally {
      await api.send('PUT', '/v1/drivers/ddd/settings', {});
    }
  });

  test('of all drivers has what was uploaded a moment ago', async () => {
    const cardNumber = 'I000000033333300';
    const newcomer = (await api.send('POST', '/v1/drivers', { name: 'Newcomer', cardNumber })).body.id;
    const days = datesFrom('2026-03-02', 2).map((date) => dayOf(date, ordinary));
    const bytes = cardFile({ number: cardNumber, days, lastDownload: secondsOf('2026-03-03T20:00:00Z') });
    await api.send('POST', '/v1/drivers/ddd', { fileBase64: Buffer.from(bytes).toString('base64') });
    const { body } = await api.send('POST', LUL, { month: '2026-03' });
    expect(body.items.map(({ driver }: { driver: { id: string } }) => driver.id)).toContain(newcomer);
  });

  test('is refused if it cannot be derived', async () => {
    const code = async (body: object) => (await api.send('POST', LUL, body)).body.code;
    const nobody = (await api.send('POST', '/v1/drivers', { name: 'Nobody' })).body.id;
    expect(await code({ drivers: [nobody], month: '2026-03' })).toBe('not-analysed');
    expect(await code({ drivers: ['drv_none'], month: '2026-03' })).toBe('unknown-driver');
    expect(await code({ drivers: [driverId], month: '2019-03' })).toBe('no-data');
    expect(await code({ drivers: [driverId], month: '2026-13' })).toBe('invalid');
    expect(await code({ drivers: [driverId], month: '2026-03', layout: 'none' })).toBe('invalid');
    expect(await code({ drivers: [driverId], month: '2026-03', layout: 'internal' })).toBe('invalid');
  });
});

test('what a payroll system fetches has days, weeks, four months, mapped rows and an ETag', async () => {
  const path = `/v1/drivers/ddd/lul_bsq?month=2026-03&driver_id=${driverId}`;
  const { body, headers } = await api.get(path);
  expect(body).toMatchObject({ month: '2026-03', profile: 'bsq', profileVersion: 1 });
  expect(body.items[0].rows[1]).toMatchObject({ id_conducente: driverId, data: '2026-03-02', lavoro_min: 570 });
  expect(body.items[0].weeks).toHaveLength(6);
  const again = await api.get(path, { 'if-none-match': headers.get('etag')! });
  expect(again.status).toBe(304);
  const csv = await fetchFile(`${path}&format=csv`, {}, 'GET');
  const rows = parse(Buffer.from(csv.bytes), { columns: true, bom: true }) as Record<string, string>[];
  expect(rows[1]).toMatchObject({ conducente: 'Mario Rossi', guida_min: '510' });
});

test('a rest that is assumed is marked in each format of the sheet', async () => {
  const number = 'I000000055555500';
  const { id } = (await api.send('POST', '/v1/drivers', { name: 'Ugo Bianchi', cardNumber: number })).body;
  const days = ['2026-03-02', '2026-03-04'].map((date) => dayOf(date, ordinary));
  const bytes = cardFile({ number, days, lastDownload: secondsOf('2026-03-04T20:00:00Z') });
  await api.send('POST', '/v1/drivers/ddd', { fileBase64: Buffer.from(bytes).toString('base64') });
  const body = { drivers: [id], month: '2026-03' };
  for (const [format, lang, text] of [
    ['csv', 'it', 'riposo presunto'],
    ['csv', 'en', 'rest assumed'],
  ] as const) {
    const file = await fetchFile(LUL, { ...body, format, lang });
    expect(new TextDecoder().decode(file.bytes)).toContain(text);
  }
  const pdf = await fetchFile(LUL, { ...body, format: 'pdf' });
  expect((await readPdf(pdf.bytes)).text.replaceAll('\n', ' ')).toContain('riposo presunto');
});

test('payroll is for those who may see it, and each look at it is written down', async () => {
  const tenantId = await api.database.tenantId('default');
  const keyWith = async (...scopes: ('ddd:read' | 'payroll:read')[]) =>
    (await createKey(api.database.ingest, { tenantId, name: 'some', scopes })).key;
  const asked = async (path: string, key: string) =>
    (await api.send('POST', path, march(), { authorization: `Bearer ${key}` })).status;
  const reader = await keyWith('ddd:read');
  const payroll = await keyWith('payroll:read');
  const both = await keyWith('ddd:read', 'payroll:read');
  expect([await asked(LUL, reader), await asked(LUL, payroll), await asked(LUL, both)]).toEqual([403, 403, 200]);
  const internal = '/v1/drivers/ddd/lul_internal_file';
  expect([await asked(internal, reader), await asked(internal, payroll)]).toEqual([403, 200]);
  const bsq = (key: string) => api.get('/v1/drivers/ddd/lul_bsq?month=2026-03', { authorization: `Bearer ${key}` });
  expect([(await bsq(reader)).status, (await bsq(payroll)).status]).toEqual([403, 200]);
  for (const action of ['ddd.lul-file', 'ddd.lul-internal-file', 'ddd.lul-bsq']) {
    const { items } = (await api.get(`/v1/audit?action=${action}`)).body;
    expect(items.length, action).toBeGreaterThan(0);
    expect(JSON.stringify(items), action).not.toContain('Rossi');
  }
});
