import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { untilAnalysed } from '../../../support/analysed.ts';
import { API_KEY, type RunningApi, startApi } from '../../../support/api.ts';
import { dropDatabases, withDatabase } from '../../../support/databases.ts';
import { readPdf } from '../../../support/documents.ts';
import {
  cardFile,
  crossing,
  datesFrom,
  dayOf,
  ITALY,
  ordinary,
  secondsOf,
  transfer,
  use,
} from '../../../support/tachograph.ts';

const PATH = '/v1/drivers/ddd/posting_file';
const [GERMANY, FRANCE, AUSTRIA] = [0x0d, 0x11, 0x01];
let api: RunningApi;
let driverId: string;
let database: string;

/** Milan to Munich, a carriage within Germany, and home. */
beforeAll(async () => {
  const clock = { now: () => Date.parse('2026-03-08T10:00:00Z'), monotonic: () => performance.now() };
  api = await withDatabase((url) => {
    database = url;
    return startApi(url, {}, { clock });
  });
  const driver = { name: 'Łucja Żółkiewska', cardNumber: 'I000000012345600', licenceNumber: 'U1234567X' };
  driverId = (await api.send('POST', '/v1/drivers', driver)).body.id;
  const place = { entryType: 0, country: ITALY, region: 0, odometerKm: 1_000 };
  const bytes = cardFile({
    days: datesFrom('2026-03-02', 5).map((date) => dayOf(date, ordinary)),
    lastDownload: secondsOf('2026-03-06T20:00:00Z'),
    vehicles: [use('AB 123 CD', '2026-03-02T05:00:00Z', '2026-03-06T16:00:00Z', [1_000, 3_000])],
    places: [{ ...place, time: secondsOf('2026-03-02T05:00:00Z'), gnss: { time: null, accuracy: 0, position: null } }],
    borderCrossings: [
      crossing('2026-03-02T11:00:00Z', ITALY, AUSTRIA, [47, 11.5]),
      crossing('2026-03-02T14:00:00Z', AUSTRIA, GERMANY, [47.6, 11.5]),
      crossing('2026-03-05T13:00:00Z', GERMANY, FRANCE, [48.5, 7.7]),
    ],
    loadUnloads: [
      transfer('2026-03-02T05:30:00Z', 1, [45.5, 9.5]),
      transfer('2026-03-03T09:00:00Z', 2, [48, 11.5]),
      transfer('2026-03-03T10:30:00Z', 1, [48, 11.5]),
      transfer('2026-03-04T14:00:00Z', 2, [50, 8.5]),
    ],
  });
  const upload = { fileBase64: Buffer.from(bytes).toString('base64'), fileName: 'march.ddd' };
  await untilAnalysed(api, (await api.send('POST', '/v1/drivers/ddd', upload)).body.fileId);
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
});

const week = { from: '2026-03-02', to: '2026-03-08', tz: 'UTC' };

test('borders and loads of the card are operations, a posting and cabotage', async () => {
  const { status, body } = await api.send('POST', PATH, { drivers: [driverId], ...week });
  expect(status).toBe(200);
  const [driver] = body.drivers;
  expect(driver).toMatchObject({ id: driverId, licenceNumber: 'U1234567X' });
  expect(driver.operations).toMatchObject([
    { kind: 'bilateral', loadedIn: ITALY, unloadedIn: GERMANY, posted: false, targa: 'AB123CD', source: 'recorded' },
    { kind: 'cabotage', loadedIn: GERMANY, unloadedIn: GERMANY, posted: true, clause: '2020/1057 1(7)' },
  ]);
  expect(driver.postings).toEqual([
    {
      country: GERMANY,
      from: '2026-03-03',
      to: '2026-03-04',
      types: ['cabotage'],
      targhe: ['AB123CD'],
      operationIds: [driver.operations[1].id],
      incomplete: false,
    },
  ]);
  expect(driver.stays.map(({ country, purpose }: Record<string, unknown>) => [country, purpose])).toEqual([
    [AUSTRIA, 'transit'],
    [GERMANY, 'loading'],
    [FRANCE, 'undetermined'],
  ]);
  expect(body.vehicles).toMatchObject([
    {
      targa: 'AB123CD',
      operations: [{ country: GERMANY, number: 1, status: 'allowed', remarks: [] }],
      open: { country: GERMANY, remaining: 2, until: { calendar: '2026-03-11T00:00:00Z' } },
      coolingOff: [{ country: GERMANY, until: { calendar: '2026-03-09T00:00:00Z' } }],
    },
  ]);
  const activities = await api.send('POST', '/v1/drivers/ddd/activities_file', { driverId, ...week });
  expect(activities.body.days[1].places).toMatchObject([{ kind: 'unload' }, { kind: 'load' }]);
});

