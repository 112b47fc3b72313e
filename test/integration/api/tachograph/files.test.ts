import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey, SCOPES } from '../../../../src/server/index.ts';
import { API_KEY, type RunningApi, startApi } from '../../../support/api.ts';
import { dropDatabases, withDatabase } from '../../../support/databases.ts';
import { cardFile, dayOf, ordinary, unitFile } from '../../../support/tachograph.ts';

let api: RunningApi;
const authorization = `Bearer ${API_KEY}`;

beforeAll(async () => {
  api = await withDatabase((url) => startApi(url));
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
});

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const card = (number: string, date = '2026-03-02'): Uint8Array => cardFile({ number, days: [dayOf(date, ordinary)] });

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
async function answerOf(response: Response): Promise<{ status: number; body: any }> {
  return { status: response.status, body: await response.json() };
}

const sendBytes = async (bytes: Uint8Array, name = 'C.ddd') =>
  answerOf(
    await fetch(`${api.url}/v1/drivers/ddd?filename=${name}`, {
      method: 'POST',
      body: bytes,
      headers: { authorization, 'content-type': 'application/octet-stream' },
    }),
  );

async function sendForm(files: readonly (readonly [name: string, bytes: Uint8Array])[], path = '/v1/drivers/ddd') {
  const form = new FormData();
  for (const [name, bytes] of files) form.append('file', new Blob([bytes]), name);
  return answerOf(await fetch(api.url + path, { method: 'POST', body: form, headers: { authorization } }));
}

describe('an upload', () => {
  test('comes in three encodings, which are the same file', async () => {
    const bytes = card('I000000010000000');
    const first = await sendBytes(bytes, 'C_20260302.ddd');
    expect(first).toMatchObject({
      status: 200,
      body: {
        sha256: sha256(bytes),
        kind: 'driver-card',
        name: 'C_20260302.ddd',
        duplicate: false,
        status: 'waiting',
        driverId: null,
        card: { nation: 26, number: 'I000000010000000', holder: 'Żółkiewski Łucja', expiry: '2029-01-01T00:00:00Z' },
        coverage: { from: '2026-03-02', to: '2026-03-02', days: 1 },
        signature: { verdict: 'unsigned' },
      },
    });
    const json = { fileBase64: Buffer.from(bytes).toString('base64'), fileName: 'folder/again.ddd' };
    for (const again of [await sendForm([['x.ddd', bytes]]), await api.send('POST', '/v1/drivers/ddd', json)]) {
      expect(again).toMatchObject({ status: 200, body: { fileId: first.body.fileId, duplicate: true } });
    }
    const content = await fetch(`${api.url}/v1/drivers/ddd/files/${first.body.fileId}/content`, {
      headers: { authorization },
    });
    expect(content.headers.get('content-disposition')).toContain('C_20260302.ddd');
    expect(Buffer.from(await content.arrayBuffer()).equals(bytes)).toBe(true);
  });

  test('of what is no download is rejected, and nothing is kept', async () => {
    const before = (await api.get('/v1/drivers/ddd/files?limit=500')).body.items.length;
    for (const answer of [await sendBytes(Buffer.from('%PDF-1.7 nothing')), await sendBytes(new Uint8Array())]) {
      expect(answer).toMatchObject({ status: 422, body: { code: 'not-a-ddd' } });
    }
    expect((await api.send('POST', '/v1/drivers/ddd', { fileBase64: '***' })).body).toMatchObject({ status: 422 });
    expect((await api.get('/v1/drivers/ddd/files?limit=500')).body.items).toHaveLength(before);
  });

  test('of more than 10 MB is refused in each encoding', async () => {
    const large = Buffer.alloc(10 * 1024 ** 2 + 1, 0x76);
    const base64 = { fileBase64: large.toString('base64') };
    for (const answer of [
      await sendBytes(large),
      await sendForm([['x.ddd', large]]),
      await api.send('POST', '/v1/drivers/ddd', base64),
    ]) {
      expect(answer).toMatchObject({ status: 413, body: { code: 'too-large' } });
    }
  });

  test('of a folder reports each file', async () => {
    const known = card('I000000020000000');
    await sendBytes(known);
    const { status, body } = await sendForm([
      ['folder/one.ddd', card('I000000020000001', '2026-03-03')],
      ['folder/readme.txt', Buffer.from('these are files of March')],
      ['folder/known.ddd', known],
      ['folder/large.ddd', Buffer.alloc(10 * 1024 ** 2 + 1)],
      ['folder/unit.ddd', unitFile({ plate: 'FG 123 HI', now: '2026-03-04T10:00:00Z' })],
    ]);
    expect(status).toBe(200);
    expect(body.results).toMatchObject([
      { name: 'one.ddd', outcome: 'stored', file: { kind: 'driver-card' } },
      { name: 'readme.txt', outcome: 'rejected', problem: { code: 'not-a-ddd' } },
      { name: 'known.ddd', outcome: 'duplicate' },
      { name: 'large.ddd', outcome: 'rejected', problem: { code: 'too-large' } },
      { name: 'unit.ddd', outcome: 'stored', file: { kind: 'vehicle-unit', targa: 'FG123HI', status: 'stored' } },
    ]);
  });
});

