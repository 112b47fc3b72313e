import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import yazl from 'yazl';
import { type RunningApi, startApi } from '../../../support/api.ts';
import { dropDatabases, withDatabase } from '../../../support/databases.ts';
import { runUntilKilled } from '../../../support/run-until-killed.ts';
import { cardFile, datesFrom, dayOf, ordinary, secondsOf } from '../../../support/tachograph.ts';

const IMEI = '352054058132185';
const DAY = 86_400_000;
const FILES = '/v1/drivers/ddd/files';

let api: RunningApi;
let url: string;
let driverId: string;
let now: number;
let seq = 0;
let cards = 0;

beforeAll(async () => {
  api = await withDatabase((databaseUrl) => {
    url = databaseUrl;
    return startApi(
      databaseUrl,
      { DDD_RETENTION_DAYS: 400, DEVICE_FILE_RETENTION_DAYS: 30 },
      { clock: { now: () => now, monotonic: () => performance.now() } },
    );
  });
});
beforeAll(async () => {
  now = Date.now();
  await api.send('POST', '/v1/devices', { imei: IMEI });
  driverId = (await api.send('POST', '/v1/drivers', { name: 'Ugo', cardNumber: 'I000000012345600' })).body.id;
  // the only round of the API itself, some seconds after its start: from now on tests say when files are archived
  await sendPiece('first.ddd', nextCard());
  await vi.waitFor(async () => expect(await archived('first.ddd')).toHaveLength(1), { timeout: 60_000, interval: 50 });
  now += 2 * DAY;
  // a file is in the archive a moment before its pieces are done with
  const done = async () => {
    await houseKeep();
    expect(await kept()).toEqual([]);
  };
  await vi.waitFor(done, { timeout: 30_000, interval: 100 });
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
});
beforeEach(() => {
  now = Date.now();
});

/** Another card file each time. */
const nextCard = (): Uint8Array =>
  cardFile({
    number: 'I000000012345600',
    days: datesFrom('2026-03-02', 3).map((date) => dayOf(date, ordinary)),
    lastDownload: secondsOf('2026-03-05T06:00:00Z') + 60 * ++cards,
  });

interface Piece {
  readonly media?: string;
  readonly offset?: number;
  readonly last?: boolean;
  readonly at?: number;
}

async function sendPiece(
  name: string,
  bytes: Uint8Array,
  { media = 'other', offset = 0, last = true, at = now }: Piece = {},
): Promise<void> {
  const piece = { type: 'file', seq: ++seq, at, imei: IMEI, conn: 'c1', name, media, offset, ...(last && { last }) };
  expect((await api.events([{ ...piece, bytes: Buffer.from(bytes).toString('base64') }])).status).toBe(200);
}

async function zipOf(files: Readonly<Record<string, Uint8Array>>): Promise<Uint8Array> {
  const zip = new yazl.ZipFile();
  for (const [name, bytes] of Object.entries(files)) zip.addBuffer(Buffer.from(bytes), name);
  zip.end();
  return buffer(zip.outputStream);
}

const sql = async (text: string, values: unknown[] = []) => (await api.database.ingest.query(text, values)).rows;
/** Names of the files of the device of which the database has bytes. */
const kept = async (): Promise<string[]> =>
  (await sql('select distinct f.name from device_file f join file_chunk c on c.file_id = f.id order by 1')).map(
    ({ name }) => name,
  );
const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const archived = async (name: string): Promise<{ fileId: string; sha256: string }[]> =>
  (await api.get(FILES)).body.items.filter((file: { name: string }) => file.name === name);
const digests = async (name: string): Promise<string[]> => (await archived(name)).map(({ sha256 }) => sha256);
const houseKeep = (): Promise<void> => api.api.housekeeping.run();

test('the copy of an archived file goes after a day, and comes back with the file', async () => {
  const card = nextCard();
  await sendPiece('card.ddd', card);
  await houseKeep();
  expect(await kept()).toEqual(['card.ddd']);
  await api.api.downloadRemotely();
  now += DAY - 60_000;
  await houseKeep();
  expect(await kept()).toEqual(['card.ddd']);
  now += 120_000;
  await houseKeep();
  expect(await kept()).toEqual([]);
  expect(await digests('card.ddd')).toEqual([digest(card)]);
  now = Date.now();
  await sendPiece('card.ddd', card);
  await api.api.downloadRemotely();
  expect(await digests('card.ddd')).toEqual([digest(card)]);
  now += 2 * DAY;
  await houseKeep();
  expect(await kept()).toEqual([]);
});

test('a file that the archive has not read yet stays, however old it is', async () => {
  const card = nextCard();
  await sendPiece('unread.ddd', card);
  now += 1_000 * DAY;
  await houseKeep();
  expect(await kept()).toEqual(['unread.ddd']);
  now = Date.now();
  await api.api.downloadRemotely();
  expect(await digests('unread.ddd')).toEqual([digest(card)]);
  now += 2 * DAY;
  await houseKeep();
  expect(await kept()).toEqual([]);
});

test('what has changed since it was archived is archived again before it goes', async () => {
  const [first, second] = [nextCard(), nextCard()];
  await sendPiece('changed.ddd', first);
  await api.api.downloadRemotely();
  // the rest of the other file, without its last piece
  await sendPiece('changed.ddd', second.subarray(1), { offset: 1, last: false });
  now += 2 * DAY;
  await houseKeep();
  expect(await kept()).toEqual(['changed.ddd']);
  await api.api.downloadRemotely();
  expect(await digests('changed.ddd')).toEqual([digest(first), digest(second)]);
  now += 2 * DAY;
  await houseKeep();
  expect(await kept()).toEqual([]);
});

