import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CardSigner } from '../../../../src/server/tachograph/engine/card/encode.ts';
import { issueRsa } from '../../../../src/server/tachograph/engine/signature/issue.ts';
import { untilAnalysed } from '../../../support/analysed.ts';
import { type RunningApi, startApi } from '../../../support/api.ts';
import { dropDatabases, withDatabase } from '../../../support/databases.ts';
import {
  cardFile,
  datesFrom,
  dayOf,
  ordinary,
  type Plan,
  secondsOf,
  unitFile,
  use,
} from '../../../support/tachograph.ts';

const NOW = Date.parse('2026-04-20T12:00:00Z');
let api: RunningApi;
let driverId: string;
let folder: string;
let genuine: string;
let forged: string;

const id = (text: string): Uint8Array => Buffer.from(text.padEnd(8).slice(0, 8), 'latin1');
const root = issueRsa({ id: id('ERCA1'), role: 0 });
const state = issueRsa({ id: id('MSCA1'), role: 0 }, root);
const holder = issueRsa({ id: id('CARD1'), role: 1 }, state);
const signer: CardSigner = {
  certificates: [
    { fid: 'C100', bytes: holder.certificate },
    { fid: 'C108', bytes: state.certificate },
  ],
  sign: holder.sign,
};
/** The certificates of the card, without its key. */
const forger: CardSigner = { ...signer, sign: issueRsa({ id: id('CARD1'), role: 1 }, state).sign };

const long: Plan = [
  ['04:00', 'driving'],
  ['09:00', 'rest'],
  ['09:45', 'driving'],
  ['15:45', 'rest'],
];
const resting: Plan = [['00:00', 'rest']];
const withoutCards = {
  purpose: 0,
  driverBegin: null,
  coDriverBegin: null,
  driverEnd: null,
  coDriverEnd: null,
  similarEvents: 0,
};
const dates = datesFrom('2026-03-02', 3);
const lastDownload = secondsOf('2026-03-04T20:00:00Z');
const card = (second: Plan, gen1: CardSigner): Uint8Array =>
  cardFile({
    days: dates.map((date, index) => dayOf(date, index === 1 ? second : ordinary)),
    lastDownload,
    encoding: { signers: { gen1 } },
  });
const upload = async (bytes: Uint8Array, fileName: string) =>
  (await api.send('POST', '/v1/drivers/ddd', { fileBase64: Buffer.from(bytes).toString('base64'), fileName })).body;
const found = async () => {
  const { items } = (await api.get(`/v1/drivers/ddd/infringements?driver_id=${driverId}`)).body;
  return items.filter(({ rule }: { rule: string }) => rule === 'D1');
};
const analyse = async (...fileIds: string[]) =>
  (await api.send('POST', '/v1/drivers/ddd/files/analize_save', { fileIds })).status;

beforeAll(async () => {
  const clock = { now: () => NOW, monotonic: () => performance.now() };
  folder = mkdtempSync(join(tmpdir(), 'fleetgate-roots-'));
  writeFileSync(join(folder, 'root.bin'), root.certificate);
  api = await withDatabase((url) => startApi(url, { DDD_ROOTS: [join(folder, 'root.bin')] }, { clock }));
  driverId = (await api.send('POST', '/v1/drivers', { name: 'Ugo', cardNumber: 'I000000012345600' })).body.id;
  genuine = (await upload(card(long, signer), 'genuine.ddd')).fileId;
  forged = (await upload(card(resting, forger), 'forged.ddd')).fileId;
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
  rmSync(folder, { recursive: true, force: true });
});

test('a forged file does not make an infringement disappear, and the day is listed with both versions', async () => {
  expect(await analyse(genuine, forged)).toBe(200);
  expect(await found()).toHaveLength(1);
  const { items } = (await api.get(`/v1/drivers/ddd/conflicts?driver_id=${driverId}`)).body;
  expect(items).toMatchObject([{ driverId, date: dates[1] }]);
  expect(items[0].versions).toHaveLength(2);
  expect(items[0].versions).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        fileId: genuine,
        name: 'genuine.ddd',
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        source: 'card',
        verdict: 'valid',
        contributes: true,
        minutes: expect.objectContaining({ driving: 660 }),
      }),
      expect.objectContaining({ fileId: forged, verdict: 'invalid', contributes: false }),
    ]),
  );
  const page = (await api.get('/v1/drivers/ddd/conflicts?limit=1&from=2026-03-04')).body;
  expect(page.items).toEqual([]);
});

