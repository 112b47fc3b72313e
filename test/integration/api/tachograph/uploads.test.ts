import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Files } from '../../../../src/api/tachograph/files/service.ts';
import { createUploads } from '../../../../src/api/tachograph/uploads/index.ts';
import { API_KEY, type RunningApi, silent, startApi } from '../../../support/api.ts';
import { dropDatabases, withDatabase } from '../../../support/databases.ts';
import { cardFile, datesFrom, dayOf, ordinary, secondsOf } from '../../../support/tachograph.ts';

let api: RunningApi;

beforeAll(async () => {
  api = await withDatabase((url) => startApi(url));
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
});

const card = (number: string): Uint8Array =>
  cardFile({
    number,
    days: datesFrom('2026-03-02', 3).map((date) => dayOf(date, ordinary)),
    lastDownload: secondsOf('2026-03-05T20:00:00Z'),
  });

async function upload(files: readonly (readonly [name: string, bytes: Uint8Array])[], key?: string) {
  const form = new FormData();
  for (const [name, bytes] of files) form.append('file', new Blob([new Uint8Array(bytes)]), name);
  const response = await fetch(`${api.url}/v1/drivers/ddd?background=true`, {
    method: 'POST',
    headers: { authorization: `Bearer ${API_KEY}`, ...(key !== undefined && { 'idempotency-key': key }) },
    body: form,
  });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

test('an upload in the background answers at once, and lists each file in its order', async () => {
  const files = [
    ['one.ddd', card('I000000012345600')],
    ['letter.pdf', new TextEncoder().encode('%PDF-1.7')],
    ['again.ddd', card('I000000012345600')],
    ['two.ddd', card('I000000099999900')],
  ] as const;
  const { status, body } = await upload(files, 'k1');
  expect({ status, body }).toMatchObject({ status: 200, body: { state: 'running', files: 4, done: 0, results: [] } });
  const path = `/v1/drivers/ddd/uploads/${body['uploadId']}`;
  const done = await vi.waitFor(
    async () => {
      const { body: now } = await api.get(path);
      expect(now.state).not.toBe('running');
      return now;
    },
    { timeout: 60_000, interval: 50 },
  );
  expect(done).toMatchObject({ state: 'done', files: 4, done: 4 });
  expect(done.results).toMatchObject([
    { name: 'one.ddd', outcome: 'stored' },
    { name: 'letter.pdf', outcome: 'rejected', fileId: null, problem: { code: 'not-a-ddd' } },
    { name: 'again.ddd', outcome: 'duplicate', fileId: done.results[0].fileId },
    { name: 'two.ddd', outcome: 'stored' },
  ]);
  const stored = (await api.get('/v1/drivers/ddd/files')).body.items.map(({ fileId }: { fileId: string }) => fileId);
  expect(stored).toEqual([done.results[0].fileId, done.results[3].fileId]);
  expect((await upload(files, 'k1')).body['uploadId']).toBe(body['uploadId']);
  expect((await api.get('/v1/drivers/ddd/uploads/upl_missing')).body.code).toBe('unknown-upload');
});

test('further uploads are refused at the limit, and one that is interrupted has failed and leaves no files behind', async () => {
  let go = (): void => {};
  const released = new Promise<void>((resolve) => {
    go = resolve;
  });
  const files = { addAll: () => released.then(() => []) } as unknown as Files;
  const tenantId = await api.database.tenantId('default');
  const deps = { pool: api.database.app, files, clock: { now: Date.now, monotonic: () => 0 }, log: silent, most: 1 };
  const uploads = createUploads(deps);
  const discard = vi.fn(async () => {});
  const incoming = { name: 'a.ddd', bytes: async () => new Uint8Array() };
  const two = { files: [incoming, incoming], fields: {}, isSingle: false, discard };
  const { id } = await uploads.begin(tenantId, 'key', two);
  await expect(uploads.begin(tenantId, 'key', two)).rejects.toMatchObject({ code: 'too-many-uploads' });
  const closed = uploads.close();
  go();
  await closed;
  expect(await uploads.find(tenantId, id)).toMatchObject({ state: 'failed', files: 2, done: 1 });
  expect(discard).toHaveBeenCalledTimes(1);
});