test('an entered carriage counts, and is revoked with a reason', async () => {
  const carriage = {
    driverId,
    targa: 'ab-123-cd',
    loadedAt: '2026-03-05T16:00:00Z',
    loadedIn: FRANCE,
    unloadedAt: '2026-03-06T12:00:00Z',
    unloadedIn: 0x0e,
    reference: 'CMR 7',
  };
  const { status, body } = await api.send('POST', '/v1/drivers/ddd/transports', carriage);
  expect({ status, body }).toMatchObject({ status: 200, body: { targa: 'AB123CD', combinedTransport: false } });
  const list = async () => (await api.send('POST', PATH, week)).body.drivers[0];
  const { operations, postings } = await list();
  expect(operations.at(-1)).toMatchObject({ id: body.id, kind: 'cross-trade', posted: true, source: 'entered' });
  expect(postings.map(({ country }: { country: number }) => country)).toEqual([GERMANY, FRANCE, 0x0e]);
  expect((await api.get(`/v1/drivers/ddd/transports?driver_id=${driverId}&state=in-force`)).body.items).toEqual([body]);
  const revoke = `/v1/drivers/ddd/transports/${body.id}/revoke`;
  expect((await api.send('POST', revoke, { reason: 'Annullato' })).body.revokedReason).toBe('Annullato');
  expect((await api.send('POST', revoke, { reason: 'Annullato' })).body.code).toBe('conflict');
  expect((await list()).operations).toHaveLength(2);
});

const file = async (format: string, lang: string, path = PATH, subject: object = {}) => {
  const response = await fetch(api.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...week, ...subject, format, lang }),
  });
  return new Uint8Array(await response.arrayBuffer());
};

test('the PDF of activities has a map of border crossings and loads', async () => {
  const { text } = await readPdf(await file('pdf', 'it', '/v1/drivers/ddd/activities_file', { driverId }));
  for (const part of ['Mappa dei luoghi', 'Frontiera', 'Carico', 'Scarico']) expect(text).toContain(part);
});

test('the list is a CSV for declarations and a PDF', async () => {
  const csv = new TextDecoder().decode(await file('csv', 'it')).split('\r\n');
  expect(csv[0]).toContain('Stato membro ospitante;Inizio;Fine;Conducente;Patente');
  expect(csv[1]).toBe('Germania (DE);2026-03-03;2026-03-04;Łucja Żółkiewska;U1234567X;cabotaggio;AB123CD;');
  const { text } = await readPdf(await file('pdf', 'en'));
  for (const part of ['Germany (DE)', 'Transport operations', 'Cabotage by vehicle', 'transit', 'Cooling-off until']) {
    expect(text).toContain(part);
  }
});

test('an interval in which nobody was abroad has an empty list, and a document that says so', async () => {
  const interval = { from: '2020-01-01', to: '2020-01-31' };
  const { status, body } = await api.send('POST', '/v1/drivers/ddd/posting_file', interval);
  expect([status, body.drivers, body.vehicles]).toEqual([200, [], []]);
  const { text } = await readPdf(await file('pdf', 'it', '/v1/drivers/ddd/posting_file', interval));
  expect(text).toContain('Dichiarazioni di distacco (IMI): nessuna');
});

