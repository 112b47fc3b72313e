import { open, stat } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { operate } from '../../../src/gateway/spool/index.ts';
import { listSetAside, showSetAside } from '../../../src/gateway/spool/set-aside-files.ts';
import { writeOldFile, writeSparseSetAside } from '../../support/delivery/set-aside.ts';
import { readAll, SpoolFolder } from '../../support/delivery/spool.ts';

vi.setConfig({ testTimeout: 60_000 });

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

let folder: SpoolFolder;
beforeEach(async () => {
  folder = await SpoolFolder.make();
});
afterEach(() => folder.remove());

describe.each([
  { records: 560, most: GIB },
  { records: 2_560, most: 3 * GIB },
])('$records set-aside records of 1 MiB', ({ records, most }) => {
  it('are listed, shown, deleted and replayed one by one', async () => {
    await writeSparseSetAside(folder.path, 'api', records, MIB);
    expect(await listSetAside(folder.path, 'api')).toHaveLength(records);
    expect((await showSetAside(folder.path, `api-${records}`))?.size).toBe(MIB);
    const spool = await folder.open({ maxBytes: 4 * GIB, setAsideMaxBytes: most });
    const store = spool.setAside('api');
    expect(store.count).toBe(records);
    expect(store.bytes).toBeGreaterThan(records * MIB);
    expect(await operate(spool, { do: 'drop', id: 'api-2' })).toEqual({ done: 1 });
    expect(await operate(spool, { do: 'replay', id: 'api-3' })).toEqual({ done: 1 });
    expect(await operate(spool, { do: 'replay', id: 'api-3' })).toEqual({ done: 1 });
    expect((await readAll(spool)).map(([, text]) => text.length)).toEqual([MIB]);
    spool.settle('api', spool.lastSeq);
    await store.whenSettled('api-3');
    expect(store.count).toBe(records - 2);
    expect(await operate(spool, { do: 'drop', id: 'all' })).toEqual({ done: records - 2 });
    expect(store.bytes).toBe(0);
  });
});

describe('a file of an earlier version with more than 2 GiB', () => {
  it('is moved to segments line by line; a line that cannot be read is kept apart', async () => {
    const path = await writeOldFile(folder.path, 'api', [
      { seq: 1, at: 1, code: 'a', detail: '', kind: 1, text: '"a"' },
    ]);
    const file = await open(path, 'r+');
    const last = { seq: 2, at: 2, code: 'b', detail: '', kind: 1, text: '"b"' };
    await file.write(`\n${JSON.stringify(last)}\n`, 2.25 * GIB);
    await file.close();
    const spool = await folder.open();
    expect(spool.setAside('api').list()).toMatchObject([{ id: 'api-1' }, { id: 'api-2', code: 'b', at: 2 }]);
    await expect(stat(path)).rejects.toThrow('ENOENT');
    expect((await stat(`${folder.path}/damaged/set-aside-api.ndjson`)).size).toBeGreaterThan(2.25 * GIB);
  });
});