test('a copy goes with the archived file: when that is deleted, and when its driver is erased', async () => {
  const [first, second] = [nextCard(), nextCard()];
  await sendPiece('deleted.ddd', first);
  await sendPiece('erased.ddd', second);
  await api.api.downloadRemotely();
  const [file] = await archived('deleted.ddd');
  expect((await api.send('DELETE', `${FILES}/${file!.fileId}`)).status).toBe(200);
  await houseKeep();
  expect(await kept()).toEqual(['erased.ddd']);
  // what the law demands to be kept stays for a year
  await sql(
    `update ddd_file set uploaded_at = now() - interval '13 months', downloaded_at = now() - interval '13 months'
     where name = 'erased.ddd'`,
  );
  expect((await api.send('DELETE', `/v1/drivers/${driverId}/personal_data`)).status).toBe(200);
  await houseKeep();
  expect(await kept()).toEqual([]);
  await api.api.downloadRemotely();
  expect([...(await archived('deleted.ddd')), ...(await archived('erased.ddd'))]).toEqual([]);
});

test('archives of several downloads stay while the tachograph archive does not have all of them', async () => {
  const [first, second] = [nextCard(), nextCard()];
  await sendPiece('whole.ddd', await zipOf({ 'a.ddd': first, 'b.ddd': second }));
  await sendPiece('part.ddd', await zipOf({ 'bad.ddd': new TextEncoder().encode('no download'), 'c.ddd': nextCard() }));
  await api.api.downloadRemotely();
  expect(await digests('a.ddd')).toEqual([digest(first)]);
  expect(await digests('b.ddd')).toEqual([digest(second)]);
  expect(await archived('c.ddd')).toHaveLength(1);
  now += 2 * DAY;
  await houseKeep();
  expect(await kept()).toEqual(['part.ddd']);
  now += 400 * DAY;
  await houseKeep();
  expect(await kept()).toEqual([]);
});

test('rejected and unfinished tachograph files are kept as those of the archive, other files as the setting says', async () => {
  const at = now - 29 * DAY;
  await sendPiece('rejected.ddd', new TextEncoder().encode('no download'), { at });
  await sendPiece('half.ddd', nextCard().subarray(0, 5_000), { last: false, at });
  await sendPiece('picture', new Uint8Array([1, 2]), { media: 'image', at });
  await sendPiece('clip.ddd', new Uint8Array([3, 4]), { media: 'video', at });
  await sendPiece('log.txt', new Uint8Array([5, 6]), { at });
  await sendPiece('log.txt', new Uint8Array([5, 6]));
  await api.api.downloadRemotely();
  await houseKeep();
  expect(await kept()).toEqual(['clip.ddd', 'half.ddd', 'log.txt', 'picture', 'rejected.ddd']);
  now += 2 * DAY;
  await houseKeep();
  // by its last piece
  expect(await kept()).toEqual(['half.ddd', 'log.txt', 'rejected.ddd']);
  now += 30 * DAY;
  await houseKeep();
  expect(await kept()).toEqual(['half.ddd', 'rejected.ddd']);
  now += 340 * DAY;
  await houseKeep();
  expect(await kept()).toEqual([]);
});

test('copies that were archived by a version that did not note their hash', async () => {
  const [held, gone, other] = [nextCard(), nextCard(), nextCard()];
  await sendPiece('held.ddd', held);
  await sendPiece('gone.ddd', gone);
  await sendPiece('other.ddd', other);
  await api.api.downloadRemotely();
  await sql('update ddd_device_file set sha256 = null');
  await sql(`delete from ddd_file where name = 'gone.ddd'`);
  // as the second download of an archive: the file that it names has another hash
  await sql(`update ddd_file set sha256 = sha256('x') where name = 'other.ddd'`);
  now += 2 * DAY;
  await houseKeep();
  expect(await kept()).toEqual(['other.ddd']);
  await api.api.downloadRemotely();
  expect(await archived('gone.ddd')).toEqual([]);
  expect(await digests('other.ddd')).toContain(digest(other));
  now += 2 * DAY;
  await houseKeep();
  expect(await kept()).toEqual([]);
});

test('a process that is killed between archiving and removal loses nothing and leaves nothing', async () => {
  const card = nextCard();
  await sendPiece('killed.ddd', card);
  await runUntilKilled('archive', url, 'archived');
  expect(await digests('killed.ddd')).toEqual([digest(card)]);
  now += 2 * DAY;
  await houseKeep();
  // nobody has noted that it was archived
  expect(await kept()).toEqual(['killed.ddd']);
  // the lease ends
  await sql(`update ddd_device_file set at = now() where outcome = 'running'`);
  await api.api.downloadRemotely();
  expect(await digests('killed.ddd')).toEqual([digest(card)]);
  await sql(`update ddd_device_file set at = now()`);
  await runUntilKilled('archive', url, 'removed');
  expect(await kept()).toEqual(['killed.ddd']);
  now += 2 * DAY;
  await houseKeep();
  expect(await kept()).toEqual([]);
  const [file] = await archived('killed.ddd');
  const stored = await sql('select bytes from ddd_content where file_id = $1', [file!.fileId]);
  expect(digest(stored[0]!['bytes'])).toBe(digest(card));
});
