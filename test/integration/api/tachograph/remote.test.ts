import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { AppError } from '../../../../src/platform/errors.ts';
import type { Files } from '../../../../src/server/tachograph/files/service.ts';
import { createRemoteDownloads, type RequestFile } from '../../../../src/server/tachograph/remote/index.ts';
import { type RunningApi, silent, startApi } from '../../../support/api.ts';
import { dropDatabases, withDatabase } from '../../../support/databases.ts';
import { cardFile, datesFrom, dayOf, ordinary, secondsOf, unitFile } from '../../../support/tachograph.ts';

const PATH = '/v1/drivers/ddd/remote';
const IMEI = '352054058132185';
const HOUR = 3_600_000;

let api: RunningApi;
let driverId: string;
let now = Date.parse('2026-03-20T12:00:00Z');
let requested: Parameters<RequestFile>[0][] = [];
let refusal: AppError | undefined;
let seq = 0;

beforeAll(async () => {
  api = await withDatabase((url) => startApi(url));
  driverId = (await api.send('POST', '/v1/drivers', { name: 'Łucja', cardNumber: 'I000000012345600' })).body.id;
  await api.send('POST', '/v1/vehicles', { targa: 'AB123CD' });
  await api.send('POST', '/v1/devices', { imei: IMEI });
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
});
beforeEach(() => {
  requested = [];
  refusal = undefined;
});

const requestFile: RequestFile = async (request) => {
  if (refusal !== undefined) throw refusal;
  requested.push(request);
  return `cmd_${requested.length}`;
};
/** The downloads of the API itself are started; these have a clock of the test and no loop. */
const remoteDeps = () => ({
  ingest: api.database.ingest,
  files: { addAll: async () => [] } as unknown as Files,
  clock: { now: () => now, monotonic: () => 0 },
  log: silent,
  requestFile,
  everyMs: HOUR,
  timeoutMs: HOUR,
  retryMs: 6 * HOUR,
});
const remote = () => createRemoteDownloads(remoteDeps());

const listed = async () => (await api.get(PATH)).body.items;

const sendFile = (name: string, bytes: Uint8Array): Promise<void> =>
  sendPieces(name, bytes, Math.ceil(bytes.length / 2));

/** In pieces of that size, from that byte on; with `most`, the transfer ends after so many. */
async function sendPieces(
  name: string,
  bytes: Uint8Array,
  size: number,
  { most = Number.POSITIVE_INFINITY, from = 0 }: { readonly most?: number; readonly from?: number } = {},
): Promise<void> {
  const count = Math.ceil((bytes.length - from) / size);
  const pieces = Array.from({ length: Math.min(count, most) }, (_, n) => ({
    type: 'file',
    seq: ++seq,
    at: now,
    imei: IMEI,
    conn: 'c1',
    name,
    media: 'other',
    offset: from + n * size,
    bytes: Buffer.from(bytes.subarray(from + n * size, from + (n + 1) * size)).toString('base64'),
    ...(n === count - 1 && { last: true }),
  }));
  expect((await api.events(pieces)).status).toBe(200);
}

test('a schedule belongs to a driver or a vehicle, and is replaced', async () => {
  const first = (await api.send('PUT', PATH, { driverId, everyDays: 21 })).body;
  expect(first).toMatchObject({
    driverId,
    targa: null,
    everyDays: 21,
    state: 'waiting',
    status: 'never',
    nextAt: null,
  });
  expect((await api.send('PUT', PATH, { driverId, everyDays: 14 })).body).toMatchObject({
    id: first.id,
    everyDays: 14,
  });
  const unit = (await api.send('PUT', PATH, { targa: 'ab 123 cd', everyDays: 80 })).body;
  expect(unit).toMatchObject({ driverId: null, targa: 'AB123CD', everyDays: 80 });
  expect((await listed()).map(({ id }: { id: string }) => id)).toEqual([first.id, unit.id]);
  for (const [body, status] of [
    [{ driverId, everyDays: 29 }, 422],
    [{ targa: 'AB123CD', everyDays: 91 }, 422],
    [{ driverId, targa: 'AB123CD', everyDays: 7 }, 422],
    [{ everyDays: 7 }, 422],
    [{ driverId: 'drv_missing', everyDays: 7 }, 404],
    [{ targa: 'ZZ999ZZ', everyDays: 7 }, 404],
  ] as const) {
    expect((await api.send('PUT', PATH, body)).status).toBe(status);
  }
  expect((await api.send('DELETE', `${PATH}/${unit.id}`)).status).toBe(200);
  expect((await api.send('DELETE', `${PATH}/${unit.id}`)).body.code).toBe('unknown-schedule');
});

