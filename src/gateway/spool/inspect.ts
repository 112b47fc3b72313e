import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { readCursors } from './cursor.ts';
import { errorCode } from './errors.ts';
import { askHolder } from './lock-socket.ts';
import { asText, type RecordKind } from './record.ts';
import { checkVersion } from './recover.ts';
import { type Damage, listSegments, type Segment, type SegmentScan, scanSegment } from './segment.ts';
import type { SetAsideEntry } from './set-aside-entry.ts';
import { knownTargets, listSetAside } from './set-aside-files.ts';

export interface SegmentView {
  readonly file: string;
  readonly first: number;
  readonly last: number;
  readonly records: number;
  readonly bytes: number;
  /**
   * bytes behind the last complete record: an incomplete write, or old records; of a running gateway also new ones
   */
  readonly tailBytes: number;
  readonly damage: readonly Damage[];
}

export interface SpoolView {
  readonly id: string;
  /** pid of the process that holds the spool */
  readonly holder: number | undefined;
  readonly segments: readonly SegmentView[];
  readonly lastSeq: number;
  /** target → sequence up to which it has settled, as stored */
  readonly cursors: Readonly<Record<string, number>>;
  readonly setAside: readonly SetAsideEntry[];
}

export interface StoredRecord {
  readonly seq: number;
  readonly kind: RecordKind;
  /** epoch ms, whole seconds */
  readonly at: number;
  readonly bytes: Buffer;
}

/** Reads a spool folder and checks every record. Changes nothing; a gateway may use the folder at the same time. */
export async function inspectSpool(folder: string): Promise<SpoolView> {
  await checkVersion(folder);
  const segments: SegmentView[] = [];
  for await (const { segment, scan } of scanAll(folder)) {
    const { last, records, damage } = scan;
    const tailBytes = segment.bytes - scan.end;
    const file = basename(segment.path);
    segments.push({ file, first: segment.first, last, records, bytes: segment.bytes, tailBytes, damage });
  }
  const setAside: SetAsideEntry[] = [];
  for (const target of await knownTargets(folder)) setAside.push(...(await listSetAside(folder, target)));
  const holder = (await askHolder(folder, { do: 'who' }, 2_000)) as { pid?: number } | undefined;
  return {
    id: (await readFile(`${folder}/id`, 'utf8')).trim(),
    holder: holder?.pid,
    segments,
    lastSeq: segments.at(-1)?.last ?? 0,
    cursors: Object.fromEntries(await readCursors(folder)),
    setAside,
  };
}

/** Records of the log as text, starting with a sequence. */
export async function readRecords(folder: string, from: number, limit: number): Promise<StoredRecord[]> {
  await checkVersion(folder);
  const found: StoredRecord[] = [];
  for await (const _segment of scanAll(folder, (block, { seq, kind, time, start, end }) => {
    if (seq < from || found.length >= limit) return;
    found.push({ seq, at: time * 1000, ...asText(kind, Buffer.from(block.subarray(start, end))) });
  })) {
    if (found.length >= limit) break;
  }
  return found;
}

async function* scanAll(
  folder: string,
  visit?: Parameters<typeof scanSegment>[2],
): AsyncGenerator<{ segment: Segment; scan: SegmentScan }> {
  const segments = await listSegments(folder);
  for (const [index, segment] of segments.entries()) {
    const before = segments[index + 1]?.first ?? Number.MAX_SAFE_INTEGER;
    try {
      yield { segment, scan: await scanSegment(segment, before, visit) };
    } catch (error) {
      // a running gateway deletes settled segments
      if (errorCode(error) !== 'ENOENT') throw error;
    }
  }
}
