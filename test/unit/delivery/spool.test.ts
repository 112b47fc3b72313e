import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EVENT, openSpool, POSITION, type Spool, type SpoolOptions } from '../../../src/delivery/index.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { createLog } from '../../../src/platform/log.ts';

let folder: string;
const opened: Spool[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spool-'));
});

afterEach(async () => {
  for (const spool of opened.splice(0)) await spool.close();
  await rm(folder, { recursive: true, force: true });
});

async function open(options: Partial<SpoolOptions> = {}): Promise<Spool> {
  const spool = await openSpool({
    folder,
    targets: ['api'],
    syncMs: 5,
    maxBytes: 64 * 1024 * 1024,
    minFreeBytes: 0,
    clock: systemClock,
    log: createLog('test', 'silent'),
    ...options,
  });
  opened.push(spool);
  return spool;
}

async function close(spool: Spool): Promise<void> {
  opened.splice(opened.indexOf(spool), 1);
  await spool.close();
}

const text = (value: string) => ({ kind: POSITION, bytes: Buffer.from(value) });

async function readAll(spool: Spool, target = 'api'): Promise<[number, string][]> {
  const reader = spool.reader(target);
  const found: [number, string][] = [];
  do {
    while (reader.next())
      found.push([reader.view.seq, reader.block.toString('utf8', reader.view.start, reader.view.end)]);
  } while (await reader.fill());
  await reader.close();
  return found;
}

describe('a spool', () => {
  it('gives records sequences from 1 and reads them in order', async () => {
    const spool = await open();
    expect(await spool.append([text('a'), { kind: EVENT, bytes: Buffer.from('b') }])).toEqual({ first: 1, last: 2 });
    expect(await spool.append([text('c')])).toEqual({ first: 3, last: 3 });
    expect(await readAll(spool)).toEqual([
      [1, 'a'],
      [2, 'b'],
      [3, 'c'],
    ]);
  });

  it('has after a reopening what it had, with the same id, and goes on counting', async () => {
    const spool = await open();
    await Promise.all([spool.append([text('a')]), spool.append([text('b')])]);
    const id = spool.id;
    await close(spool);
    const again = await open();
    expect(again.id).toBe(id);
    expect(await again.append([text('c')])).toEqual({ first: 3, last: 3 });
    expect((await readAll(again)).map(([, value]) => value)).toEqual(['a', 'b', 'c']);
  });
});