describe('files of a driver that nobody knows', () => {
  test('wait until a driver is assigned, and renewed cards are assigned with them', async () => {
    const old = (await sendBytes(card('I000000030000000'))).body;
    const waiting = (await api.get('/v1/drivers/ddd/files?waiting=true&limit=500')).body.items;
    expect(waiting.map(({ fileId }: { fileId: string }) => fileId)).toContain(old.fileId);
    const driver = (await api.send('POST', '/v1/drivers', { name: 'Anna' })).body;
    const bound = await api.send('POST', '/v1/drivers/ddd/bind', { fileIds: [old.fileId], driverId: driver.id });
    expect(bound).toMatchObject({ status: 200, body: { driverId: driver.id, cards: 1 } });
    expect((await api.get(`/v1/drivers/ddd/files/${old.fileId}`)).body).toMatchObject({ driverId: driver.id });
    const renewed = await sendBytes(card('I000000030000011', '2026-03-09'));
    expect(renewed.body).toMatchObject({ driverId: driver.id });
    const strange = { fileIds: [old.fileId], driverId: 'drv_none' };
    expect((await api.send('POST', '/v1/drivers/ddd/bind', strange)).body.code).toBe('unknown-driver');
    const none = { fileIds: ['ddd_none'], driverId: driver.id };
    expect((await api.send('POST', '/v1/drivers/ddd/bind', none)).body.code).toBe('unknown-file');
  });

  test('are theirs once a driver’s record names the card, before the upload or after it', async () => {
    const after = (await sendBytes(card('I000000040000000'))).body;
    const one = (await api.send('POST', '/v1/drivers', { name: 'One', cardNumber: 'i0000 0004 0000 000' })).body;
    expect((await api.get(`/v1/drivers/ddd/files/${after.fileId}`)).body).toMatchObject({ driverId: one.id });
    const two = (await api.send('POST', '/v1/drivers', { name: 'Two', cardNumber: 'I000000050000000' })).body;
    expect((await sendBytes(card('I000000050000022'))).body).toMatchObject({ driverId: two.id });
  });
});

test('another tenant sees none of it, and may upload the same bytes', async () => {
  const bytes = card('I000000060000000');
  const mine = (await sendBytes(bytes)).body;
  const tenantId = await api.database.tenantId('other');
  const { key } = await createKey(api.database.ingest, { tenantId, name: 'all', scopes: SCOPES });
  const asOther = { authorization: `Bearer ${key}` };
  expect((await api.get('/v1/drivers/ddd/files', asOther)).body.items).toEqual([]);
  for (const path of ['', '/content']) {
    expect((await api.get(`/v1/drivers/ddd/files/${mine.fileId}${path}`, asOther)).body.code).toBe('unknown-file');
  }
  const json = { fileBase64: Buffer.from(bytes).toString('base64') };
  const theirs = await api.send('POST', '/v1/drivers/ddd', json, asOther);
  expect(theirs.body).toMatchObject({ duplicate: false });
  expect(theirs.body.fileId).not.toBe(mine.fileId);
});

test('a file that is removed is gone, and who removed it is written down', async () => {
  const { fileId } = (await sendBytes(card('I000000070000000'))).body;
  expect((await api.send('DELETE', `/v1/drivers/ddd/files/${fileId}`)).status).toBe(200);
  expect((await api.get(`/v1/drivers/ddd/files/${fileId}`)).body.code).toBe('unknown-file');
  const { items } = (await api.get(`/v1/audit?object=${fileId}`)).body;
  expect(items.map(({ action }: { action: string }) => action)).toEqual([
    'POST /v1/drivers/ddd',
    'DELETE /v1/drivers/ddd/files/:id',
  ]);
});
