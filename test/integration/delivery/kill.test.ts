import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { inspectSpool } from '../../../src/gateway/spool/index.ts';
import { readAll, SpoolFolder } from '../../support/delivery/spool.ts';
import { createRandom } from '../../support/random.ts';

/** of the moments of the kills; printed, although the processes themselves are not repeated by it */
const SEED = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31);
const random = createRandom(SEED);

let folder: SpoolFolder;
beforeAll(() => console.log(`kill -9 of a spool: seed ${SEED}`));
beforeEach(async () => {
  folder = await SpoolFolder.make();
});
afterEach(() => folder.remove());

/** Lets a process append until so many characters of promises have come, then kills it. → sequence → text */
async function appendUntilKilled(
  run: number,
  afterCharacters: number,
  ...more: readonly string[]
): Promise<Map<number, string>> {
  const script = resolve('test/support/delivery/append-for-ever.mjs');
  const child = spawn(process.execPath, [script, folder.path, String(run), ...more], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    output += part;
    if (output.length > afterCharacters) child.kill('SIGKILL');
  });
  await once(child, 'close');
  const promised = new Map<number, string>();
  for (const line of output.slice(0, output.lastIndexOf('\n')).split('\n')) {
    const space = line.indexOf(' ');
    promised.set(Number(line.slice(0, space)), line.slice(space + 1));
  }
  return promised;
}

describe('kill -9 of a process that appends', () => {
  it('loses no confirmed record, keeps the order and duplicates nothing', async () => {
    const promised = new Map<number, string>();
    for (let run = 0; run < 6; run++) {
      for (const [seq, text] of await appendUntilKilled(run, 20_000 + random.int(600_000))) {
        if (promised.has(seq)) throw new Error(`sequence ${seq} was promised twice`);
        promised.set(seq, text);
      }
      const spool = await folder.open();
      const found = await readAll(spool);
      expect(found.filter(([seq], index) => index > 0 && seq <= found[index - 1]![0])).toEqual([]);
      expect(new Set(found.map(([, text]) => text)).size).toBe(found.length);
      const bySeq = new Map(found);
      expect([...promised].filter(([seq, text]) => bySeq.get(seq) !== text)).toEqual([]);
      await folder.close(spool);
    }
    expect(promised.size).toBeGreaterThan(1_000);
  });

  it('loses none either where the files of settled segments are written again', async () => {
    const UNSETTLED = 100;
    // old records behind the new ones: not each process is killed while there are some
    let rests = 0;
    for (let run = 0; run < 6 || (rests === 0 && run < 30); run++) {
      const promised = await appendUntilKilled(run, 500_000 + random.int(600_000), String(UNSETTLED));
      rests += (await inspectSpool(folder.path)).segments.at(-1)!.tailBytes;
      const last = Math.max(...promised.keys());
      const spool = await folder.open({ maxBytes: 1024 * 1024 });
      const found = await readAll(spool);
      expect(found.filter(([seq], index) => index > 0 && seq <= found[index - 1]![0])).toEqual([]);
      expect(new Set(found.map(([, text]) => text)).size).toBe(found.length);
      const bySeq = new Map(found);
      const kept = [...promised].filter(([seq]) => seq > last - UNSETTLED);
      expect(kept.length).toBeGreaterThan(UNSETTLED / 2);
      expect(kept.filter(([seq, text]) => bySeq.get(seq) !== text)).toEqual([]);
      expect(spool.stats().damaged).toBe(0);
      await folder.close(spool);
    }
    expect(rests).toBeGreaterThan(0);
  });
});

/** Lets a process replay what is set aside until it has said so many lines, then kills it. → texts that were accepted */
async function replayUntilKilled(count: number, afterLines: number): Promise<string[]> {
  const script = resolve('test/support/delivery/replay-for-ever.mjs');
  const child = spawn(process.execPath, [script, folder.path, String(count)], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    output += part;
    if (output.split('\n').length > afterLines) child.kill('SIGKILL');
  });
  await once(child, 'close');
  return output.slice(0, output.lastIndexOf('\n')).split('\n').slice(1);
}

describe('kill -9 of a process that replays set-aside records', () => {
  it('leaves each record accepted, in the spool, or rejected', async () => {
    const COUNT = 200;
    const all = Array.from({ length: COUNT }, (_, n) => `"record-${n}"`);
    const accepted = new Set<string>();
    for (let run = 0; run < 6; run++) {
      for (const text of await replayUntilKilled(COUNT, 2 + random.int(30))) accepted.add(text);
      const spool = await folder.open();
      const kept = new Set((await readAll(spool)).map(([, text]) => text));
      const store = spool.setAside('api');
      for (const { id } of store.list()) kept.add((await store.show(id))!.bytes.toString());
      expect(all.filter((text) => !accepted.has(text) && !kept.has(text))).toEqual([]);
      await folder.close(spool);
    }
    expect(accepted.size).toBeGreaterThan(5);
    expect(accepted.size).toBeLessThan(COUNT);
  });
});
