import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EVENT } from '../../../src/gateway/spool/index.ts';
import { position, readAll, SpoolFolder } from '../../support/delivery/spool.ts';

let folder: SpoolFolder;
beforeEach(async () => {
  folder = await SpoolFolder.make();
});
afterEach(() => folder.remove());

describe('a spool', () => {
  it('gives records sequences from 1 and reads them in order', async () => {
    const spool = await folder.open();
    const event = { kind: EVENT, bytes: Buffer.from('b') };
    expect(await spool.append([position('a'), event])).toEqual({ first: 1, last: 2 });
    expect(await spool.append([position('c')])).toEqual({ first: 3, last: 3 });
    expect(await readAll(spool)).toEqual([
      [1, 'a'],
      [2, 'b'],
      [3, 'c'],
    ]);
  });

  it('syncs urgent records at once, together with those before them', async () => {
    const spool = await folder.open({ syncMs: 3_600_000 });
    await spool.append([position('a')]);
    const gathered = spool.append([position('b')]);
    expect(await spool.append([position('c')], true)).toEqual({ first: 3, last: 3 });
    expect(await gathered).toEqual({ first: 2, last: 2 });
  });

  it('has the same records and id after reopening, and continues its sequence', async () => {
    const spool = await folder.open();
    await Promise.all([spool.append([position('a')]), spool.append([position('b')])]);
    const { id } = spool;
    await folder.close(spool);
    const again = await folder.open();
    expect(again.id).toBe(id);
    expect(await again.append([position('c')])).toEqual({ first: 3, last: 3 });
    expect((await readAll(again)).map(([, value]) => value)).toEqual(['a', 'b', 'c']);
  });

  it('never restarts its numbers, even when all was settled and deleted', async () => {
    const spool = await folder.open({ maxBytes: 1024 * 1024 });
    const { last } = await spool.append([position('x'.repeat(100_000))]);
    spool.settle('api', last);
    await folder.close(spool);
    const again = await folder.open({ maxBytes: 1024 * 1024 });
    expect((await again.append([position('b')])).first).toBe(last + 1);
  });

  it('reads records from disk that are no longer in memory, also records larger than a read', async () => {
    const spool = await folder.open({ windowBytes: 1, maxBytes: 8 * 1024 * 1024 });
    const values = Array.from({ length: 60 }, (_, index) =>
      String(index % 10).repeat(index === 30 ? 1_500_000 : 20_000),
    );
    for (const value of values) await spool.append([position(value)]);
    expect(spool.stats().segments).toBeGreaterThan(2);
    const found = await readAll(spool);
    expect(found.map(([seq]) => seq)).toEqual(values.map((_, index) => index + 1));
    expect(found.every(([, value], index) => value === values[index])).toBe(true);
  });

  it('deletes a segment only when every target has settled it', async () => {
    const spool = await folder.open({ targets: ['api', 'push'], maxBytes: 1024 * 1024 });
    for (let index = 0; index < 8; index++) await spool.append([position('x'.repeat(40_000))]);
    const before = spool.stats();
    expect(before.segments).toBeGreaterThan(2);
    spool.settle('api', 8);
    await folder.close(spool);
    const half = await folder.open({ targets: ['api', 'push'], maxBytes: 1024 * 1024 });
    expect(half.stats().segments).toBe(before.segments);
    expect(half.stats().unsettled).toEqual({ api: 0, push: 8 });
    expect(await readAll(half, 'push')).toHaveLength(8);
    half.settle('push', 8);
    await folder.close(half);
    const done = await folder.open({ targets: ['api', 'push'], maxBytes: 1024 * 1024 });
    expect(done.stats().segments).toBe(1);
    expect(done.stats().bytes).toBeLessThan(before.bytes);
  });

  it('keeps the records of a segment that are not settled', async () => {
    const spool = await folder.open({ maxBytes: 1024 * 1024 });
    const values = Array.from({ length: 6 }, (_, index) => String(index).repeat(40_000));
    for (const value of values) await spool.append([position(value)]);
    spool.settle('api', 1);
    await folder.close(spool);
    expect((await readAll(await folder.open())).map(([seq]) => seq)).toEqual([2, 3, 4, 5, 6]);
  });

  it('does not overwrite bytes that a reader uses', async () => {
    const spool = await folder.open({ windowBytes: 1 });
    await spool.append([position('a'.repeat(1_000))]);
    const reader = spool.reader('api');
    await reader.fill();
    expect(reader.next()).toBe(true);
    for (let index = 0; index < 6; index++) await spool.append([position('b'.repeat(900_000))]);
    const { start, end } = reader.view;
    expect(reader.block.toString('latin1', start, end)).toBe('a'.repeat(1_000));
    await reader.close();
  });

  it('refuses records when it is full, notifies when it has space, and then accepts records again', async () => {
    const spool = await folder.open({ maxBytes: 1024 * 1024 });
    let last = 0;
    await expect(async () => {
      for (;;) last = (await spool.append([position('x'.repeat(10_000))])).last;
    }).rejects.toMatchObject({ name: 'SpoolFull', reason: 'bytes' });
    expect(spool.stats().bytes).toBeLessThanOrEqual(1024 * 1024);
    expect(spool.blocked?.reason).toBe('bytes');
    const room = spool.whenRoom();
    spool.settle('api', last);
    await room;
    await expect(spool.append([position('again')])).resolves.toEqual({ first: last + 1, last: last + 1 });
    expect(await readAll(spool)).toEqual([[last + 1, 'again']]);
  });

  it('refuses a record that is larger than a segment, and its whole group', async () => {
    const spool = await folder.open();
    const huge = { kind: EVENT, bytes: new Uint8Array(16 * 1024 * 1024 + 1) };
    await expect(spool.append([position('a'), huge])).rejects.toThrow(RangeError);
    expect(await spool.append([])).toEqual({ first: 1, last: 0 });
    expect(await readAll(spool)).toEqual([]);
  });

  it('leaves the configured space free on the disk', async () => {
    const spool = await folder.open({ minFreeBytes: Number.MAX_SAFE_INTEGER });
    await expect(spool.append([position('a')])).rejects.toMatchObject({ name: 'SpoolFull', reason: 'disk' });
  });

  it('sends a new target the records that the others have not settled', async () => {
    const spool = await folder.open();
    await spool.append([position('a'), position('b')]);
    spool.settle('api', 1);
    await folder.close(spool);
    expect(await readAll(await folder.open({ targets: ['api', 'push'] }), 'push')).toEqual([[2, 'b']]);
  });

  it('notifies its readers of new records', async () => {
    const spool = await folder.open();
    const reader = spool.reader('api');
    expect(await reader.fill()).toBe(false);
    const more = reader.whenMore();
    await spool.append([position('a')]);
    await more;
    expect(await reader.fill()).toBe(true);
    expect(reader.next()).toBe(true);
    expect(reader.view.seq).toBe(1);
    await reader.close();
  });
});
