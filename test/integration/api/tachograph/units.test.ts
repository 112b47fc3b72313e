import { afterAll, beforeAll, expect, test } from 'vitest';
import { API_KEY, type RunningApi, startApi } from '../../../support/api.ts';
import { dropDatabases, withDatabase } from '../../../support/databases.ts';
import { readPdf } from '../../../support/documents.ts';
import {
  cardFile,
  dayOf,
  ITALY,
  insertion,
  ordinary,
  secondsOf,
  unitDay,
  unitFile,
} from '../../../support/tachograph.ts';

let api: RunningApi;
let unitId: string;
let cardId: string;

const card = { type: 1, nation: ITALY, number: 'I000000012345600' };
const upload = async (bytes: Uint8Array, fileName: string) =>
  (await api.send('POST', '/v1/drivers/ddd', { fileBase64: Buffer.from(bytes).toString('base64'), fileName })).body
    .fileId;
const PATH = '/v1/vehicles/ddd/unit_file';

beforeAll(async () => {
  api = await withDatabase((url) => startApi(url));
  const inserted = insertion('I000000012345600', '2026-03-02T05:00:00Z', '2026-03-02T15:15:00Z');
  const slots = { driverBegin: card, coDriverBegin: null, driverEnd: card, coDriverEnd: null };
  unitId = await upload(
    unitFile({
      plate: 'FG 123 HI',
      now: '2026-03-03T20:00:00Z',
      days: [unitDay('2026-03-02', [inserted], ordinary)],
      events: [
        {
          type: 0x11,
          purpose: 0,
          begin: secondsOf('2026-03-02T07:00:00Z'),
          end: secondsOf('2026-03-02T07:05:00Z'),
          similarEvents: 2,
          ...slots,
        },
      ],
      overspeeds: [
        {
          type: 7,
          purpose: 1,
          begin: secondsOf('2026-03-02T08:00:00Z'),
          end: secondsOf('2026-03-02T08:03:00Z'),
          maximumKmh: 104,
          averageKmh: 97,
          card,
          similarEvents: 1,
        },
      ],
    }),
    'unit.ddd',
  );
  cardId = await upload(cardFile({ days: [dayOf('2026-03-02', ordinary)] }), 'card.ddd');
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
});

test('the data of a vehicle unit are a document: drivers, events by their names, overspeed', async () => {
  const { status, body } = await api.send('POST', PATH, { targa: 'fg123hi', lang: 'en', tz: 'UTC' });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    targa: 'FG 123 HI',
    vin: 'ZCFC1234567890123',
    downloadedAt: '2026-03-03T20:00:00Z',
    file: { fileId: unitId, name: 'unit.ddd' },
    events: [
      {
        kind: 'event',
        code: 0x11,
        text: 'motion sensor authentication failure',
        from: '2026-03-02T07:00:00Z',
        cards: ['I000000012345600'],
        similar: 2,
      },
    ],
    overspeeds: [{ maximumKmh: 104, averageKmh: 97, card: 'I000000012345600' }],
    drivers: [{ name: 'Rossi Mario', slot: 'driver', odometerFromKm: 1_000, odometerToKm: 1_300 }],
  });
  const response = await fetch(api.url + PATH, {
    method: 'POST',
    body: JSON.stringify({ fileId: unitId, format: 'pdf' }),
    headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
  });
  const { text } = await readPdf(new Uint8Array(await response.arrayBuffer()));
  for (const part of [
    'autenticazione del sensore fallita',
    'Rossi Mario',
    '02/03/2026 09:00',
    '104',
    'Blocchi dell’impresa: nessuno',
  ]) {
    expect(text).toContain(part);
  }
});

test('there is none of a card, or of a vehicle without a download', async () => {
  expect((await api.send('POST', PATH, { fileId: cardId })).body.code).toBe('no-data');
  expect((await api.send('POST', PATH, { targa: 'ZZ999ZZ' })).body.code).toBe('no-data');
  expect((await api.send('POST', PATH, {})).body.code).toBe('invalid');
});

