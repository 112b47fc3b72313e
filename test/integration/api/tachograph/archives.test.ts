import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import yazl from 'yazl';
import { createKey, SCOPES } from '../../../../src/server/index.ts';
import type { CardSigner } from '../../../../src/server/tachograph/engine/card/encode.ts';
import { issueRsa } from '../../../../src/server/tachograph/engine/signature/issue.ts';
import { readPart, unpack } from '../../../../src/server/tachograph/reader/unpack.ts';
import { type RunningApi, startApi } from '../../../support/api.ts';
import { dropDatabases, withDatabase } from '../../../support/databases.ts';
import { cardFile, datesFrom, dayOf, ordinary, secondsOf, unitFile } from '../../../support/tachograph.ts';

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

const card = (number: string, surname: string, first = '2026-03-02'): Uint8Array =>
  cardFile({
    number,
    surname,
    days: datesFrom(first, 3).map((date) => dayOf(date, ordinary)),
    lastDownload: secondsOf('2026-03-20T20:00:00Z'),
    encoding: { signers: { gen1: signer } },
  });
const ONE = card('I000000012345600', 'Rossi');
const TWO = card('I000000067890100', 'Bianchi');

async function zipOf(files: Readonly<Record<string, Uint8Array>>, compress: boolean): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  for (const [name, bytes] of Object.entries(files)) zip.addBuffer(Buffer.from(bytes), name, { compress });
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

let folder: string;
let url: string;
let api: RunningApi;

const upload = (bytes: Uint8Array, fileName: string) =>
  api.send('POST', '/v1/drivers/ddd', { fileBase64: Buffer.from(bytes).toString('base64'), fileName });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fleetgate-roots-'));
  writeFileSync(join(folder, 'root.bin'), root.certificate);
  api = await withDatabase((database) => {
    url = database;
    return startApi(database, { DDD_UNPACKED_BYTES: 1_048_576 });
  });
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
  rmSync(folder, { recursive: true, force: true });
});

describe('an upload', () => {
  test.each([
    ['stored', false],
    ['deflated', true],
  ])('of a ZIP with %s downloads is unpacked, with a result for each file', async (kind, compress) => {
    const own = (number: string) => card(number, kind, '2026-03-05');
    const first = own(compress ? 'I000000011111100' : 'I000000022222200');
    const second = own(compress ? 'I000000033333300' : 'I000000044444400');
    const zip = await zipOf({ 'a/one.ddd': first, 'two.ddd': second, 'notes.txt': Buffer.from('none') }, compress);
    const { body } = await upload(zip, 'month.zip');
    expect(body.results).toMatchObject([
      { name: 'one.ddd', outcome: 'stored', file: { size: first.length, signature: { verdict: 'unverifiable' } } },
      { name: 'two.ddd', outcome: 'stored' },
      { name: 'notes.txt', outcome: 'rejected', problem: { code: 'not-a-ddd' } },
    ]);
  });

  test('of a file with the downloads of two cards is split, and each part is what was downloaded', async () => {
    const { body } = await upload(Buffer.concat([ONE, TWO]), 'both.ddd');
    expect(body.results).toMatchObject([
      { outcome: 'stored', file: { card: { number: 'I000000012345600' }, size: ONE.length } },
      { outcome: 'stored', file: { card: { number: 'I000000067890100' }, size: TWO.length } },
    ]);
    expect((await upload(ONE, 'one.ddd')).body).toMatchObject({ duplicate: true });
  });

  test('of a file that mixes the records of two cards is refused', async () => {
    const at = (bytes: Uint8Array, header: string) => Buffer.from(bytes).indexOf(header, 0, 'hex');
    const identification = TWO.subarray(at(TWO, '052000008f'), at(TWO, '052000008f') + 5 + 143);
    const mixed = Buffer.concat([ONE, identification, identification]);
    expect((await upload(mixed, 'mixed.ddd')).body.code).toBe('several-cards');
  });

  test('of a file with the downloads of two vehicle units is split', async () => {
    const unit = (plate: string) =>
      unitFile({ plate, vin: `ZCFC1234567${plate.slice(2, 5)}000`, now: '2026-03-21T00:00:00Z' });
    const [first, second] = [unit('AA111AA'), unit('BB222BB')];
    const { body } = await upload(Buffer.concat([first, second]), 'units.ddd');
    expect(body.results).toMatchObject([
      { outcome: 'stored', file: { targa: 'AA111AA', size: first.length } },
      { outcome: 'stored', file: { targa: 'BB222BB', size: second.length } },
    ]);
    // an overview that comes again is of the same vehicle
    expect((await upload(Buffer.concat([first, first]), 'twice.ddd')).body.targa).toBe('AA111AA');
  });

  test('of a damaged or too large archive is refused', async () => {
    const zip = await zipOf({ 'one.ddd': ONE }, true);
    expect((await upload(zip.subarray(0, zip.length - 30), 'cut.zip')).body.code).toBe('broken-archive');
    const altered = await zipOf({ 'one.ddd': ONE }, false);
    altered[200]! ^= 1;
    expect((await upload(altered, 'altered.zip')).body).toMatchObject({
      code: 'broken-archive',
      detail: 'The checksum of one.ddd is wrong',
    });
    expect((await upload(await zipOf({}, false), 'empty.zip')).body.code).toBe('broken-archive');
    const large = await zipOf({ 'zeros.ddd': new Uint8Array(2_000_000) }, true);
    expect((await upload(large, 'zeros.zip')).body.code).toBe('too-large');
  });
});

