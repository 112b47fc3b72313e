import { cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { realDisk } from '../../../src/gateway/spool/disk.ts';
import { inspectSpool, type Spool } from '../../../src/gateway/spool/index.ts';
import { HEADER_BYTES } from '../../../src/gateway/spool/record.ts';
import { FaultyDisk } from '../../support/delivery/disk.ts';
import { position, readAll, SpoolFolder } from '../../support/delivery/spool.ts';

let folder: SpoolFolder;
beforeEach(async () => {
  folder = await SpoolFolder.make();
});
afterEach(() => folder.remove());

/** Segments of 64 KiB, read from disk. */
const OPTIONS = { maxBytes: 1024 * 1024, windowBytes: 1 };
const FILLER = 'x'.repeat(70_000);
const names = async (end: string) =>
  (await readdir(join(folder.path, 'segments'))).filter((name) => name.endsWith(end));
const newest = async () => join(folder.path, 'segments', (await names('.log')).at(-1)!);

/** Each record fills a segment; the first one is settled. */
async function settleFirst(spool: Spool): Promise<void> {
  await spool.append([position(FILLER)]);
  await spool.append([position(FILLER)]);
  spool.settle('api', 1);
}

/** Its file is written again as the one that begins with record 3. */
async function reuse(spool: Spool): Promise<void> {
  await settleFirst(spool);
  await expect.poll(() => names('.spare')).toHaveLength(1);
  await spool.append([position('third')]);
}

/** What a crash leaves, with this content of the newest segment. */
async function image(content: Buffer): Promise<SpoolFolder> {
  const copy = await SpoolFolder.make();
  await mkdir(copy.path, { recursive: true });
  for (const name of ['VERSION', 'id', 'cursors', 'segments', 'set-aside']) {
    await cp(join(folder.path, name), join(copy.path, name), { recursive: true });
  }
  await writeFile(join(copy.path, 'segments', (await names('.log')).at(-1)!), content);
  return copy;
}

describe('the file of a settled segment', () => {
  it('is written again as a later one, which holds its own records only', async () => {
    const spool = await folder.open(OPTIONS);
    await reuse(spool);
    // it has the length that it had
    expect((await stat(await newest())).size).toBe(HEADER_BYTES + FILLER.length);
    await spool.append([position('fourth')]);
    const found = await readAll(spool);
    expect(found.map(([seq, text]) => [seq, text.length < 10 ? text : ''])).toEqual([
      [2, ''],
      [3, 'third'],
      [4, 'fourth'],
    ]);
    expect(spool.stats()).toMatchObject({ segments: 2, damaged: 0 });
    expect((await inspectSpool(folder.path)).segments.map(({ last, damage }) => ({ last, damage }))).toEqual([
      { last: 2, damage: [] },
      { last: 4, damage: [] },
    ]);
  });

  it('has no old records behind the new ones once another segment follows, or the spool is closed', async () => {
    const spool = await folder.open(OPTIONS);
    await reuse(spool);
    const third = await newest();
    await spool.append([position(FILLER)]);
    await spool.append([position('fifth')]);
    expect((await stat(third)).size).toBe(2 * HEADER_BYTES + 'third'.length + FILLER.length);
    spool.settle('api', 4);
    await expect.poll(() => names('.spare')).toHaveLength(1);
    await spool.append([position(FILLER)]);
    await spool.append([position('seventh')]);
    const last = await newest();
    expect((await stat(last)).size).toBeGreaterThan(FILLER.length);
    await folder.close(spool);
    expect((await stat(last)).size).toBe(HEADER_BYTES + 'seventh'.length);
    expect(await names('.spare')).toEqual([]);
  });

  it('is read up to the last whole record, whichever byte of the next one was the last that was written', async () => {
    const spool = await folder.open(OPTIONS);
    await reuse(spool);
    const before = await readFile(await newest());
    await spool.append([position('torn')]);
    const after = await readFile(await newest());
    const start = HEADER_BYTES + 'third'.length;
    for (let written = start; written < start + HEADER_BYTES + 'torn'.length; written++) {
      const crashed = await image(Buffer.concat([after.subarray(0, written), before.subarray(written)]));
      const opened = await crashed.open(OPTIONS);
      expect((await readAll(opened)).map(([seq]) => seq)).toEqual([2, 3]);
      expect(opened.stats()).toMatchObject({ lastSeq: 3, damaged: 0 });
      expect(await opened.append([position('again')])).toEqual({ first: 4, last: 4 });
      await crashed.close(opened);
      const again = await crashed.open(OPTIONS);
      expect((await readAll(again)).at(-1)).toEqual([4, 'again']);
      expect(again.stats().damaged).toBe(0);
      await crashed.remove();
    }
  });

  it('has none of its old records after a crash before the first new one', async () => {
    const spool = await folder.open(OPTIONS);
    await reuse(spool);
    // of the record before it, as if its file had been the one that is written again
    const second = await readFile(join(folder.path, 'segments', (await names('.log'))[0]!));
    const crashed = await image(second);
    const opened = await crashed.open(OPTIONS);
    expect((await readAll(opened)).map(([seq]) => seq)).toEqual([2]);
    expect(opened.stats()).toMatchObject({ lastSeq: 2, damaged: 0 });
    await crashed.remove();
  });

  it('is removed where the spool is blocked, and where a crash has left it', async () => {
    const disk = new FaultyDisk();
    const spool = await folder.open({ ...OPTIONS, disk });
    await settleFirst(spool);
    await expect.poll(() => names('.spare')).toHaveLength(1);
    disk.free = 0;
    disk.room = 0;
    await expect(spool.append([position(FILLER)])).rejects.toThrow();
    spool.settle('api', 2);
    await expect.poll(() => names('.spare')).toEqual([]);
    disk.free = Number.MAX_SAFE_INTEGER;
    disk.room = Number.POSITIVE_INFINITY;
    await spool.whenRoom();
    await folder.close(spool);
    await writeFile(join(folder.path, 'segments', '0000000000000001.spare'), 'left');
    await folder.open(OPTIONS);
    expect(await names('.spare')).toEqual([]);
  });

  it('is another one where it cannot be given its name', async () => {
    const disk = { ...realDisk, rename: () => Promise.reject(new Error('EPERM')) };
    const spool = await folder.open({ ...OPTIONS, disk });
    await settleFirst(spool);
    await expect.poll(() => names('.log')).toHaveLength(1);
    await spool.append([position('third')]);
    expect((await readAll(spool)).map(([seq]) => seq)).toEqual([2, 3]);
    expect((await stat(await newest())).size).toBe(HEADER_BYTES + 'third'.length);
  });
});
