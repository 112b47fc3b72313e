import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { POSITION, type Spool, SpoolFailed, type SpoolReader } from '../../../src/gateway/spool/index.ts';
import { HEADER_BYTES, writeRecord } from '../../../src/gateway/spool/record.ts';
import { FaultyDisk } from '../../support/delivery/disk.ts';
import { position, readAll, SpoolFolder } from '../../support/delivery/spool.ts';

let folder: SpoolFolder;
beforeEach(async () => {
  folder = await SpoolFolder.make();
});
afterEach(() => folder.remove());

/** A segment file: the sequence number in its name, the records in it, and how many bytes of the last one are missing. */
interface SegmentFile {
  readonly first: number;
  readonly records: readonly number[];
  readonly missingBytes?: number;
}

const FIRST = 11;
const THREE = { first: 11, records: [11, 12, 13] };

const LAYOUTS: Readonly<Record<string, readonly SegmentFile[]>> = {
  'no segment': [],
  'one segment': [THREE],
  'only an empty segment': [{ first: 17, records: [] }],
  'an empty newest segment behind a gap': [THREE, { first: 17, records: [] }],
  'an empty newest segment without a gap': [THREE, { first: 14, records: [] }],
  'an empty segment in the middle': [THREE, { first: 14, records: [] }, { first: 17, records: [17, 18] }],
  'a missing segment in the middle': [THREE, { first: 17, records: [17, 18] }],
  'a truncated record at the end': [THREE, { first: 14, records: [14, 15, 16], missingBytes: 3 }],
  'a truncated only record': [THREE, { first: 14, records: [14], missingBytes: 3 }],
  'a truncated record in an older segment': [
    { first: 11, records: [11, 12, 13], missingBytes: 3 },
    { first: 14, records: [14, 15] },
  ],
  'overlapping segments': [THREE, { first: 13, records: [13, 14, 15] }],
  'a segment repeated as the newest': [THREE, { first: 14, records: [11, 12, 13] }],
  'a segment repeated in the middle': [THREE, { first: 14, records: [11, 12, 13] }, { first: 17, records: [17, 18] }],
};

const CURSORS: Readonly<Record<string, (last: number) => number | undefined>> = {
  'no cursor': () => undefined,
  'a cursor before the first segment': () => 5,
  'a cursor in the middle': () => 12,
  'a cursor at the end': (last) => last,
  'a cursor beyond the end': (last) => last + 12,
};

/** Of a target that is no longer configured. */
const OTHERS: Readonly<Record<string, (last: number) => number | undefined>> = {
  '': () => undefined,
  ', an old target beyond': (last) => last + 23,
};

const text = (seq: number): string => `record ${seq}`;

function bytesOf({ records, missingBytes = 0 }: SegmentFile): Buffer {
  const block = Buffer.alloc(records.reduce((sum, seq) => sum + HEADER_BYTES + text(seq).length, 0));
  let at = 0;
  for (const seq of records) {
    at = writeRecord(block, at, seq, 1_700_000_000, { kind: POSITION, bytes: Buffer.from(text(seq)) });
  }
  return block.subarray(0, block.length - missingBytes);
}

const intactIn = ({ records, missingBytes = 0 }: SegmentFile): readonly number[] =>
  missingBytes === 0 ? records : records.slice(0, -1);

/** Highest number that a record or a name shows to have been given. */
const lastOf = (layout: readonly SegmentFile[]): number =>
  Math.max(FIRST - 1, ...layout.flatMap((segment) => [segment.first - 1, ...intactIn(segment)]));

async function write(layout: readonly SegmentFile[], cursors: Record<string, number | undefined>): Promise<void> {
  for (const name of ['segments', 'cursors']) await mkdir(join(folder.path, name), { recursive: true });
  for (const segment of layout) {
    const name = `${String(segment.first).padStart(16, '0')}.log`;
    await writeFile(join(folder.path, 'segments', name), bytesOf(segment));
  }
  for (const [target, seq] of Object.entries(cursors)) {
    if (seq !== undefined) await writeFile(join(folder.path, 'cursors', `${target}.json`), JSON.stringify({ seq }));
  }
}

/** More than any of these folders takes to be read. */
const MAX_FILLS = 20;