test('without a device, with a refusal and without a file a request fails, and is repeated hours later', async () => {
  await remote().run();
  expect(await listed()).toMatchObject([{ state: 'failed', error: 'no-device', imei: null }]);
  await api.send('POST', '/v1/pairings', { targa: 'AB123CD', imei: IMEI, from: '2026-03-01T00:00:00Z' });
  await api.send('POST', '/v1/pairings', { targa: 'AB123CD', driverId, from: '2026-03-01T00:00:00Z' });
  now += 5 * HOUR;
  await remote().run();
  expect(await listed()).toMatchObject([{ error: 'no-device' }]);
  now += HOUR;
  refusal = new AppError('unsupported-by-protocol');
  await remote().run();
  expect(await listed()).toMatchObject([{ state: 'failed', error: 'unsupported-by-protocol' }]);
  refusal = undefined;
  now += 6 * HOUR;
  await remote().run();
  expect(requested).toMatchObject([{ imei: IMEI, type: 'requestTachographFile' }]);
  expect(await listed()).toMatchObject([{ state: 'requested', imei: IMEI, commandId: 'cmd_1', error: null }]);
  now += HOUR;
  await remote().run();
  expect(await listed()).toMatchObject([{ state: 'failed', error: 'no-file' }]);
  const [{ id }] = await listed();
  const { rows } = await api.database.ingest.query('select tenant_id as "tenantId" from ddd_schedule');
  await remote().request(rows[0].tenantId, id);
  await expect(remote().request(rows[0].tenantId, id)).rejects.toMatchObject({ code: 'conflict' });
  expect(requested).toHaveLength(2);
});

test('files of devices are archived with their owner, other files are not', async () => {
  await api.send('PUT', PATH, { targa: 'AB123CD', everyDays: 80 });
  await sendFile('picture.jpg', new Uint8Array([1, 2]));
  await sendFile('other.ddd', new TextEncoder().encode('no download'));
  const card = cardFile({
    number: 'I000000012345600',
    days: datesFrom('2026-03-16', 3).map((date) => dayOf(date, ordinary)),
    lastDownload: secondsOf('2026-03-20T06:00:00Z'),
  });
  await sendFile('card.ddd', card);
  await sendFile('unit.DDD', unitFile({ plate: 'AB123CD', now: '2026-03-20T06:00:00Z' }));
  await api.api.downloadRemotely();
  const { items } = (await api.get('/v1/drivers/ddd/files')).body;
  expect(items.map(({ name, kind }: Record<string, string>) => [name, kind])).toEqual([
    ['card.ddd', 'driver-card'],
    ['unit.DDD', 'vehicle-unit'],
  ]);
  const { rows } = await api.database.ingest.query(
    'select f.name, a.outcome, a.code from ddd_device_file a join device_file f on f.id = a.device_file_id order by f.id',
  );
  expect(rows).toEqual([
    { name: 'other.ddd', outcome: 'rejected', code: 'not-a-ddd' },
    { name: 'card.ddd', outcome: 'stored', code: null },
    { name: 'unit.DDD', outcome: 'stored', code: null },
  ]);
  expect(await listed()).toMatchObject([
    { driverId, state: 'received', fileId: items[0].fileId, downloadedAt: '2026-03-20T06:00:00Z' },
    { targa: 'AB123CD', state: 'received', fileId: items[1].fileId },
  ]);
  const { items: vehicles } = (await api.get('/v1/vehicles/ddd/me')).body;
  expect(vehicles).toMatchObject([{ targa: 'AB123CD', remote: { everyDays: 80, state: 'received' } }]);
});

test('what is due although a file has come is requested again, hours later', async () => {
  now = Date.now() + 5 * HOUR;
  await remote().run();
  expect(requested).toEqual([]);
  now += 2 * HOUR;
  await remote().run();
  expect(requested).toHaveLength(2);
});

test('a request fails when the device sends what cannot be used, and a whole file ends it', async () => {
  const states = async () =>
    (await listed()).map(({ state, error }: { state: string; error: string | null }) => [state, error]);
  expect(await states()).toEqual([
    ['requested', null],
    ['requested', null],
  ]);
  await sendFile('noise.ddd', new TextEncoder().encode('no download'));
  await api.api.downloadRemotely();
  expect(await states()).toEqual([
    ['failed', 'not-a-ddd'],
    ['failed', 'not-a-ddd'],
  ]);
  now += 6 * HOUR;
  await remote().run();
  const card = cardFile({
    number: 'I000000012345600',
    days: datesFrom('2026-03-16', 4).map((date) => dayOf(date, ordinary)),
    lastDownload: secondsOf('2026-03-20T07:00:00Z'),
  });
  await sendFile('cut.ddd', card.subarray(0, 9_000));
  await api.api.downloadRemotely();
  expect(await states()).toEqual([
    ['failed', 'incomplete-file'],
    ['requested', null],
  ]);
  await sendFile('whole.ddd', card);
  await api.api.downloadRemotely();
  expect(await states()).toEqual([
    ['received', null],
    ['requested', null],
  ]);
});

