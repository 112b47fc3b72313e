import { appendFile, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inspectSpool, operate, SetAsideFull, type Spool } from '../../../src/gateway/spool/index.ts';
import { makeFolders } from '../../../src/gateway/spool/recover.ts';
import { SetAside, type SetAsideOptions } from '../../../src/gateway/spool/set-aside.ts';
import { showSetAside } from '../../../src/gateway/spool/set-aside-files.ts';
import { encodeHead, writeOldFile } from '../../support/delivery/set-aside.ts';
import { position, readAll, SpoolFolder, silent } from '../../support/delivery/spool.ts';

let folder: SpoolFolder;
beforeEach(async () => {
  folder = await SpoolFolder.make();
  await makeFolders(folder.path);
});
afterEach(() => folder.remove());

const KIB = 1024;
const openStore = (options: Partial<SetAsideOptions> = {}): Promise<SetAside> =>
  SetAside.open({ folder: folder.path, target: 'api', maxBytes: 2 ** 30, log: silent, ...options });
const rejection = (seq: number, text: string) => ({ ...position(text), seq, code: 'invalid', detail: 'test' });
const segments = async (): Promise<string[]> =>
  (await readdir(`${folder.path}/set-aside/api/segments`)).map(
    (name) => `${folder.path}/set-aside/api/segments/${name}`,
  );
const textOf = async (store: SetAside, id: string): Promise<string | undefined> =>
  (await store.show(id))?.bytes.toString();
const idsOf = (store: SetAside): string[] => store.list().map(({ id }) => id);

describe('after a crash', () => {
  it('an incomplete write counts as none, wherever it ends, and is added again', async () => {
    const store = await openStore();
    await store.add([rejection(1, '"first"')], 1);
    const whole = store.bytes;
    await store.add([rejection(2, '"second"')], 2);
    const [path] = await segments();
    const bytes = await readFile(path!);
    for (let end = whole; end < bytes.length; end++) {
      await writeFile(path!, bytes.subarray(0, end));
      const again = await openStore();
      expect(idsOf(again), `cut at ${end}`).toEqual(['api-1']);
      await again.add([rejection(2, '"second"')], 3);
      expect(await textOf(again, 'api-2')).toBe('"second"');
    }
  });

  it('content that never reached the disk is not taken for a record', async () => {
    const store = await openStore();
    await store.add([rejection(1, '"first"')], 1);
    await store.add([rejection(2, '"second"')], 1);
    const [path] = await segments();
    const { size } = await stat(path!);
    await truncate(path!, size - 4);
    await truncate(path!, size);
    const again = await openStore();
    expect(idsOf(again)).toEqual(['api-1']);
    await again.add([rejection(2, '"second"')], 2);
    expect(idsOf(await openStore())).toEqual(['api-1', 'api-2']);
  });

  it('a mark of a record that is not there changes nothing', async () => {
    const store = await openStore();
    await store.add([rejection(1, '"first"')], 1);
    const [path] = await segments();
    await appendFile(path!, encodeHead(50, { do: 'remove', seqs: [7] }));
    await appendFile(path!, encodeHead(51, { do: 'sent', pairs: [[8, 9]] }));
    const again = await openStore();
    expect(again.list()).toMatchObject([{ id: 'api-1', isReplaying: false }]);
    expect(again.replayingUpTo).toBe(0);
  });

  it('a damaged head hides its record, and none of those behind it', async () => {
    const store = await openStore();
    for (const seq of [1, 2, 3]) await store.add([rejection(seq, `"record ${seq}"`)], 1);
    const [path] = await segments();
    const bytes = await readFile(path!);
    bytes[bytes.indexOf('"record 1"') + '"record 1"'.length + 30]! ^= 0xff;
    await writeFile(path!, bytes);
    const again = await openStore();
    expect(idsOf(again)).toEqual(['api-1', 'api-3']);
    expect(await textOf(again, 'api-3')).toBe('"record 3"');
  });

  it('a record that was copied while its segment was not yet deleted is there once', async () => {
    const store = await openStore();
    await store.add([rejection(1, '"first"')], 1);
    const [path] = await segments();
    const bytes = await readFile(path!);
    await writeFile(path!.replace(/\d{16}/, '0000000000000002'), bytes);
    const again = await openStore();
    expect(idsOf(again)).toEqual(['api-1']);
    expect(await again.remove(['api-1'])).toBe(1);
    expect(idsOf(await openStore())).toEqual([]);
  });
});