/** What the reader finds until nothing is left. */
async function readOn(reader: SpoolReader): Promise<[number, string][]> {
  const found: [number, string][] = [];
  for (let fills = 0; fills < MAX_FILLS; fills++) {
    while (reader.next()) {
      const { seq, start, end } = reader.view;
      found.push([seq, reader.block.toString('utf8', start, end)]);
    }
    if (!(await reader.fill())) return found;
  }
  throw new Error('the reader loads without finding an end');
}

/** Whether a reader that has found nothing is notified, though nothing was appended. */
async function isNotified(reader: SpoolReader): Promise<boolean> {
  let isCalled = false;
  void reader.whenMore().then(() => {
    isCalled = true;
  });
  await nextTurn();
  return isCalled;
}

/** Appends a record; the reader is notified, and finds this one alone. */
async function appendAndRead(spool: Spool, reader: SpoolReader): Promise<number> {
  const more = reader.whenMore();
  const { first } = await spool.append([position('appended')]);
  await more;
  expect(await readOn(reader)).toEqual([[first, 'appended']]);
  return first;
}

const cases = Object.entries(LAYOUTS).flatMap(([layoutName, layout]) =>
  Object.entries(CURSORS).flatMap(([cursorName, cursorAt]) =>
    Object.entries(OTHERS).map(([otherName, otherAt]) => {
      const last = lastOf(layout);
      const name = `${layoutName}, ${cursorName}${otherName}`;
      return [name, { layout, api: cursorAt(last), old: otherAt(last) }] as const;
    }),
  ),
);

describe('a spool folder', () => {
  it.each(cases)('with %s is opened, read and continued', async (_, { layout, api, old }) => {
    await write(layout, { api, old });
    const given = Math.max(layout.length === 0 ? 0 : lastOf(layout), api ?? 0, old ?? 0);
    const spool = await folder.open();
    const reader = spool.reader('api');
    const expected = [...new Set(layout.flatMap(intactIn))].filter((seq) => seq > (api ?? 0)).sort((a, b) => a - b);
    expect(await readOn(reader)).toEqual(expected.map((seq) => [seq, text(seq)]));
    expect(await isNotified(reader)).toBe(false);
    const begin = api ?? (layout.length === 0 ? given : layout[0]!.first - 1);
    expect(spool.stats().missing).toEqual({ api: given - begin - expected.length });
    expect(await appendAndRead(spool, reader)).toBeGreaterThan(given);
    expect(await isNotified(reader)).toBe(false);
    const appended = await appendAndRead(spool, reader);
    await reader.close();
    spool.settle('api', appended);
    await folder.close(spool);

    const again = await folder.open();
    const next = again.reader('api');
    expect(await readOn(next)).toEqual([]);
    expect(await isNotified(next)).toBe(false);
    expect(await appendAndRead(again, next)).toBeGreaterThan(appended);
    await next.close();
  });

  it('reports a gap in one line for each target that finds it', async () => {
    await write([THREE, { first: 17, records: [] }], { api: 12, push: 13 });
    const lines: string[] = [];
    const log = pino({ level: 'warn', base: null, timestamp: false }, { write: (line: string) => lines.push(line) });
    const spool = await folder.open({ targets: ['api', 'push'], log });
    for (const target of ['api', 'push']) await readAll(spool, target);
    const gap = { first: 14, last: 16, count: 3 };
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { ...gap, target: 'api' },
      { ...gap, target: 'push' },
    ]);
    expect(spool.stats()).toMatchObject({ missing: { api: 3, push: 3 }, damaged: 0 });
  });

  it('has no gap to report where a write fails while it is open', async () => {
    const disk = new FaultyDisk();
    const spool = await folder.open({ disk });
    const reader = spool.reader('api');
    await spool.append([position('kept')]);
    disk.syncFault = 'EIO';
    await expect(spool.append([position('refused')])).rejects.toThrow(SpoolFailed);
    disk.syncFault = undefined;
    await spool.whenRoom();
    await spool.append([position('kept too')]);
    expect(await readOn(reader)).toEqual([
      [1, 'kept'],
      [3, 'kept too'],
    ]);
    await reader.close();
    expect(spool.stats().missing).toEqual({ api: 0 });
  });
});
