import { afterAll, beforeAll, expect, test } from 'vitest';
import { untilAnalysed } from '../../../support/analysed.ts';
import { API_KEY, type RunningApi, startApi } from '../../../support/api.ts';
import { dropDatabases, withDatabase } from '../../../support/databases.ts';
import { readPdf } from '../../../support/documents.ts';
import { cardFile, datesFrom, dayOf, ordinary, type Plan, secondsOf } from '../../../support/tachograph.ts';

let api: RunningApi;
let database: string;
let driverId: string;
let fileId: string;

/** 4 h 15 of driving, 20 minutes of recorded work, 3 hours of driving: a break is missing if it was work. */
const noBreak: Plan = [
  ['06:00', 'driving'],
  ['10:15', 'work'],
  ['11:00', 'driving'],
  ['14:00', 'rest'],
];
/** The card is out in the evening, and nothing is entered for it. */
const undeclared: Plan = [...ordinary, ['18:00', 'unknown'], ['20:00', 'rest']];
const PATH = '/v1/drivers/ddd/corrections';

beforeAll(async () => {
  const clock = { now: () => Date.parse('2026-03-08T10:00:00Z'), monotonic: () => performance.now() };
  api = await withDatabase((url) => {
    database = url;
    return startApi(url, {}, { clock });
  });
  const driver = { name: 'Łucja Żółkiewska', cardNumber: 'I000000012345600' };
  driverId = (await api.send('POST', '/v1/drivers', driver)).body.id;
  const days = datesFrom('2026-03-02', 5).map((date) =>
    dayOf(date, date === '2026-03-03' ? noBreak : date === '2026-03-04' ? undeclared : ordinary),
  );
  const bytes = cardFile({ days, lastDownload: secondsOf('2026-03-06T20:00:00Z') });
  const upload = { fileBase64: Buffer.from(bytes).toString('base64'), fileName: 'march.ddd' };
  fileId = (await api.send('POST', '/v1/drivers/ddd', upload)).body.fileId;
  await untilAnalysed(api, fileId);
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
});

const breaks = async () => {
  // a report waits for the analysis
  await api.send('POST', '/v1/drivers/ddd/infringements_file', {
    drivers: [driverId],
    from: '2026-03-01',
    to: '2026-03-31',
  });
  const { body } = await api.get(`/v1/drivers/ddd/infringements?driver_id=${driverId}&rule=B1`);
  return body.items;
};
const activities = async (date: string) => {
  const { body } = await api.send('POST', '/v1/drivers/ddd/activities_file', { driverId, from: date, to: date });
  return body;
};
const sha256 = async () => (await api.get(`/v1/drivers/ddd/files/${fileId}`)).body.sha256;

const selector = {
  kind: 'selector',
  from: '2026-03-03T10:15:00Z',
  to: '2026-03-03T11:00:00Z',
  activity: 'rest',
  reason: 'Pausa in area di servizio, selettore rimasto su altro lavoro',
};

test('a correction of the selector counts in rules and reports, and is revoked with a reason', async () => {
  const before = await sha256();
  const [recorded] = await breaks();
  expect(recorded).toMatchObject({ rule: 'B1', measured: 435, remarks: [] });

  const { status, body } = await api.send('POST', PATH, { driverId, ...selector });
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { driverId, ...selector, createdBy: expect.any(String), createdAt: '2026-03-08T10:00:00Z', revokedAt: null },
  });
  expect(await breaks()).toEqual([]);
  const notices = (await api.get(`/v1/drivers/ddd/notices?kind=infringement-corrected&lang=en`)).body.items;
  expect(notices.map(({ text }: { text: string }) => text.split(': ')[1]).sort()).toEqual([
    'Break from driving missing or too short',
    'Break from work missing or too short',
  ]);
  expect(notices.map(({ from }: { from: string }) => from)).toEqual([recorded.from, recorded.from]);
  const { corrections, days } = await activities('2026-03-03');
  expect(corrections).toEqual([body]);
  expect(days[0].minutes).toMatchObject({ work: 0 });
  expect(days[0].corrected).toEqual([
    { correctionId: body.id, from: selector.from, to: selector.to, was: 'work', activity: 'rest' },
  ]);
  expect(days[0].intervals.find((each: { source: string }) => each.source === 'person')).toMatchObject({
    from: selector.from,
    to: selector.to,
    activity: 'rest',
  });
  expect(await sha256()).toBe(before);

  const revoked = await api.send('POST', `${PATH}/${body.id}/revoke`, { reason: 'Il conducente ha caricato' });
  expect(revoked.body).toMatchObject({ id: body.id, revokedReason: 'Il conducente ha caricato' });
  expect((await api.send('POST', `${PATH}/${body.id}/revoke`, { reason: 'x' })).body.code).toBe('conflict');
  expect((await breaks()).map((each: { id: string }) => each.id)).toEqual([recorded.id]);
  expect((await activities('2026-03-03')).days[0].minutes).toMatchObject({ work: 45 });
  expect((await api.get(`${PATH}?state=in-force`)).body.items).toEqual([]);
  expect((await api.get(`${PATH}?state=revoked`)).body.items).toEqual([revoked.body]);
});

