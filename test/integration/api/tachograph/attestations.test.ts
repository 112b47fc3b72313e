import { afterAll, beforeAll, expect, test } from 'vitest';
import { untilAnalysed } from '../../../support/analysed.ts';
import { API_KEY, type RunningApi, startApi } from '../../../support/api.ts';
import { dropDatabases, withDatabase } from '../../../support/databases.ts';
import { readPdf, unzip } from '../../../support/documents.ts';
import { cardFile, datesFrom, dayOf, ordinary, secondsOf } from '../../../support/tachograph.ts';

let api: RunningApi;
let driverId: string;
const PATH = '/v1/drivers/ddd/attestations';
const employer = {
  name: 'Rossi Trasporti S.r.l.',
  address: 'Via Roma 1, 20100 Milano, Italia',
  telephone: '+39 02 1234567',
  email: 'info@example.com',
};
const leave = {
  activity: 'annual-leave',
  from: '2026-03-09T05:00:00Z',
  to: '2026-03-14T05:30:00Z',
  signatory: { name: 'Bianchi Anna', position: 'Responsabile del traffico' },
  driver: { birthDate: '1980-02-03', document: 'U1234567X', employedSince: '2019-09-01' },
  place: 'Milano',
};

beforeAll(async () => {
  const clock = { now: () => Date.parse('2026-03-16T10:00:00Z'), monotonic: () => performance.now() };
  api = await withDatabase((url) => startApi(url, {}, { clock }));
  const driver = { name: 'Łucja Żółkiewska', cardNumber: 'I000000012345600' };
  driverId = (await api.send('POST', '/v1/drivers', driver)).body.id;
  const days = datesFrom('2026-03-02', 5).map((date) => dayOf(date, ordinary));
  const bytes = cardFile({ days, lastDownload: secondsOf('2026-03-06T20:00:00Z') });
  const upload = { fileBase64: Buffer.from(bytes).toString('base64'), fileName: 'march.ddd' };
  await untilAnalysed(api, (await api.send('POST', '/v1/drivers/ddd', upload)).body.fileId);
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

test('an attestation is refused while a field of the form would be empty', async () => {
  const refused = await api.send('POST', PATH, { driverId, ...leave });
  expect(refused).toMatchObject({ status: 409, body: { code: 'employer-incomplete' } });
  await api.send('PUT', '/v1/drivers/ddd/settings', { employer: { ...employer, telephone: '' }, zone: 'Europe/Rome' });
  const other = await api.send('POST', PATH, { driverId, ...leave });
  expect(other.body.detail).toContain('telephone');
  await api.send('PUT', '/v1/drivers/ddd/settings', { employer, zone: 'Europe/Rome' });
  for (const change of [{ place: '' }, { driver: { ...leave.driver, document: '' } }, { activity: 'ferie' }]) {
    expect((await api.send('POST', PATH, { driverId, ...leave, ...change })).status).toBe(422);
  }
});

test('the form has each numbered field of the decision, one cross, local times, and both signatures', async () => {
  const { body } = await api.send('POST', PATH, { driverId, ...leave, lang: 'it' });
  expect(body).toMatchObject({ ...leave, undertaking: { ...employer, fax: '–' }, date: '2026-03-16', revokedAt: null });
  const { text, pages } = await readPdf(await bytesOf('GET', `${PATH}/${body.id}/file`));
  expect(pages).toBe(1);
  for (let number = 1; number <= 22; number++) expect(text).toContain(`${number}. `);
  // as the annex of Decision 2009/959/EU has them
  for (const words of [
    'ATTESTATION OF ACTIVITIES',
    'To be filled in by typing and signed before a journey',
    'False attestations constitute an infringement',
    'was on sick leave',
    'was on annual leave',
    'was on leave or rest',
    'performed other work than driving',
    'was available',
    'who has started to work at the undertaking on',
    'Signature of the driver',
    'era in congedo o recupero',
  ]) {
    expect(text).toContain(words);
  }
  for (const value of [
    'Rossi Trasporti S.r.l.',
    '+39 02 1234567',
    'Bianchi Anna',
    'Łucja Żółkiewska',
    '03/02/1980',
    '01/09/2019',
    '06:00 – 09/03/2026',
    '06:30 – 14/03/2026',
    'Milano, 16/03/2026',
  ]) {
    expect(text).toContain(value);
  }
  const english = await api.send('POST', PATH, { driverId, ...leave, lang: 'en' });
  const { text: inEnglish } = await readPdf(await bytesOf('GET', `${PATH}/${english.body.id}/file`));
  expect(inEnglish).not.toContain('congedo');
  await api.send('POST', `${PATH}/${english.body.id}/revoke`, { reason: 'lingua' });
});

test('the roadside set has the attestations in force of its interval', async () => {
  const [kept] = (await api.get(`${PATH}?state=in-force`)).body.items;
  const set = await unzip(await bytesOf('POST', '/v1/drivers/ddd/roadside_set', { driverId, date: '2026-03-16' }));
  expect([...set.keys()].filter((name) => name.startsWith('attestation_'))).toEqual([`attestation_${kept.id}.pdf`]);
  const revoked = await api.send('POST', `${PATH}/${kept.id}/revoke`, { reason: 'Il conducente ha lavorato' });
  expect(revoked.body).toMatchObject({ revokedReason: 'Il conducente ha lavorato', revokedAt: '2026-03-16T10:00:00Z' });
  expect((await api.send('POST', `${PATH}/${kept.id}/revoke`, { reason: 'x' })).body.code).toBe('conflict');
  const later = await unzip(await bytesOf('POST', '/v1/drivers/ddd/roadside_set', { driverId, date: '2026-03-16' }));
  expect([...later.keys()].filter((name) => name.startsWith('attestation_'))).toEqual([]);
  expect((await readPdf(await bytesOf('GET', `${PATH}/${kept.id}/file`))).text).toContain('REVOCATA');
});

test('who was away all the time has a roadside set of attestations alone', async () => {
  const { id } = (await api.send('POST', '/v1/drivers', { name: 'Zoë Away' })).body;
  const set = { driverId: id, date: '2026-03-16' };
  expect((await api.send('POST', '/v1/drivers/ddd/roadside_set', set)).body.code).toBe('not-analysed');
  const made = await api.send('POST', PATH, { ...leave, driverId: id });
  expect(made.status).toBe(200);
  const files = await unzip(await bytesOf('POST', '/v1/drivers/ddd/roadside_set', set));
  expect([...files.keys()].sort()).toEqual([`attestation_${made.body.id}.pdf`, 'manifest.csv']);
});