test('a person admits an invalid file with a reason, and withdraws it', async () => {
  const path = `/v1/drivers/ddd/files/${forged}/admission`;
  expect((await api.send('PUT', path, { admitted: true, reason: '' })).body.code).toBe('invalid');
  const other = `/v1/drivers/ddd/files/${genuine}/admission`;
  expect((await api.send('PUT', other, { admitted: true, reason: 'none' })).body.code).toBe('signature-not-invalid');
  const admitted = (await api.send('PUT', path, { admitted: true, reason: 'the reader was broken' })).body;
  expect(admitted.admission).toMatchObject({ reason: 'the reader was broken', by: expect.any(String) });
  await untilAnalysed(api, forged);
  // it is believed last: the genuine file still counts
  expect(await analyse(forged)).toBe(200);
  expect(await found()).toHaveLength(1);
  const withdrawn = (await api.send('PUT', path, { admitted: false, reason: 'it was forged' })).body;
  expect(withdrawn.admission).toBeNull();
});

test('a cut file says so and is not the download that was due', async () => {
  const whole = cardFile({
    days: datesFrom('2026-03-10', 3).map((date) => dayOf(date, ordinary)),
    lastDownload: secondsOf('2026-03-12T20:00:00Z'),
  });
  const cut = await upload(whole.subarray(0, whole.length - 4_000), 'cut.ddd');
  expect(cut).toMatchObject({ incomplete: true });
  const { warnings } = (await api.get(`/v1/drivers/ddd/files/${cut.fileId}`)).body;
  expect(warnings.map(({ code }: { code: string }) => code)).toContain('truncated');
  expect(cut.warnings).toEqual(warnings);
  const state = async () => (await api.get('/v1/drivers/ddd/me')).body;
  expect(JSON.stringify(await state())).not.toContain(cut.fileId);
});

test('a download of the future, which a card does not sign, is no later than the last activity', async () => {
  const bytes = Buffer.from(card(ordinary, signer));
  bytes.writeUInt32BE(secondsOf('2031-01-01T00:00:00Z'), bytes.indexOf('050e000004', 0, 'hex') + 5);
  const { fileId, downloadedAt, signature, warnings } = await upload(bytes, 'future.ddd');
  expect(signature.verdict).toBe('valid');
  expect(downloadedAt).toBe('2026-03-04T15:15:00Z');
  expect(warnings).toMatchObject([{ code: 'future-time', where: 'gen1/050E' }]);
  const [state] = (await api.get('/v1/drivers/ddd/me')).body.items;
  expect(state).toMatchObject({ status: 'overdue' });
  await api.send('DELETE', `/v1/drivers/ddd/files/${fileId}`);
});

test('vehicle uses of a forged file count once a person has admitted it', async () => {
  await api.send('POST', '/v1/vehicles', { targa: 'ZZ999ZZ' });
  const vehicles = [use('ZZ999ZZ', '2026-03-03T04:00:00Z', '2026-03-03T16:00:00Z', [1_000, 4_000])];
  const days = dates.map((date) => dayOf(date, resting));
  const bytes = cardFile({ days, lastDownload, vehicles, encoding: { signers: { gen1: forger } } });
  const { fileId } = await upload(bytes, 'uses.ddd');
  const history = { from: '2026-03-01', to: '2026-03-10', vehicles: ['ZZ999ZZ'] };
  const uses = async () => (await api.send('POST', '/v1/vehicles/reports/pairing_history', history)).body.items;
  expect(await uses()).toEqual([]);
  const admission = { admitted: true, reason: 'the reader was broken' };
  await api.send('PUT', `/v1/drivers/ddd/files/${fileId}/admission`, admission);
  expect(await uses()).toMatchObject([{ targa: 'ZZ999ZZ', source: 'ddd' }]);
  await api.send('DELETE', `/v1/drivers/ddd/files/${fileId}`);
});

test('events of a forged unit do not lower the safety of a vehicle', async () => {
  await api.send('POST', '/v1/vehicles', { targa: 'SA100FE' });
  const unit = (sign: (data: Uint8Array) => Uint8Array) =>
    unitFile({
      plate: 'SA100FE',
      now: '2026-03-05T00:00:00Z',
      events: [{ ...withoutCards, type: 0x04, begin: secondsOf('2026-03-04T10:00:00Z'), end: null }],
      signer: { memberState: state.certificate, unit: holder.certificate, sign },
    });
  const events = async () => {
    const { items } = (await api.get('/v1/vehicles/safety/me?from=2026-03-01&to=2026-03-10')).body;
    return JSON.stringify(items.filter(({ targa }: { targa: string }) => targa === 'SA100FE'));
  };
  const without = await events();
  const bad = await upload(unit(forger.sign), 'forged-unit.ddd');
  expect(bad.signature.verdict).toBe('invalid');
  expect(await events()).toBe(without);
  const good = await upload(unit(holder.sign), 'unit.ddd');
  expect(good.signature.verdict).toBe('valid');
  expect(await events()).not.toBe(without);
});
