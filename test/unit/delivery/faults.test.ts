import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inspectSpool, SpoolFailed, SpoolFull } from '../../../src/gateway/spool/index.ts';
import { HEADER_BYTES } from '../../../src/gateway/spool/record.ts';
import { FaultyDisk } from '../../support/delivery/disk.ts';
import { position, readAll, SpoolFolder } from '../../support/delivery/spool.ts';

let folder: SpoolFolder;
beforeEach(async () => {
  folder = await SpoolFolder.make();
});
afterEach(() => folder.remove());

const texts = (found: readonly [number, string][]) => found.map(([, text]) => text);
const firstSegment = () => join(folder.path, 'segments', '0000000000000001.log');

async function withRecords(values: readonly string[]): Promise<void> {
  const spool = await folder.open();
  for (const value of values) await spool.append([position(value)]);
  await folder.close(spool);
}

describe('a torn tail', () => {
  it('is cut at whichever byte it was torn, and nothing before it', async () => {
    await withRecords(['first', 'second', 'third']);
    const whole = await readFile(firstSegment());
    const lastStart = 2 * HEADER_BYTES + 'first'.length + 'second'.length;
    for (let cut = lastStart; cut < whole.length; cut++) {
      await writeFile(firstSegment(), whole.subarray(0, cut));
      const spool = await folder.open();
      expect(texts(await readAll(spool))).toEqual(['first', 'second']);
      expect((await stat(firstSegment())).size).toBe(lastStart);
      expect(await spool.append([position('next')])).toEqual({ first: 3, last: 3 });
      expect(texts(await readAll(spool))).toEqual(['first', 'second', 'next']);
      await folder.close(spool);
    }
  });

  it('of zeros, as file systems leave them, is cut too', async () => {
    await withRecords(['first']);
    const whole = await readFile(firstSegment());
    await writeFile(firstSegment(), Buffer.concat([whole, Buffer.alloc(5_000)]));
    const spool = await folder.open();
    expect(texts(await readAll(spool))).toEqual(['first']);
    expect(spool.stats()).toMatchObject({ lastSeq: 1, damaged: 0, bytes: whole.length });
  });

  it('never takes the sequence back behind a cursor', async () => {
    await withRecords(['first', 'second', 'third']);
    await writeFile(join(folder.path, 'cursors', 'api.json'), '{"seq":3}');
    await writeFile(firstSegment(), Buffer.alloc(0));
    const spool = await folder.open();
    expect((await spool.append([position('next')])).first).toBe(4);
    expect(await readAll(spool)).toEqual([[4, 'next']]);
  });
});