describe('a replay that is interrupted', () => {
  let spool: Spool;
  beforeEach(async () => {
    spool = await folder.open();
    await spool.append([position('"a"'), position('"b"')]);
    await spool.setAside('api').add([rejection(1, '"a"'), rejection(2, '"b"')], 1);
    spool.settle('api', 2);
  });

  /** The process ends while `replay` is at this step. */
  async function crashIn(step: 'before' | 'after', ids: readonly string[]): Promise<void> {
    const never = new Promise<never>(() => undefined);
    await new Promise<void>((reached) => {
      void spool.setAside('api').replay(ids, {
        lastSeq: spool.lastSeq,
        append: async (records) => {
          if (step === 'after') await spool.append(records);
          reached();
          return never;
        },
      });
    });
  }

  /** The folder as it is on disk, without what the process that has ended holds. */
  async function copyOpen(): Promise<Spool> {
    const { cp, rm } = await import('node:fs/promises');
    const copy = await SpoolFolder.make();
    await cp(folder.path, copy.path, { recursive: true, filter: (path) => !path.endsWith('.sock') });
    await rm(`${copy.path}/lock.sock`, { force: true });
    copies.push(copy);
    return copy.open();
  }
  const copies: SpoolFolder[] = [];
  afterEach(async () => {
    for (const copy of copies.splice(0)) await copy.remove();
    folder.leave(spool);
  });

  it('before the records are appended leaves them to be replayed', async () => {
    await crashIn('before', ['api-1']);
    const again = await copyOpen();
    expect(again.setAside('api').list()).toMatchObject([{ isReplaying: false }, { isReplaying: false }]);
    expect(await operate(again, { do: 'replay', id: 'api-1' })).toEqual({ done: 1 });
    expect((await readAll(again)).filter(([seq]) => seq > 2)).toEqual([[3, '"a"']]);
  });

  it('after the records are appended does not append them a second time', async () => {
    await crashIn('after', ['api-1', 'api-2']);
    const again = await copyOpen();
    expect(again.setAside('api').list()).toMatchObject([{ isReplaying: true }, { isReplaying: true }]);
    expect(await operate(again, { do: 'replay', id: 'all' })).toEqual({ done: 2 });
    expect((await readAll(again)).filter(([seq]) => seq > 2)).toEqual([
      [3, '"a"'],
      [4, '"b"'],
    ]);
    await again.setAside('api').add([rejection(4, '"b"')], 5);
    again.settle('api', 4);
    await again.setAside('api').whenSettled('api-1');
    expect(again.setAside('api').list()).toMatchObject([{ id: 'api-2', at: 5, isReplaying: false }]);
  });

  it('is complete although its second mark could not be written', async () => {
    const store = spool.setAside('api');
    const path = `${folder.path}/set-aside/api/segments/0000000000000001.log`;
    const { rename } = await import('node:fs/promises');
    const replayed = await store.replay(['api-1'], {
      lastSeq: spool.lastSeq,
      append: async (records) => {
        const appended = await spool.append(records);
        await rename(path, `${path}.away`);
        return appended;
      },
    });
    expect(replayed).toEqual({ done: 1, last: 3 });
    expect(await operate(spool, { do: 'replay', id: 'api-1' })).toEqual({ done: 1 });
    expect((await readAll(spool)).map(([seq]) => seq)).toEqual([3]);
    await rename(`${path}.away`, path);
    expect((await copyOpen()).setAside('api').entry('api-1')).toMatchObject({ isReplaying: true });
  });
});

