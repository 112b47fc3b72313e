import { open, stat } from 'node:fs/promises';
import { namesIn } from './disk.ts';
import { emptyView, findRecord, HEADER_BYTES, type RecordView, readRecord } from './record.ts';

/** One file of the log. Its name is the first sequence that it may hold. */
export interface Segment {
  readonly first: number;
  readonly path: string;
  /** durable bytes, which may be read */
  bytes: number;
}

/** Bytes between records that are no valid record. */
export interface Damage {
  readonly path: string;
  readonly from: number;
  readonly to: number;
  /** records with sequences strictly between these may be lost */
  readonly after: number;
  readonly before: number;
}

/** Sequences of failed groups are not used again and leave gaps; a wider gap is damage. */
const MAX_SEQUENCE_GAP = 2 ** 32;

const NAME = /^(\d{16})\.log$/;

export const segmentFolder = (folder: string): string => `${folder}/segments`;

export const segmentAt = (folder: string, first: number): Segment => ({
  first,
  path: `${segmentFolder(folder)}/${String(first).padStart(16, '0')}.log`,
  bytes: 0,
});

const SPARE = /^\d{16}\.spare$/;

/** The name of its file once it is settled and may be written again. */
export const sparePathOf = ({ path }: Segment): string => path.replace(/\.log$/, '.spare');

/** Settled files that were kept when the process was killed. */
export async function listSpares(folder: string): Promise<string[]> {
  const names = await namesIn(segmentFolder(folder));
  return names.filter((name) => SPARE.test(name)).map((name) => `${segmentFolder(folder)}/${name}`);
}

/** The segments of a spool folder, oldest first, with the sizes of their files. */
export async function listSegments(folder: string): Promise<Segment[]> {
  const segments: Segment[] = [];
  for (const name of await namesIn(segmentFolder(folder))) {
    const match = NAME.exec(name);
    if (match === null) continue;
    const segment = segmentAt(folder, Number(match[1]));
    segment.bytes = (await stat(segment.path)).size;
    segments.push(segment);
  }
  return segments;
}

export interface SegmentScan {
  /** end of the last complete record */
  readonly end: number;
  /** sequence of the last complete record, or `first - 1` */
  readonly last: number;
  readonly records: number;
  readonly damage: readonly Damage[];
}

/**
 * Reads a segment and checks every record; sequences must be below `before`. Bytes behind the last complete record are
 * not reported as damage: in the newest segment they are an incomplete write, or records of the segment that its file
 * was before.
 */
export async function scanSegment(
  segment: Segment,
  before: number,
  visit?: (block: Buffer, view: RecordView) => void,
): Promise<SegmentScan> {
  const block = await readSegment(segment);
  const view = emptyView();
  const damage: Damage[] = [];
  let at = 0;
  let last = segment.first - 1;
  let records = 0;
  while (at + HEADER_BYTES <= block.length) {
    if (readRecord(block, at, block.length, view, true) === 'ok' && view.seq > last && view.seq < before) {
      last = view.seq;
      records++;
      at = view.end;
      visit?.(block, view);
      continue;
    }
    const next = findRecord(block, at + 1, block.length, last, Math.min(before, last + MAX_SEQUENCE_GAP));
    if (next < 0) break;
    readRecord(block, next, block.length, view, false);
    damage.push({ path: segment.path, from: at, to: next, after: last, before: view.seq });
    at = next;
  }
  return { end: at, last, records, damage };
}

/** The first `segment.bytes` bytes of the file, fewer if it is shorter. */
async function readSegment(segment: Segment): Promise<Buffer> {
  const file = await open(segment.path, 'r');
  try {
    const block = Buffer.allocUnsafeSlow(segment.bytes);
    let length = 0;
    while (length < block.length) {
      const { bytesRead } = await file.read(block, length, block.length - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return block.subarray(0, length);
  } finally {
    await file.close();
  }
}
