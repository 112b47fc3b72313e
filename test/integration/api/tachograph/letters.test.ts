import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { untilAnalysed } from '../../../support/analysed.ts';
import { API_KEY, type RunningApi, startApi } from '../../../support/api.ts';
import { dropDatabases, withDatabase } from '../../../support/databases.ts';
import { readPdf, readXlsx } from '../../../support/documents.ts';
import {
  cardFile,
  datesFrom,
  dayOf,
  longDay,
  ordinary,
  type Plan,
  secondsOf,
  use,
} from '../../../support/tachograph.ts';

let api: RunningApi;
let driverId: string;
let fileId: string;

/** The card is out in the evening, and nothing is entered for it. */
const undeclared: Plan = [...ordinary, ['18:00', 'unknown'], ['20:00', 'rest']];
const MARCH = { from: '2026-03-01', to: '2026-03-31' };

beforeAll(async () => {
  const clock = { now: () => Date.parse('2026-04-01T10:00:00Z'), monotonic: () => performance.now() };
  api = await withDatabase((url) => startApi(url, {}, { clock }));
  const driver = { name: 'Łucja Żółkiewska', cardNumber: 'I000000012345600' };
  driverId = (await api.send('POST', '/v1/drivers', driver)).body.id;
  const days = datesFrom('2026-03-02', 5).map((date) =>
    dayOf(date, date === '2026-03-03' ? longDay : date === '2026-03-04' ? undeclared : ordinary),
  );
  const bytes = cardFile({ days, lastDownload: secondsOf('2026-03-06T20:00:00Z') });
  const upload = { fileBase64: Buffer.from(bytes).toString('base64'), fileName: 'march.ddd' };
  fileId = (await api.send('POST', '/v1/drivers/ddd', upload)).body.fileId;
  await untilAnalysed(api, fileId);
  const employer = { name: 'Rossi Trasporti S.r.l.', taxCode: '01234567890', vatNumber: 'IT01234567890' };
  await api.send('PUT', '/v1/drivers/ddd/settings', { employer, zone: 'UTC' });
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
});

const bytesOf = async (method: string, path: string, body?: object) => {
  const response = await fetch(api.url + path, {
    method,
    ...(body && { body: JSON.stringify(body) }),
    headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
  });
  return new Uint8Array(await response.arrayBuffer());
};

test('notices are listed with the article that asks for what is missing, and counted by driver', async () => {
  const { body } = await api.get(`/v1/drivers/ddd/notices?driver_id=${driverId}&kind=undeclared-activity&lang=en`);
  expect(body.items).toEqual([
    {
      id: expect.any(String),
      driverId,
      kind: 'undeclared-activity',
      article: '165/2014 34(3)',
      from: '2026-03-04T18:00:00Z',
      to: '2026-03-04T20:00:00Z',
      minutes: 120,
      text: 'Activity with the card withdrawn was not declared',
      fileIds: [fileId],
    },
  ]);
  const none = await api.get('/v1/drivers/ddd/notices?kind=undeclared-activity&to=2026-03-03');
  expect(none.body.items).toEqual([]);
  const all = (await api.get('/v1/drivers/ddd/notices')).body.items.length;
  const state = (await api.get('/v1/drivers/ddd/me')).body.items;
  expect(state.find((each: { driverId: string }) => each.driverId === driverId).notices).toBe(all);
});

