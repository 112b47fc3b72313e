import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commandSpool, inspectSpool, type Spool, SpoolLocked } from '../../../src/gateway/spool/index.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { position, readAll, SpoolFolder, silent } from '../../support/delivery/spool.ts';

let folder: SpoolFolder;
beforeEach(async () => {
  folder = await SpoolFolder.make();
});
afterEach(() => folder.remove());

const around = { clock: systemClock, log: silent, maxBytes: 64 * 1024 * 1024 };

describe('the lock of a spool folder', () => {
  it('refuses a second opening and names the holder', async () => {
    await folder.open();
    const second = folder.open();
    await expect(second).rejects.toThrow(SpoolLocked);
    await expect(second).rejects.toMatchObject({ holder: `process ${process.pid}` });
  });

  it('admits one of many that start at once, and removes the files of the others', async () => {
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => folder.open()));
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
    expect(refused).toHaveLength(7);
    expect(refused.every((error) => error instanceof SpoolLocked)).toBe(true);
    expect((await readdir(folder.path)).filter((name) => name.startsWith('lock.'))).toEqual(['lock.sock']);
  });

  it('is released although a client does not close its side of the socket', async () => {
    const spool = await folder.open();
    const client = createConnection({ path: join(folder.path, 'lock.sock'), allowHalfOpen: true });
    client.write('{"do":"who"}\n');
    client.resume();
    await once(client, 'end');
    await folder.close(spool);
    client.destroy();
    await expect(folder.open()).resolves.toBeDefined();
  });

  it('is free after a close', async () => {
    await folder.close(await folder.open());
    await expect(folder.open()).resolves.toBeDefined();
  });
});

describe('an operator', () => {
  async function withTwoSetAside(): Promise<Spool> {
    const spool = await folder.open();
    await spool.append([position('{"n":1}'), position('{"n":2}'), position('{"n":3}')]);
    const reason = { code: 'invalid', detail: 'no latitude', kind: 1 as const };
    await spool.setAside('api').add(
      [
        { ...reason, seq: 1, bytes: Buffer.from('{"n":1}') },
        { ...reason, seq: 3, bytes: Buffer.from([0x7b, 0xff, 0x7d]) },
      ],
      1_700_000_000_000,
    );
    spool.settle('api', 3);
    return spool;
  }

  it('can read a spool that a gateway has opened', async () => {
    await withTwoSetAside();
    expect(await inspectSpool(folder.path)).toMatchObject({
      holder: process.pid,
      lastSeq: 3,
      segments: [{ first: 1, last: 3, records: 3, tailBytes: 0, damage: [] }],
      setAside: [
        { id: 'api-1', at: 1_700_000_000_000, code: 'invalid', detail: 'no latitude', size: 7 },
        { id: 'api-3', size: 3 },
      ],
    });
  });

  it('can replay one record and drop the others while a gateway has opened the spool', async () => {
    const spool = await withTwoSetAside();
    const replayed = commandSpool(folder.path, { do: 'replay', id: 'api-3' }, around);
    expect(await replayed).toEqual({ done: 1 });
    const reader = spool.reader('api');
    await reader.fill();
    expect(reader.next()).toBe(true);
    expect(reader.view.seq).toBe(4);
    expect(reader.block.subarray(reader.view.start, reader.view.end)).toEqual(Buffer.from([0x7b, 0xff, 0x7d]));
    await reader.close();
    spool.settle('api', 4);
    await spool.setAside('api').whenSettled('api-3');
    expect(await commandSpool(folder.path, { do: 'drop', id: 'api-3' }, around)).toEqual({
      error: 'No record api-3 is set aside',
    });
    expect(await commandSpool(folder.path, { do: 'drop', id: 'all' }, around)).toEqual({ done: 1 });
    expect(spool.setAside('api').list()).toEqual([]);
  });

  it('can do the same if no gateway is running', async () => {
    await folder.close(await withTwoSetAside());
    expect((await inspectSpool(folder.path)).holder).toBeUndefined();
    expect(await commandSpool(folder.path, { do: 'replay', id: 'all' }, around)).toEqual({ done: 2 });
    const spool = await folder.open();
    expect((await readAll(spool)).map(([seq]) => seq)).toEqual([4, 5]);
    spool.settle('api', 5);
    await spool.setAside('api').whenSettled('api-3');
    expect(spool.setAside('api').count).toBe(0);
  });

  it('finds set-aside records again after a restart, also after an incomplete write', async () => {
    const spool = await withTwoSetAside();
    await folder.close(spool);
    const { appendFile } = await import('node:fs/promises');
    await appendFile(`${folder.path}/set-aside/api/segments/0000000000000001.log`, '{"seq":9,"at":1,"code"');
    const again = await folder.open();
    const store = again.setAside('api');
    expect(store.list().map(({ id }) => id)).toEqual(['api-1', 'api-3']);
    await store.add([{ seq: 9, kind: 2, bytes: Buffer.from('{}'), code: 'odd', detail: '' }], 5);
    await store.add([{ seq: 9, kind: 2, bytes: Buffer.from('{}'), code: 'odd', detail: '' }], 6);
    await folder.close(again);
    const third = (await folder.open()).setAside('api');
    expect(third.list().map(({ id, at }) => [id, at])).toEqual([
      ['api-1', 1_700_000_000_000],
      ['api-3', 1_700_000_000_000],
      ['api-9', 5],
    ]);
    expect((await third.show('api-9'))?.bytes.toString()).toBe('{}');
  });
});