test('what is no carriage is refused', async () => {
  const carriage = {
    driverId,
    targa: 'AB123CD',
    loadedAt: '2026-03-05T16:00:00Z',
    loadedIn: FRANCE,
    unloadedAt: '2026-03-06T12:00:00Z',
    unloadedIn: FRANCE,
  };
  const post = async (change: object) =>
    (await api.send('POST', '/v1/drivers/ddd/transports', { ...carriage, ...change })).body.code;
  expect(await post({ unloadedAt: carriage.loadedAt })).toBe('from-after-to');
  expect(await post({ unloadedAt: '2026-06-06T12:00:00Z' })).toBe('interval-too-long');
  expect(await post({ driverId: 'drv_missing' })).toBe('unknown-driver');
  expect(await post({ loadedIn: 0xff })).toBe('invalid');
  expect((await api.send('POST', '/v1/drivers/ddd/transports/trp_x/revoke', { reason: 'x' })).body.code).toBe(
    'unknown-transport',
  );
  expect((await api.send('POST', PATH, { drivers: ['drv_missing'], ...week })).body.code).toBe('unknown-driver');
});

describe('a user who sees some vehicles', () => {
  let restricted: { authorization: string };
  /** with the clock that log-ins are judged by */
  let live: RunningApi;
  const third = { name: 'Nascosto Terzi', licenceNumber: 'HIDDEN77' };
  const other = 'HI000DE';
  /** carriages within Germany by a driver who is otherwise hidden from the user */
  const within = (id: string, targa: string, day: string) => ({
    driverId: id,
    targa,
    loadedAt: `${day}T06:00:00Z`,
    loadedIn: GERMANY,
    unloadedAt: `${day}T10:00:00Z`,
    unloadedIn: GERMANY,
  });

  beforeAll(async () => {
    live = await startApi(database);
    await live.send('POST', '/v1/vehicles', { targa: 'AB123CD' });
    await live.send('POST', '/v1/vehicles', { targa: other });
    const hidden = (await live.send('POST', '/v1/drivers', third)).body.id;
    const transports = '/v1/drivers/ddd/transports';
    await live.send('POST', transports, within(hidden, 'AB123CD', '2026-03-05'));
    await live.send('POST', transports, within(hidden, other, '2026-03-05'));
    await live.send('POST', transports, within(driverId, other, '2026-03-07'));
    const password = 'a long enough password';
    const user = { username: 'some', password, role: 'admin', targhe: ['AB123CD'] };
    expect((await live.send('POST', '/v1/users', user)).status).toBeLessThan(300);
    const credentials = { username: 'some', password };
    const answer = await live.send('POST', '/v1/auth/credentials', credentials, { authorization: '' });
    restricted = { authorization: `Bearer ${answer.body.accessToken}` };
  });

  afterAll(() => live?.stop());

  const vehiclesOf = async (headers: Record<string, string> = {}) => {
    const { status, body } = await live.send('POST', PATH, week, headers);
    expect({ status, code: body.code }).toEqual({ status: 200, code: undefined });
    return { body, counts: Object.fromEntries(body.vehicles.map((each: Counted) => [each.targa, countOf(each)])) };
  };
  interface Counted {
    readonly targa: string;
    readonly complete: boolean;
    readonly operations: readonly unknown[];
  }
  const countOf = ({ complete, operations }: Counted) => [operations.length, complete];

  test('has the cabotage of all drivers of a vehicle that they see, and no hidden driver', async () => {
    const whole = await vehiclesOf();
    expect(whole.counts).toEqual({ AB123CD: [2, true], [other]: [2, true] });
    const { body, counts } = await vehiclesOf(restricted);
    expect(counts).toEqual({ AB123CD: [2, true], [other]: [1, false] });
    expect(body.drivers.map(({ id }: { id: string }) => id)).toEqual([driverId]);
    for (const part of [third.name, third.licenceNumber]) expect(JSON.stringify(body)).not.toContain(part);
  });

  test('reads in the document which vehicles are not counted completely', async () => {
    const response = await fetch(live.url + PATH, {
      method: 'POST',
      headers: { ...restricted, 'content-type': 'application/json' },
      body: JSON.stringify({ ...week, format: 'pdf' }),
    });
    const { text } = await readPdf(new Uint8Array(await response.arrayBuffer()));
    expect(text.replaceAll('\n', ' ')).toContain('conteggio limitato ai conducenti visibili all’utente');
    expect(text).not.toContain(third.name);
  });
});