test('infringements are a document with article, limit, sanction and sources, in each format', async () => {
  const path = '/v1/drivers/ddd/infringements_file';
  const { body } = await api.send('POST', path, { ...MARCH });
  expect(body).toMatchObject({ zone: 'UTC', drivers: [{ id: driverId }] });
  expect(body.infringements[0]).toMatchObject({ rule: 'D1', measured: 680 });
  expect(body.files).toMatchObject([{ fileId, name: 'march.ddd', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
  const { text } = await readPdf(await bytesOf('POST', path, { ...MARCH, format: 'pdf' }));
  for (const part of [
    'Infrazioni',
    'Łucja Żółkiewska',
    'Rossi Trasporti S.r.l. · C.F. 01234567890 · P.IVA IT01234567890',
    'Reg. (CE) 561/2006, art. 6(1)',
    'Periodo di guida giornaliero superato',
    '11:20',
    'Attività non dichiarata a carta estratta',
    body.files[0].sha256,
  ]) {
    expect(text).toContain(part);
  }
  const [sheet] = await readXlsx(await bytesOf('POST', path, { ...MARCH, format: 'xlsx', lang: 'en' }));
  const header = sheet!.rows.findIndex(([first]) => first === 'Driver');
  const cells = Object.fromEntries(sheet!.rows[header]!.map((title, i) => [title, sheet!.rows[header + 1]![i]]));
  expect(cells).toMatchObject({ Rule: 'D1', Fact: 'Daily driving time exceeded' });
  // 3 March 2026 at 04:00 is day 46084 of spreadsheets, and a sixth
  expect(Number(cells['From'])).toBeCloseTo(46_084 + 4 / 24, 6);
  const csv = parse(Buffer.from(await bytesOf('POST', path, { ...MARCH, format: 'csv', lang: 'en' })), {
    columns: true,
    bom: true,
  }) as Record<string, string>[];
  expect(csv[0]).toMatchObject({ Driver: 'Łucja Żółkiewska', Rule: 'D1', Limit: '10:00', Measured: '11:20' });
  expect((await api.send('POST', path, { from: '2020-01-01', to: '2020-01-31' })).body.code).toBe('no-data');
});

test.each([
  ['activities_file', 'Data'],
  ['rests_file', 'Dalle'],
  ['infringements_file', 'Regola'],
  ['lul_file', 'data'],
  ['lul_internal_file', 'data'],
])('CSV of %s is written as spreadsheets of the language read it', async (name, title) => {
  const whose = name.startsWith('lul') ? { month: '2026-03', drivers: [driverId] } : MARCH;
  const one = ['activities_file', 'rests_file'].includes(name) ? { driverId } : {};
  const body = { ...whose, ...one, format: 'csv' };
  const rowsOf = async (lang: string | undefined, delimiter: string) => {
    const bytes = Buffer.from(await bytesOf('POST', `/v1/drivers/ddd/${name}`, { ...body, ...(lang && { lang }) }));
    expect(bytes.subarray(0, 3).toString('hex')).toBe('efbbbf');
    return parse(bytes, { columns: true, bom: true, delimiter }) as Record<string, string>[];
  };
  const italian = await rowsOf('it', ';');
  expect(Object.keys(italian[0]!)).toContain(title);
  expect(await rowsOf(undefined, ';')).toEqual(italian);
  const english = await rowsOf('en', ',');
  expect(Object.keys(english[0]!).length).toBe(Object.keys(italian[0]!).length);
});

test('the document of a driver without infringements says so, what it was looked for in, and on how many days', async () => {
  const other = (await api.send('POST', '/v1/drivers', { name: 'Anna', cardNumber: 'I000000099999900' })).body.id;
  const plan = [
    ['06:00', 'driving'],
    ['09:00', 'rest'],
  ] as const;
  const days = ['2026-03-02', '2026-03-03'].map((date) => dayOf(date, plan));
  const bytes = cardFile({ number: 'I000000099999900', days, lastDownload: secondsOf('2026-03-03T20:00:00Z') });
  const upload = { fileBase64: Buffer.from(bytes).toString('base64'), fileName: 'clean.ddd' };
  await untilAnalysed(api, (await api.send('POST', '/v1/drivers/ddd', upload)).body.fileId);
  const body = { drivers: [other], from: '2026-03-01', to: '2026-03-31', format: 'pdf' };
  const { text } = await readPdf(await bytesOf('POST', '/v1/drivers/ddd/infringements_file', body));
  for (const part of ['Infrazioni: nessuna', 'Giornate con dati 2 su 31', 'clean.ddd']) expect(text).toContain(part);
  const empty = { ...body, from: '2025-03-01', to: '2025-03-31', lang: 'en' };
  const before = await readPdf(await bytesOf('POST', '/v1/drivers/ddd/infringements_file', empty));
  for (const part of ['Infringements: none', 'Days with data 0 of 31', 'Files: none'])
    expect(before.text).toContain(part);
  await api.send('DELETE', `/v1/drivers/${other}`);
});

test('a letter is issued, printed, signed, and says what it said when it was issued', async () => {
  const issued = (await api.send('POST', '/v1/drivers/ddd/letters', { driverId, ...MARCH })).body;
  expect(issued).toMatchObject({ driverId, state: 'issued', acknowledgedOn: null, from: '2026-03-01' });
  const about = issued.infringements[0];
  const open = await api.get('/v1/drivers/ddd/letters?state=issued');
  expect(open.body.items.map(({ id }: { id: string }) => id)).toEqual([issued.id]);
  const printed = await readPdf(await bytesOf('GET', `/v1/drivers/ddd/letters/${issued.id}/file`));
  for (const part of ['articolo 10', 'Il conducente, per presa visione', 'in attesa di firma', issued.id, '11:20']) {
    expect(printed.text).toContain(part);
  }
  const path = `/v1/drivers/ddd/letters/${issued.id}`;
  const signed = (await api.send('PATCH', path, { state: 'signed', note: 'in the office' })).body;
  expect(signed).toMatchObject({ state: 'signed', acknowledgedOn: '2026-04-01', note: 'in the office' });
  expect((await api.get('/v1/drivers/ddd/letters?state=issued')).body.items).toEqual([]);
  const { items } = (await api.get(`/v1/drivers/ddd/infringements?driver_id=${driverId}`)).body;
  expect(items.find(({ id }: { id: string }) => id === about.id).status).toBe('acknowledged');
  // the letter shows the state of that time
  expect((await api.get(path)).body.infringements[0].status).toBe('open');
  const reprinted = await readPdf(await bytesOf('GET', `${path}/file`));
  expect(reprinted.text).toContain('firmata il 01/04/2026');
  const tomorrow = { state: 'signed', acknowledgedOn: '2026-04-02' };
  expect((await api.send('PATCH', path, tomorrow)).body.code).toBe('invalid');
  const withdrawn = (await api.send('PATCH', path, { state: 'issued' })).body;
  expect(withdrawn).toMatchObject({ state: 'issued', acknowledgedOn: null, note: 'in the office' });
});

test('what a signature has acknowledged is open again without it, unless another signed letter names it', async () => {
  const list = `/v1/drivers/ddd/infringements?driver_id=${driverId}`;
  const [about] = (await api.get(list)).body.items;
  const status = async () => (await api.get(list)).body.items.find(({ id }: { id: string }) => id === about.id).status;
  const issue = async () => (await api.send('POST', '/v1/drivers/ddd/letters', { driverId, ...MARCH })).body.id;
  const decide = async (id: string, state: string) => {
    expect((await api.send('PATCH', `/v1/drivers/ddd/letters/${id}`, { state })).status).toBe(200);
    return status();
  };
  const [first, second] = [await issue(), await issue()];
  expect(await status()).toBe('open');
  expect(await decide(first, 'signed')).toBe('acknowledged');
  expect(await decide(second, 'signed')).toBe('acknowledged');
  expect(await decide(first, 'refused')).toBe('acknowledged');
  expect(await decide(second, 'refused')).toBe('open');
  expect(await decide(first, 'signed')).toBe('acknowledged');
  expect(await decide(first, 'issued')).toBe('open');
  // what a person has decided otherwise stays
  await api.send('PATCH', `/v1/drivers/ddd/infringements/${about.id}`, { status: 'justified' });
  expect(await decide(first, 'signed')).toBe('justified');
  expect(await decide(first, 'issued')).toBe('justified');
  await api.send('PATCH', `/v1/drivers/ddd/infringements/${about.id}`, { status: 'open' });
});

test('a second letter about an infringement names the first, and is not issued where the caller does not want it', async () => {
  const number = 'I000000091919100';
  const { id } = (await api.send('POST', '/v1/drivers', { name: 'Ivo Verdi', cardNumber: number })).body;
  const days = ['2026-03-03', '2026-03-10'].map((date) => dayOf(date, longDay));
  const bytes = cardFile({ number, days, lastDownload: secondsOf('2026-03-11T20:00:00Z') });
  await api.send('POST', '/v1/drivers/ddd', { fileBase64: Buffer.from(bytes).toString('base64') });
  const issue = async (from: string, to: string, more: object = {}) =>
    (await api.send('POST', '/v1/drivers/ddd/letters', { driverId: id, from, to, ...more })).body;
  const lettersOf = async (date: string) =>
    (await api.get(`/v1/drivers/ddd/infringements?driver_id=${id}`)).body.items
      .filter(({ from }: { from: string }) => from.startsWith(date))
      .map(({ letters }: { letters: unknown[] }) => letters);
  const first = await issue('2026-03-03', '2026-03-03', { repeats: false });
  expect(first).toMatchObject({ state: 'issued', earlier: [] });
  const reference = { id: first.id, state: 'issued', issuedAt: '2026-04-01T10:00:00Z', acknowledgedOn: null };
  expect(await lettersOf('2026-03-03')).toEqual([[reference]]);
  expect(await lettersOf('2026-03-10')).toEqual([[]]);
  // one that names another infringement too
  const refused = await api.send('POST', '/v1/drivers/ddd/letters', { driverId: id, ...MARCH, repeats: false });
  expect([refused.status, refused.body.code]).toEqual([409, 'letter-exists']);
  expect(refused.body.detail).toBe(`Letter ${first.id} names one of the infringements; issued on 2026-04-01`);
  await api.send('PATCH', `/v1/drivers/ddd/letters/${first.id}`, { state: 'signed', acknowledgedOn: '2026-03-20' });
  const signed = { ...reference, state: 'signed', acknowledgedOn: '2026-03-20' };
  expect((await issue('2026-03-03', '2026-03-03', { repeats: false })).detail).toMatch(/; signed on 2026-03-20$/);
  const second = await issue('2026-03-01', '2026-03-31');
  expect(second.earlier).toEqual([signed]);
  expect(second.infringements[0]).not.toHaveProperty('letters');
  expect((await api.get(`/v1/drivers/ddd/letters/${first.id}`)).body.earlier).toEqual([]);
  expect(await lettersOf('2026-03-03')).toMatchObject([[signed, { id: second.id }]]);
  expect(await lettersOf('2026-03-10')).toMatchObject([[{ id: second.id }]]);
});

test('of two first letters about an infringement at the same time one is issued', async () => {
  const number = 'I000000044444400';
  const { id } = (await api.send('POST', '/v1/drivers', { name: 'Eva Verdi', cardNumber: number })).body;
  const bytes = cardFile({
    number,
    days: [dayOf('2026-03-03', longDay)],
    lastDownload: secondsOf('2026-03-05T20:00:00Z'),
  });
  await api.send('POST', '/v1/drivers/ddd', { fileBase64: Buffer.from(bytes).toString('base64') });
  const body = { driverId: id, ...MARCH, repeats: false };
  // both wait until neither has found the letter of the other
  const holder = await api.database.ingest.connect();
  await holder.query('begin');
  await holder.query('select from driver where id = $1 for no key update', [id]);
  const answers = Promise.all([1, 2].map(() => api.send('POST', '/v1/drivers/ddd/letters', body)));
  const waiting = `select from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`;
  await vi.waitFor(async () => expect((await api.database.ingest.query(waiting)).rowCount).toBe(2), {
    timeout: 30_000,
  });
  await holder.query('commit');
  holder.release();
  expect((await answers).map(({ status }) => status).sort()).toEqual([200, 409]);
});

test('a letter needs infringements that exist', async () => {
  const code = async (body: object) => (await api.send('POST', '/v1/drivers/ddd/letters', body)).body.code;
  expect(await code({ driverId, from: '2020-01-01', to: '2020-01-31' })).toBe('no-data');
  expect(await code({ driverId, ...MARCH, infringementIds: ['none'] })).toBe('unknown-infringement');
  expect(await code({ driverId: 'drv_none', ...MARCH })).toBe('unknown-driver');
  expect((await api.get('/v1/drivers/ddd/letters/ltr_none')).body.code).toBe('unknown-letter');
});

test('letters and corrections wait for the analysis of what was uploaded before', async () => {
  const number = 'I000000066666600';
  const { id } = (await api.send('POST', '/v1/drivers', { name: 'Ugo Verdi', cardNumber: number })).body;
  const days = ['2026-03-03', '2026-03-05'].map((date) => dayOf(date, longDay));
  const bytes = cardFile({ number, days, lastDownload: secondsOf('2026-03-05T20:00:00Z') });
  await api.send('POST', '/v1/drivers/ddd', { fileBase64: Buffer.from(bytes).toString('base64') });
  const letter = await api.send('POST', '/v1/drivers/ddd/letters', { driverId: id, ...MARCH });
  expect([letter.status, letter.body.code]).toEqual([200, undefined]);
  const second = 'I000000077777700';
  const other = (await api.send('POST', '/v1/drivers', { name: 'Ada Verdi', cardNumber: second })).body.id;
  const again = cardFile({ number: second, days, lastDownload: secondsOf('2026-03-05T20:00:00Z') });
  await api.send('POST', '/v1/drivers/ddd', { fileBase64: Buffer.from(again).toString('base64') });
  const work = { kind: 'unknown', activity: 'work', reason: 'Carta dimenticata' };
  const hours = { from: '2026-03-04T06:00:00Z', to: '2026-03-04T08:00:00Z' };
  const correction = await api.send('POST', '/v1/drivers/ddd/corrections', { driverId: other, ...work, ...hours });
  expect([correction.status, correction.body.code]).toEqual([200, undefined]);
});

test('a letter has vehicles, ends, the week of the law and no grade that was not compared; without a sender there is none', async () => {
  const number = 'I000000055555500';
  const id = (await api.send('POST', '/v1/drivers', { name: 'Piotr', cardNumber: number })).body.id;
  const days = datesFrom('2026-03-09', 6).map((date) => dayOf(date, longDay));
  const vehicles = [use('LT 123 AA', '2026-03-10T04:00:00Z', '2026-03-10T17:00:00Z', [1_000, 1_500])];
  const bytes = cardFile({ number, days, vehicles, lastDownload: secondsOf('2026-03-16T20:00:00Z') });
  const { fileId: own } = (
    await api.send('POST', '/v1/drivers/ddd', { fileBase64: Buffer.from(bytes).toString('base64') })
  ).body;
  await untilAnalysed(api, own);
  const { employer, zone } = (await api.get('/v1/drivers/ddd/settings')).body;
  await api.send('PUT', '/v1/drivers/ddd/settings', { zone: 'Europe/Rome' });
  const issue = () => api.send('POST', '/v1/drivers/ddd/letters', { driverId: id, ...MARCH, lang: 'en' });
  expect((await issue()).body.code).toBe('employer-incomplete');
  await api.send('PUT', '/v1/drivers/ddd/settings', { employer, zone: 'Europe/Rome' });
  const { body } = await issue();
  const remarks = body.infringements.flatMap((each: { remarks: string[] }) => each.remarks);
  expect(remarks).toContain('grade-from-memory');
  expect(body.infringements.map(({ rule }: { rule: string }) => rule)).toContain('D2');
  const { text } = await readPdf(await bytesOf('GET', `/v1/drivers/ddd/letters/${body.id}/file`));
  for (const part of ['LT123AA', 'MSI most serious', 'Statement of the driver', 'Rossi Trasporti']) {
    expect(text).toContain(part);
  }
  expect(text).not.toContain('not compared');
  const csv = Buffer.from(await bytesOf('GET', `/v1/drivers/ddd/letters/${body.id}/file?format=csv`));
  const rows = parse(csv, { columns: true, bom: true }) as Record<string, string>[];
  const week = rows.find(({ Fact }) => Fact === 'Weekly driving time exceeded');
  expect(week).toMatchObject({ From: '2026-03-09 00:00', To: '2026-03-16 00:00' });
  expect(rows.find(({ From }) => From === '2026-03-10 05:00')).toMatchObject({ Vehicles: 'LT123AA' });
  const ungraded = body.infringements.filter((each: { remarks: string[] }) =>
    each.remarks.includes('grade-from-memory'),
  );
  expect(rows.filter(({ Severity }) => Severity === '').length).toBeGreaterThanOrEqual(ungraded.length);
  await api.send('PUT', '/v1/drivers/ddd/settings', { employer, zone });
});