describe('damage', () => {
  it('loses only the record that contains it, whichever byte it is', async () => {
    await withRecords(['first', 'second', 'third']);
    const whole = await readFile(firstSegment());
    const start = HEADER_BYTES + 'first'.length;
    for (let at = start; at < start + HEADER_BYTES + 'second'.length; at++) {
      const bad = Buffer.from(whole);
      bad[at]! ^= 0x10;
      await writeFile(firstSegment(), bad);
      const spool = await folder.open();
      expect(spool.stats()).toMatchObject({ damaged: 1, lastSeq: 3 });
      expect(await readAll(spool)).toEqual([
        [1, 'first'],
        [3, 'third'],
      ]);
      expect(spool.stats().damaged).toBe(1);
      await folder.close(spool);
    }
  });

  it('in an older segment is reported, its bytes kept, the rest read', async () => {
    const options = { maxBytes: 1024 * 1024, windowBytes: 1 };
    const filler = 'x'.repeat(30_000);
    let spool = await folder.open(options);
    for (let index = 1; index <= 12; index++) await spool.append([position(`${index}:${filler}`)]);
    await folder.close(spool);
    const bad = await readFile(firstSegment());
    bad[40_000]! ^= 1;
    await writeFile(firstSegment(), bad);
    expect((await inspectSpool(folder.path)).segments[0]!.damage).toMatchObject([{ after: 1, before: 3 }]);
    spool = await folder.open(options);
    expect((await readAll(spool)).map(([seq]) => seq)).toEqual([1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(spool.stats().damaged).toBe(1);
    spool.settle('api', 12);
    await folder.close(spool);
    const copy = await readFile(join(folder.path, 'damaged', '0000000000000001.log'));
    expect(copy.equals(bad)).toBe(true);
  });
});

describe('a disk that fails', () => {
  const disk = () => new FaultyDisk();

  it('that is full refuses the whole group, and accepts records when it has space', async () => {
    const faulty = disk();
    const spool = await folder.open({ disk: faulty });
    await spool.append([position('kept')]);
    faulty.room = 30;
    faulty.free = 0;
    await expect(spool.append([position('refused, although some of it was written')])).rejects.toThrow(SpoolFull);
    await expect(spool.append([position('refused at once')])).rejects.toMatchObject({ reason: 'disk' });
    expect(spool.blocked?.reason).toBe('disk');
    const room = spool.whenRoom();
    faulty.room = Number.POSITIVE_INFINITY;
    faulty.free = Number.MAX_SAFE_INTEGER;
    await room;
    await spool.append([position('kept too')]);
    expect(texts(await readAll(spool))).toEqual(['kept', 'kept too']);
    await folder.close(spool);
    expect(texts(await readAll(await folder.open()))).toEqual(['kept', 'kept too']);
  });

  it('that cannot create a file does not change the older segments', async () => {
    const faulty = disk();
    const spool = await folder.open({ disk: faulty, maxBytes: 1024 * 1024 });
    const big = 'x'.repeat(70_000);
    await spool.append([position(big)]);
    faulty.room = 0;
    await expect(spool.append([position('refused')])).rejects.toThrow(SpoolFull);
    faulty.room = Number.POSITIVE_INFINITY;
    await spool.whenRoom();
    await spool.append([position('kept')]);
    await folder.close(spool);
    expect(texts(await readAll(await folder.open()))).toEqual([big, 'kept']);
  });

  it('that fails a sync loses that group only, and the records that waited for the next one', async () => {
    const faulty = disk();
    const spool = await folder.open({ disk: faulty });
    await spool.append([position('kept')]);
    faulty.syncFault = 'EIO';
    let behindIt: Promise<unknown> | undefined;
    faulty.beforeSync = async () => {
      behindIt ??= spool.append([position('behind')]).catch((error: unknown) => error);
    };
    await expect(spool.append([position('refused')])).rejects.toThrow(SpoolFailed);
    expect(await behindIt).toBeInstanceOf(SpoolFailed);
    faulty.syncFault = undefined;
    await spool.whenRoom();
    await spool.append([position('kept too')]);
    expect(texts(await readAll(spool))).toEqual(['kept', 'kept too']);
    await folder.close(spool);
    expect(texts(await readAll(await folder.open()))).toEqual(['kept', 'kept too']);
  });

  it('that cannot truncate a failed write does not return any of it', async () => {
    const faulty = disk();
    const spool = await folder.open({ disk: faulty });
    await spool.append([position('kept')]);
    faulty.syncFault = 'EIO';
    faulty.isStuck = true;
    await expect(spool.append([position('refused')])).rejects.toThrow(SpoolFailed);
    faulty.syncFault = undefined;
    await spool.whenRoom();
    const { first } = await spool.append([position('kept too')]);
    expect(first).toBe(3);
    expect(texts(await readAll(spool))).toEqual(['kept', 'kept too']);
  });

  it('that loses power has every confirmed record, whatever else it kept', async () => {
    for (let round = 0; round < 8; round++) {
      const faulty = disk();
      // its disk never answers again, so it cannot be closed
      const spool = await folder.open({ disk: faulty, maxBytes: 1024 * 1024 });
      folder.leave(spool);
      const promised: number[] = [];
      let syncs = 0;
      const cut = new Promise<void>((resolve) => {
        faulty.beforeSync = async () => {
          if (++syncs < 5 + round * 3) return;
          faulty.beforeSync = () => new Promise(() => undefined);
          resolve();
          await new Promise(() => undefined);
        };
      });
      const writer = async (): Promise<void> => {
        for (;;) promised.push((await spool.append([position('x'.repeat(500))])).last);
      };
      for (let index = 0; index < 20; index++) void writer().catch(() => undefined);
      await cut;
      const copy = `${folder.path}-cut-${round}`;
      await faulty.loseUnsynced((unsynced) => Math.floor((unsynced * round) / 7));
      await cp(folder.path, copy, { recursive: true, filter: (from) => !from.endsWith('.sock') });
      const after = (await inspectSpool(copy)).segments;
      const found = after.reduce((sum, { records }) => sum + records, 0);
      expect(promised.length).toBeGreaterThan(0);
      expect(found).toBeGreaterThanOrEqual(Math.max(...promised));
      await rm(copy, { recursive: true });
      await rm(join(folder.path, '..'), { recursive: true });
      folder = await SpoolFolder.make();
    }
  });
});

describe('a real small disk', () => {
  const canMount = process.platform === 'linux' && process.getuid?.() === 0 && mountWorks();
  if (!canMount) console.warn('left out: a spool on a full tmpfs, which only root may mount');

  it.runIf(canMount)('fills up, refuses, and goes on when something else is deleted', async () => {
    await mkdir(folder.path, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder.path]);
    try {
      const ballast = join(folder.path, 'ballast');
      await writeFile(ballast, Buffer.alloc(1_400_000));
      const spool = await folder.open();
      const promised: number[] = [];
      await expect(async () => {
        for (;;) promised.push((await spool.append([position('x'.repeat(5_000))])).last);
      }).rejects.toMatchObject({ name: 'SpoolFull', reason: 'disk' });
      expect(promised.length).toBeGreaterThan(10);
      await rm(ballast);
      spool.settle('api', 3);
      await expect(readAll(spool)).resolves.toHaveLength(promised.length - 3);
      await folder.close(spool);
      const again = await folder.open({ maxBytes: 1024 * 1024 });
      await again.append([position('again')]);
      expect(texts(await readAll(again)).at(-1)).toBe('again');
      expect(await readdir(join(folder.path, 'segments'))).not.toHaveLength(0);
      await folder.close(again);
    } finally {
      execFileSync('umount', ['-l', folder.path]);
    }
  });
});

function mountWorks(): boolean {
  const place = mkdtempSync(join(tmpdir(), 'mount-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', place], { stdio: 'ignore' });
    execFileSync('umount', [place], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  } finally {
    rmdirSync(place);
  }
}
