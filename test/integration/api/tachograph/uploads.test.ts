import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Files } from '../../../../src/server/tachograph/files/service.ts';
import { createUploads } from '../../../../src/server/tachograph/uploads/index.ts';
import { API_KEY, type RunningApi, silent, startApi } from '../../../support/api.ts';
import { dropDatabases, withDatabase } from '../../../support/databases.ts';
import { type EventStream, type HeardEvent, openEvents } from '../../../support/events.ts';
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

const uploadsOf = (files: Files) =>
  createUploads({
    pool: api.database.app,
    ingest: api.database.ingest,
    files,
    clock: { now: Date.now, monotonic: () => 0 },
    log: silent,
    most: 1,
  });
const incoming = { name: 'a.ddd', bytes: async () => new Uint8Array() };
const filesOf = (discard: () => Promise<void>) => ({
  files: [incoming, incoming],
  fields: {},
  isSingle: false,
  discard,
});

async function signIn(username: string, role: string): Promise<string> {
  const password = `a long word for ${username}`;
  await api.send('POST', '/v1/users', { username, role, password });
  const { body } = await api.send('POST', '/v1/auth/credentials', { username, password });
  return `Bearer ${body.accessToken}`;
}

async function upload(
  files: readonly (readonly [name: string, bytes: Uint8Array])[],
  key?: string,
  authorization = `Bearer ${API_KEY}`,
) {
  const form = new FormData();
  for (const [name, bytes] of files) form.append('file', new Blob([new Uint8Array(bytes)]), name);
  const response = await fetch(`${api.url}/v1/drivers/ddd?background=true`, {
    method: 'POST',
    headers: { authorization, ...(key !== undefined && { 'idempotency-key': key }) },
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
    ['cut.ddd', card('I000000099999900').subarray(0, 9_000)],
  ] as const;
  const { status, body } = await upload(files, 'k1');
  expect({ status, body }).toMatchObject({ status: 200, body: { state: 'running', files: 5, done: 0, results: [] } });
  const path = `/v1/drivers/ddd/uploads/${body['uploadId']}`;
  const done = await vi.waitFor(
    async () => {
      const { body: now } = await api.get(path);
      expect(now.state).not.toBe('running');
      return now;
    },
    { timeout: 60_000, interval: 50 },
  );
  expect(done).toMatchObject({ state: 'done', files: 5, done: 5 });
  expect(done.results).toMatchObject([
    { name: 'one.ddd', outcome: 'stored' },
    { name: 'letter.pdf', outcome: 'rejected', fileId: null, problem: { code: 'not-a-ddd' } },
    { name: 'again.ddd', outcome: 'duplicate', fileId: done.results[0].fileId },
    { name: 'two.ddd', outcome: 'stored', incomplete: false, warnings: [] },
    { name: 'cut.ddd', outcome: 'stored', incomplete: true, warnings: [{ code: expect.any(String) }] },
  ]);
  const stored = (await api.get('/v1/drivers/ddd/files')).body.items.map(({ fileId }: { fileId: string }) => fileId);
  expect(stored).toEqual([0, 3, 4].map((index) => done.results[index].fileId));
  expect((await upload(files, 'k1')).body['uploadId']).toBe(body['uploadId']);
  const { rows } = await api.database.ingest.query('select id from ddd_upload');
  expect(rows).toEqual([{ id: body['uploadId'] }]);
  expect((await api.get('/v1/drivers/ddd/uploads/upl_missing')).body.code).toBe('unknown-upload');
});

const authorization = `Bearer ${API_KEY}`;

/** A stream begins at the oldest open transaction: events of an upload that has just ended may come first. */
async function nextOf(stream: EventStream, wanted: { uploadId: string; state: string }): Promise<HeardEvent> {
  const event = await stream.next();
  const isWanted = event.data.uploadId === wanted.uploadId && event.data.state === wanted.state;
  return isWanted ? event : nextOf(stream, wanted);
}