test('driving without a card is listed by vehicle, once for all downloads, with the cards before and after it', async () => {
  const numbers = ['I000000044444400', 'I000000055555500'];
  const drivers: string[] = [];
  for (const cardNumber of numbers) {
    drivers.push((await api.send('POST', '/v1/drivers', { name: cardNumber, cardNumber })).body.id);
  }
  const days = [
    unitDay('2026-03-02', [insertion(numbers[0]!, '2026-03-02T05:00:00Z', '2026-03-02T15:15:00Z')], ordinary),
    unitDay('2026-03-03', [insertion(numbers[1]!, '2026-03-03T05:00:00Z', '2026-03-03T15:15:00Z')], ordinary),
  ];
  const nobody = { driverBegin: null, coDriverBegin: null, driverEnd: null, coDriverEnd: null };
  const without = (from: string, to: string) => ({
    type: 4,
    purpose: 0,
    begin: secondsOf(from),
    end: secondsOf(to),
    similarEvents: 0,
    ...nobody,
  });
  const night = without('2026-03-02T19:00:00Z', '2026-03-02T21:00:00Z');
  const morning = without('2026-03-01T06:00:00Z', '2026-03-01T06:30:00Z');
  const files: string[] = [];
  for (const now of ['2026-03-04T10:00:00Z', '2026-03-04T11:00:00Z']) {
    files.push(await upload(unitFile({ plate: 'ZZ 999 ZZ', now, days, events: [night, morning] }), 'zz.ddd'));
  }
  const path = '/v1/vehicles/ddd/without_card?targa=zz999zz';
  const { items } = (await api.get(path)).body;
  const common = { targa: 'ZZ999ZZ', article: '165/2014 34(1)', fileIds: [...files].sort() };
  expect(items).toEqual([
    {
      ...common,
      from: '2026-03-01T06:00:00Z',
      to: '2026-03-01T06:30:00Z',
      driverBefore: null,
      driverAfter: drivers[0],
    },
    {
      ...common,
      from: '2026-03-02T19:00:00Z',
      to: '2026-03-02T21:00:00Z',
      driverBefore: drivers[0],
      driverAfter: drivers[1],
    },
  ]);
  const first = (await api.get(`${path}&limit=1`)).body;
  expect(first.items).toEqual([items[0]]);
  const rest = (await api.get(`${path}&limit=1&cursor=${first.nextCursor}`)).body;
  expect(rest).toEqual({ items: [items[1]], nextCursor: null });
  expect((await api.get(`${path}&from=2026-03-02T00:00:00Z&to=2026-03-02T12:00:00Z`)).body.items).toEqual([]);
  expect((await api.get(`${path}&from=2026-03-02&to=2026-03-01`)).body.code).toBe('from-after-to');
  // nobody's card, and so nobody's notice
  const notices = (await api.get('/v1/drivers/ddd/notices?kind=driving-without-card')).body.items;
  expect(notices).toEqual([]);
});

test('kilometers without a card follow from odometers, with the drivers before and after', async () => {
  const { id } = (await api.send('POST', '/v1/drivers', { name: 'Ann', cardNumber: 'I000000066666600' })).body;
  const stay = (from: string, to: string, km: readonly [number, number]) => ({
    ...insertion('I000000066666600', from, to),
    odometerInsertedKm: km[0],
    odometerWithdrawnKm: km[1],
  });
  const day = (date: string, km: number, insertions: ReturnType<typeof stay>[] = []) => ({
    ...unitDay(date, insertions, ordinary),
    odometerAtMidnightKm: km,
  });
  const bytes = unitFile({
    plate: 'KM 123 AB',
    now: '2026-03-05T08:00:00Z',
    days: [
      day('2026-03-02', 1_000),
      day('2026-03-03', 1_400, [stay('2026-03-03T06:00:00Z', '2026-03-03T12:00:00Z', [1_000, 1_300])]),
      day('2026-03-04', 1_650, [stay('2026-03-04T06:00:00Z', '2026-03-04T12:00:00Z', [1_400, 1_650])]),
    ],
  });
  await api.send('POST', '/v1/drivers/ddd', { fileBase64: Buffer.from(bytes).toString('base64') });
  const asked = { targa: 'km-123-ab', from: '2026-03-02', to: '2026-03-04' };
  const { status, body } = await api.send('POST', '/v1/vehicles/ddd/mileage_file', asked);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    targa: 'KM123AB',
    distanceKm: 650,
    withoutCardKm: 100,
    jumps: [],
    gaps: [
      {
        from: '2026-03-03T12:00:00Z',
        to: '2026-03-04T00:00:00Z',
        km: 100,
        odometerFromKm: 1_300,
        odometerToKm: 1_400,
        driverBefore: id,
        driverAfter: id,
      },
    ],
  });
  expect(body.days).toMatchObject([
    { date: '2026-03-02', distanceKm: null, withoutCardKm: null, drivingMinutes: 510 },
    { date: '2026-03-03', distanceKm: 400, withoutCardKm: 100 },
    { date: '2026-03-04', distanceKm: 250, withoutCardKm: 0 },
  ]);
  const csv = await api.send('POST', '/v1/vehicles/ddd/mileage_file', { ...asked, format: 'csv', lang: 'en' });
  expect(csv.body).toContain('KM123AB,2026-03-03 12:00,2026-03-04 00:00,1300,1400,100,Ann,Ann');
  expect((await api.send('POST', '/v1/vehicles/ddd/mileage_file', { ...asked, targa: 'NONE1' })).body.code).toBe(
    'no-data',
  );
});