test('time without data is assigned, and its notice ends', async () => {
  const evening = { from: '2026-03-04T18:00:00Z', to: '2026-03-04T20:00:00Z', activity: 'work', reason: 'Officina' };
  const undeclaredPath = `/v1/drivers/ddd/notices?driver_id=${driverId}&kind=undeclared-activity`;
  expect((await api.get(undeclaredPath)).body.items).toHaveLength(1);
  const { body } = await api.send('POST', PATH, { driverId, kind: 'manual-entry', ...evening });
  expect((await activities('2026-03-04')).days[0].minutes).toMatchObject({ work: 180, unknown: 0 });
  expect((await api.get(undeclaredPath)).body.items).toEqual([]);
  const again = await api.send('POST', PATH, { driverId, kind: 'unknown', ...evening, to: '2026-03-04T19:00:00Z' });
  expect(again).toMatchObject({ status: 409, body: { code: 'correction-overlaps' } });

  for (const [path, range] of [
    ['/v1/drivers/ddd/activities_file', { driverId }],
    ['/v1/drivers/ddd/rests_file', { driverId }],
    ['/v1/drivers/ddd/infringements_file', { drivers: [driverId] }],
  ] as const) {
    const response = await fetch(api.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...range, from: '2026-03-01', to: '2026-03-06', format: 'pdf' }),
    });
    const { text } = await readPdf(new Uint8Array(await response.arrayBuffer()));
    expect(text, path).toContain('Correzioni (i file restano invariati)');
    expect(text, path).toContain('Officina');
    expect(text, path).toContain('Senza dati');
  }
  await api.send('POST', `${PATH}/${body.id}/revoke`, { reason: 'Prova' });
});

test('what the data have nothing for, and no intervals, are refused', async () => {
  const post = async (change: object) => (await api.send('POST', PATH, { driverId, ...selector, ...change })).body.code;
  expect(await post({ activity: 'driving' })).toBe('correction-without-effect');
  expect(await post({ from: '2026-03-03T06:00:00Z', to: '2026-03-03T10:00:00Z' })).toBe('correction-without-effect');
  expect(await post({ kind: 'unknown' })).toBe('correction-without-effect');
  expect(await post({ from: '2026-03-03T10:15:30Z' })).toBe('invalid');
  expect(await post({ from: selector.to })).toBe('from-after-to');
  expect(await post({ driverId: 'drv_missing' })).toBe('unknown-driver');
  expect(await post({ reason: '' })).toBe('invalid');
  expect((await api.send('POST', `${PATH}/cor_missing/revoke`, { reason: 'x' })).body.code).toBe('unknown-correction');
});

test('documents name who has corrected, and who has revoked it is named too', async () => {
  const user = { username: 'carlo', name: 'Carlo Bianchi', password: 'a password of some length', role: 'manager' };
  const made = (await api.send('POST', '/v1/users', user)).body;
  // sessions of users need the true time
  const live = await startApi(database);
  const login = await live.send('POST', '/v1/auth/credentials', { username: user.username, password: user.password });
  const headers = { authorization: `Bearer ${login.body.accessToken}` };
  const { body } = await live.send('POST', PATH, { driverId, ...selector }, headers);
  expect(body).toMatchObject({ createdBy: made.id, createdByName: 'Carlo Bianchi', revokedByName: null });
  const response = await fetch(`${api.url}/v1/drivers/ddd/infringements_file`, {
    method: 'POST',
    headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ drivers: [driverId], from: '2026-03-01', to: '2026-03-06', format: 'pdf' }),
  });
  const { text } = await readPdf(new Uint8Array(await response.arrayBuffer()));
  expect(text).toContain('Carlo Bianchi');
  expect(text).not.toContain(made.id);
  const revoked = await live.send('POST', `${PATH}/${body.id}/revoke`, { reason: 'Prova' }, headers);
  expect(revoked.body).toMatchObject({ revokedByName: 'Carlo Bianchi' });
  await live.stop();
  // what was said remains, also after its author has gone
  await api.send('DELETE', `/v1/users/${made.id}`);
  const { items } = (await api.get(`${PATH}?state=revoked`)).body;
  expect(items.at(-1)).toMatchObject({ createdBy: made.id, createdByName: made.id, reason: selector.reason });
});