test('events report the result of each file, without loss after an interruption', async () => {
  const url = `${api.url}/v1/events?types=upload`;
  const stream = await openEvents(url, { authorization });
  const files = [
    ['a.ddd', card('I000000055555500')],
    ['note.txt', new TextEncoder().encode('no download')],
  ] as const;
  const { body } = await upload(files);
  const { uploadId } = body;
  const begun = await nextOf(stream, { uploadId: uploadId!, state: 'running' });
  expect(begun).toMatchObject({
    event: 'upload',
    data: { uploadId, state: 'running', files: 2, done: 0, results: [] },
  });
  stream.close();
  const again = await openEvents(url, { authorization, 'last-event-id': begun.id });
  const first = await again.next();
  expect(first.data).toMatchObject({ uploadId, state: 'running', done: 1, results: [{ outcome: 'stored' }] });
  expect(await again.next()).toMatchObject({
    data: { state: 'running', done: 2, results: [{ name: 'note.txt', problem: { code: 'not-a-ddd' } }] },
  });
  expect(await again.next()).toMatchObject({ data: { uploadId, state: 'done', done: 2, results: [] } });
  again.close();
  expect((await api.get(`/v1/drivers/ddd/uploads/${uploadId}`)).body.results[0]).toEqual(first.data.results[0]);
});

test('an upload whose server has ended fails, which is an event too', async () => {
  const files = { addAll: () => new Promise<never>(() => {}) } as unknown as Files;
  const uploads = uploadsOf(files);
  const tenantId = await api.database.tenantId('default');
  const { id } = await uploads.begin(
    tenantId,
    'key',
    filesOf(async () => {}),
  );
  expect(await uploads.failStale()).toBe(0);
  const stream = await openEvents(`${api.url}/v1/events?types=upload`, { authorization });
  await api.database.ingest.query(`update ddd_upload set seen_at = now() - interval '2 minutes' where id = $1`, [id]);
  expect(await uploads.failStale()).toBe(1);
  // its beginning may come first
  const failed = await nextOf(stream, { uploadId: id, state: 'failed' });
  expect(failed).toMatchObject({ event: 'upload', data: { done: 0, results: [] } });
  stream.close();
});

test('events of uploads need the scope of uploads, and a user receives those of their own', async () => {
  const [manager, other, viewer] = await Promise.all([
    signIn('one-manager', 'manager'),
    signIn('other-manager', 'manager'),
    signIn('a-viewer', 'viewer'),
  ]);
  const url = `${api.url}/v1/events?types=upload`;
  await expect(openEvents(url, { authorization: viewer })).rejects.toThrow('403');
  const own = await openEvents(url, { authorization: manager });
  const others = await openEvents(url, { authorization: other });
  await upload([['b.ddd', card('I000000066666600')]]);
  const mine = await upload([['c.ddd', card('I000000077777700')]], undefined, manager);
  const theirs = await upload([['d.ddd', card('I000000088888800')]], undefined, other);
  expect((await own.next()).data.uploadId).toBe(mine.body['uploadId']);
  expect((await others.next()).data.uploadId).toBe(theirs.body['uploadId']);
  own.close();
  others.close();
});

test('further uploads are refused at the limit, and one that is interrupted has failed and leaves no files behind', async () => {
  let go = (): void => {};
  const released = new Promise<void>((resolve) => {
    go = resolve;
  });
  const files = { addAll: () => released.then(() => []) } as unknown as Files;
  const tenantId = await api.database.tenantId('default');
  const uploads = uploadsOf(files);
  const discard = vi.fn(async () => {});
  const two = filesOf(discard);
  const { id } = await uploads.begin(tenantId, 'key', two);
  await expect(uploads.begin(tenantId, 'key', two)).rejects.toMatchObject({ code: 'too-many-uploads' });
  const closed = uploads.close();
  go();
  await closed;
  expect(await uploads.find(tenantId, id)).toMatchObject({ state: 'failed', files: 2, done: 1 });
  expect(discard).toHaveBeenCalledTimes(1);
});