test('drivers are created from unknown cards in one call, and reports wait for their analysis', async () => {
  const waiting = (await api.get('/v1/drivers/ddd/files?waiting=true')).body.items;
  const { items } = (await api.send('POST', '/v1/drivers/ddd/drivers', {})).body;
  expect(items).toHaveLength(waiting.length);
  const rossi = items.find(({ cardNumber }: { cardNumber: string }) => cardNumber === 'I000000012345600');
  expect(rossi).toMatchObject({ name: 'Rossi Łucja', created: true, files: 1 });
  const report = await api.send('POST', '/v1/drivers/ddd/activities_file', { driverId: rossi.driverId });
  expect(report.status).toBe(200);
  expect(report.body).toMatchObject({ from: '2026-03-02', to: '2026-03-04' });
  expect((await api.get('/v1/drivers/ddd/files?waiting=true')).body.items).toEqual([]);
  expect((await api.send('POST', '/v1/drivers/ddd/drivers', {})).body.items).toEqual([]);
});

test('the service of a driver decides which rules apply', async () => {
  const driver = (await api.send('POST', '/v1/drivers', { name: 'Coach', cardNumber: 'I000000055555500' })).body;
  // breaks of 30 and 15 minutes: enough for an occasional service with passengers alone
  const plan = [
    ['05:00', 'driving'],
    ['07:00', 'rest'],
    ['07:30', 'driving'],
    ['10:00', 'rest'],
    ['10:15', 'driving'],
    ['12:00', 'rest'],
  ] as const;
  await upload(cardFile({ number: 'I000000055555500', days: [dayOf('2026-03-03', plan)] }), 'coach.ddd');
  const rules = async () => {
    await api.send('POST', '/v1/drivers/ddd/activities_file', { driverId: driver.id });
    const { items } = (await api.get(`/v1/drivers/ddd/infringements?driver_id=${driver.id}`)).body;
    return items.map(({ rule }: { rule: string }) => rule);
  };
  expect(await rules()).toContain('B1');
  await api.send('PATCH', `/v1/drivers/${driver.id}`, { service: 'occasional-passengers' });
  expect(await rules()).not.toContain('B1');
});

test('root certificates that are configured later verify what is stored', async () => {
  const before = (await api.get('/v1/drivers/ddd/files')).body.items;
  const file = before.find(({ card }: { card: { number: string } }) => card.number === 'I000000012345600');
  expect(file.signature.verdict).toBe('unverifiable');
  await api.stop();
  api = await startApi(url, { DDD_ROOTS: [join(folder, 'root.bin')] });
  await expect
    .poll(async () => (await api.get(`/v1/drivers/ddd/files/${file.fileId}`)).body.signature.verdict, {
      timeout: 60_000,
    })
    .toBe('valid');
});

test('a file of another tenant does not wait for all files of a large archive', async () => {
  await api.send('POST', '/v1/tenants', { name: 'patient' });
  const tenantId = await api.database.tenantId('patient');
  const { key } = await createKey(api.database.ingest, { tenantId, name: 'k', scopes: SCOPES });
  const names = Array.from({ length: 60 }, (_, n) => `${n}.ddd`);
  const archive = await zipOf(Object.fromEntries(names.map((name) => [name, new Uint8Array(16_000)])), true);
  const finished: string[] = [];
  const large = upload(archive, 'large.zip').then(() => finished.push('large'));
  const fileBase64 = Buffer.from(card('I000000011122200', 'Verdi')).toString('base64');
  const small = api
    .send('POST', '/v1/drivers/ddd', { fileBase64 }, { authorization: `Bearer ${key}` })
    .then(({ status }) => finished.push(`small ${status}`));
  await Promise.all([large, small]);
  expect(finished).toEqual(['small 200', 'large']);
});

test('the list of parts of an archive has no bytes; each part is read by itself', async () => {
  const limits = { files: 10, bytes: 1_048_576 };
  const archive = await zipOf({ 'one.ddd': ONE, 'two.ddd': TWO }, true);
  const listed = await unpack(archive, limits);
  if ('problem' in listed) throw new Error(listed.detail);
  expect(listed.parts).toEqual([
    { name: 'one.ddd', entry: 0, part: null, size: ONE.length },
    { name: 'two.ddd', entry: 1, part: null, size: TWO.length },
  ]);
  expect(Buffer.from(await readPart(archive, listed.parts[1]!, limits))).toEqual(Buffer.from(TWO));
});