test('a file that a device sends again under its name replaces the one before, and is not used until it is whole', async () => {
  const card = cardFile({
    number: 'I000000012345600',
    days: datesFrom('2026-03-16', 5).map((date) => dayOf(date, ordinary)),
    lastDownload: secondsOf('2026-03-21T07:00:00Z'),
  });
  await sendFile('again.ddd', new Uint8Array(card.length + 5_000).fill(7));
  await api.api.downloadRemotely();
  await sendPieces('again.ddd', card, 512, { most: 20 });
  await api.api.downloadRemotely();
  const named = async () =>
    (await api.get('/v1/drivers/ddd/files')).body.items.filter(({ name }: { name: string }) => name === 'again.ddd');
  expect(await named()).toEqual([]);
  await sendPieces('again.ddd', card, 600);
  await api.api.downloadRemotely();
  expect(await named()).toMatchObject([{ size: card.length, incomplete: false, downloadedAt: '2026-03-21T07:00:00Z' }]);
});

test('a transfer that goes on within a piece, or repeats a part of one, leaves a whole file', async () => {
  const card = cardFile({
    number: 'I000000012345600',
    days: datesFrom('2026-03-16', 6).map((date) => dayOf(date, ordinary)),
    lastDownload: secondsOf('2026-03-22T07:00:00Z'),
  });
  await sendPieces('resumed.ddd', card, 1_000, { most: 5 });
  await sendPieces('resumed.ddd', card, 300, { most: 1, from: 1_200 });
  await sendPieces('resumed.ddd', card, 600, { from: 4_500 });
  await api.api.downloadRemotely();
  const { items } = (await api.get('/v1/drivers/ddd/files')).body;
  expect(items.find(({ name }: { name: string }) => name === 'resumed.ddd')).toMatchObject({
    size: card.length,
    incomplete: false,
    downloadedAt: '2026-03-22T07:00:00Z',
  });
});

/** Cards of one size, each downloaded at another hour. */
const downloadAt = (hour: string) =>
  cardFile({
    number: 'I000000012345600',
    days: datesFrom('2026-03-16', 7).map((date) => dayOf(date, ordinary)),
    lastDownload: secondsOf(`2026-03-22T${hour}:00:00Z`),
  });
const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const archived = async (name: string): Promise<string[]> =>
  (await api.get('/v1/drivers/ddd/files')).body.items
    .filter((file: { name: string }) => file.name === name)
    .map(({ sha256 }: { sha256: string }) => sha256);

test('other content of the same name and size is archived beside the first, the same content once', async () => {
  const [first, second] = [downloadAt('08'), downloadAt('09')];
  expect(first.length).toBe(second.length);
  const both = [digest(first), digest(second)];
  for (const [bytes, expected] of [
    [first, [digest(first)]],
    [second, both],
    [second, both],
    [first, both],
  ] as const) {
    await sendFile('driver.ddd', bytes);
    await api.api.downloadRemotely();
    expect(await archived('driver.ddd')).toEqual(expected);
  }
});

test('what comes before the one of its name is archived does not replace it', async () => {
  const [first, second, third] = [downloadAt('10'), downloadAt('11'), downloadAt('12')];
  await sendFile('fast.ddd', first);
  await sendFile('fast.ddd', second);
  await sendPieces('fast.ddd', third, 4_000, { most: 1 });
  await api.api.downloadRemotely();
  expect(await archived('fast.ddd')).toEqual([digest(first), digest(second)]);
  await sendPieces('fast.ddd', third, 4_000);
  await api.api.downloadRemotely();
  expect(await archived('fast.ddd')).toEqual([digest(first), digest(second), digest(third)]);
});

test('a file that is sent again while the archive fails is archived as it was and as it is', async () => {
  const [first, second] = [downloadAt('13'), downloadAt('14')];
  await sendFile('fault.ddd', first);
  // the archive has claimed the file, and the process ends before it is stored
  const broken = createRemoteDownloads({
    ...remoteDeps(),
    files: {
      addAll: async () => {
        await sendFile('fault.ddd', second);
        throw new Error('the process ends');
      },
    } as unknown as Files,
  });
  await expect(broken.run()).rejects.toThrow('the process ends');
  await api.api.downloadRemotely();
  expect(await archived('fault.ddd')).toEqual([digest(second)]);
  // what was claimed is claimed again when the claim is old
  await api.database.ingest.query(
    `update ddd_device_file set at = now() - interval '11 minutes' where outcome = 'running'`,
  );
  await api.api.downloadRemotely();
  expect((await archived('fault.ddd')).sort()).toEqual([digest(first), digest(second)].sort());
});