describe('compaction', () => {
  it('gives the space of removed records back and keeps the others, also over a restart', async () => {
    const options = { segmentBytes: 256 * KIB };
    const store = await openStore(options);
    const text = (seq: number): string => JSON.stringify(`${seq} `.repeat(20 * KIB));
    for (let seq = 1; seq <= 60; seq++) await store.add([rejection(seq, text(seq))], seq);
    const before = store.bytes;
    await store.replay(['api-6'], { lastSeq: 60, append: async () => ({ first: 61, last: 61 }) });
    const kept = [6, 36, 59];
    await store.remove(idsOf(store).filter((id) => !kept.includes(Number(id.slice(4)))));
    expect(store.bytes).toBeLessThan(before / 2);
    expect((await segments()).length).toBeLessThan(10);
    const again = await openStore(options);
    expect(again.bytes).toBe(store.bytes);
    expect(again.list()).toMatchObject([
      { id: 'api-6', at: 6, isReplaying: true },
      { id: 'api-36', isReplaying: false },
      { id: 'api-59' },
    ]);
    for (const seq of kept) expect(await textOf(again, `api-${seq}`)).toBe(text(seq));
    await again.settled(61);
    expect(await again.remove(idsOf(again))).toBe(2);
    expect(again.bytes).toBe(0);
    expect(await segments()).toEqual([]);
  });
});

describe('the limit', () => {
  it('refuses a rejection as a whole until records are deleted; known ones and marks are taken', async () => {
    const store = await openStore({ maxBytes: 4 * KIB });
    await store.add([rejection(1, JSON.stringify('x'.repeat(3 * KIB)))], 1);
    const large = rejection(2, JSON.stringify('y'.repeat(2 * KIB)));
    await expect(store.add([large, rejection(3, '"small"')], 2)).rejects.toThrow(SetAsideFull);
    expect(store.isFull).toBe(true);
    expect(idsOf(store)).toEqual(['api-1']);
    await store.replay(['api-1'], { lastSeq: 3, append: async () => ({ first: 4, last: 4 }) });
    await store.add([rejection(4, '"again"')], 9);
    expect(store.list()).toMatchObject([{ id: 'api-1', at: 9, isReplaying: false }]);
    await store.remove(['api-1']);
    await store.add([large, rejection(3, '"small"')], 3);
    expect(store.isFull).toBe(false);
    expect(idsOf(store)).toEqual(['api-2', 'api-3']);
  });
});

describe('the file of an earlier version', () => {
  const lines = [
    { seq: 1, at: 10, code: 'invalid', detail: 'one', kind: 1, text: '{"deviceId":"D-1"}' },
    { seq: 2, at: 20, code: 'odd', detail: 'two', kind: 2, base64: Buffer.from([0xff, 0x7b]).toString('base64') },
    { seq: 3, at: 30, code: 'odd', detail: 'three', kind: 1, text: '"c"', sentAs: 7, waits: true },
  ];

  it('is listed and shown as it is, and moved to segments by the first start', async () => {
    const path = await writeOldFile(folder.path, 'api', lines, '{"seq":4,"at":');
    expect(await showSetAside(folder.path, 'api-2')).toMatchObject({ bytes: Buffer.from([0xff, 0x7b]) });
    const expected = [
      { id: 'api-1', at: 10, detail: 'one', subject: { what: 'position', imei: 'D-1' }, isReplaying: false },
      { id: 'api-2', kind: 2, size: 2 },
      { id: 'api-3', isReplaying: true },
    ];
    const spool = await folder.open();
    await expect(stat(path)).rejects.toThrow('ENOENT');
    expect(spool.setAside('api').list()).toMatchObject(expected);
    expect(spool.setAside('api').replayingUpTo).toBe(7);
    expect((await inspectSpool(folder.path)).setAside).toMatchObject(expected);
  });

  it('is moved without duplicates if the first attempt was interrupted', async () => {
    const store = await openStore();
    await store.add([{ ...rejection(1, '{"deviceId":"D-1"}'), detail: 'one' }], 10);
    await writeOldFile(folder.path, 'api', lines);
    const again = await openStore();
    expect(again.list().map(({ seq, detail }) => [seq, detail])).toEqual([
      [1, 'one'],
      [2, 'two'],
      [3, 'three'],
    ]);
  });
});
