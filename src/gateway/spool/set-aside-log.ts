import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises';
import type { Log as Logger } from '../../platform/log.ts';
import { crc32c } from './crc32c.ts';
import { syncFolder } from './disk.ts';
import { EVENT, HEADER_BYTES, writeRecord } from './record.ts';
import { listSegments, type Segment, segmentAt, segmentFolder } from './segment.ts';
import type { AddHead, Head, Place } from './set-aside-entry.ts';
import { type ScanResult, scanSetAside } from './set-aside-scan.ts';

const SEGMENT_BYTES = 64 * 1024 * 1024;

/** A head, with the content if it is that of a record. */
export interface LogEntry {
  readonly head: Head;
  readonly content?: Uint8Array;
}

/** The segment files of the set-aside records of one target. Changes must not overlap. */
export class SetAsideLog {
  readonly #folder: string;
  readonly #segmentBytes: number;
  readonly #segments: Segment[];
  /** number of the next head */
  #next: number;

  private constructor(folder: string, segmentBytes: number, segments: Segment[], next: number) {
    this.#folder = folder;
    this.#segmentBytes = segmentBytes;
    this.#segments = segments;
    this.#next = next;
  }

  /** Reads the heads; cuts bytes behind the last complete entry, which were never confirmed. */
  static async open(
    folder: string,
    log: Logger,
    visit: (head: Head, place: Place) => void,
    segmentBytes = SEGMENT_BYTES,
  ): Promise<SetAsideLog> {
    await mkdir(segmentFolder(folder), { recursive: true, mode: 0o700 });
    const segments = await listSegments(folder);
    let next = 1;
    for (const segment of segments) {
      const scan = await scanSetAside(segment, segment === segments.at(-1), visit);
      report(log, segment, scan);
      // bytes behind the end of an older segment are damage, and are kept for inspection
      if (segment === segments.at(-1)) segment.bytes = scan.end;
      next = Math.max(next, segment.first, scan.last + 1);
    }
    return new SetAsideLog(folder, segmentBytes, segments, next);
  }

  get bytes(): number {
    return this.#segments.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  get oldest(): Segment | undefined {
    return this.#segments[0];
  }

  get newest(): Segment | undefined {
    return this.#segments.at(-1);
  }

  /** Resolves with the places of the entries when they are durable. If it rejects, none of them is stored. */
  async append(entries: readonly LogEntry[]): Promise<Place[]> {
    const segment = await this.#writable();
    const buffers: Uint8Array[] = [];
    const places: Place[] = [];
    let next = this.#next;
    let end = segment.bytes;
    for (const { head, content } of entries) {
      const record = { kind: EVENT, bytes: Buffer.from(JSON.stringify(head)) };
      const encoded = Buffer.allocUnsafe(HEADER_BYTES + record.bytes.length);
      writeRecord(encoded, 0, next++, 0, record);
      buffers.push(encoded);
      if (content !== undefined && content.length > 0) buffers.push(content);
      const bytes = encoded.length + (content?.length ?? 0);
      places.push({ segment, offset: end + encoded.length, bytes });
      end += bytes;
    }
    const file = await open(segment.path, 'r+');
    try {
      // a failed write may have left bytes there
      await file.truncate(segment.bytes);
      await writeAll(file, buffers, segment.bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    segment.bytes = end;
    this.#next = next;
    return places;
  }

  /** The next append goes to a new segment. */
  async startSegment(): Promise<void> {
    const before = this.newest;
    if (before?.bytes === 0) return;
    if (before !== undefined) await cut(before);
    const segment = segmentAt(this.#folder, this.#next);
    const file = await open(segment.path, 'w', 0o600);
    await file.close();
    await syncFolder(segmentFolder(this.#folder));
    this.#segments.push(segment);
  }

  /** Deletes the oldest segment. A newer one may hold the marks of records that were removed from it. */
  async dropOldest(): Promise<void> {
    await unlink(this.#segments[0]!.path);
    await syncFolder(segmentFolder(this.#folder));
    this.#segments.shift();
  }

  async #writable(): Promise<Segment> {
    const { newest } = this;
    if (newest === undefined || newest.bytes >= this.#segmentBytes) await this.startSegment();
    return this.newest!;
  }
}

/** The content of a record. Throws if it is not what was written. */
export async function readContent({ seq, size, crc }: AddHead, { segment, offset }: Place): Promise<Buffer> {
  const content = Buffer.allocUnsafeSlow(size);
  const file = await open(segment.path, 'r');
  try {
    await file.read(content, 0, size, offset);
  } finally {
    await file.close();
  }
  if (crc32c(content, 0, size, 0) !== crc)
    throw new Error(`The content of record ${seq} is damaged in ${segment.path}`);
  return content;
}

/**
 * Cuts the file behind its last entry before the next segment begins: only the newest segment is checked after a crash.
 */
async function cut({ path, bytes }: Segment): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.truncate(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function writeAll(file: FileHandle, buffers: readonly Uint8Array[], start: number): Promise<void> {
  // Node passes at most 1024 buffers to one system call
  const MAX_BUFFERS = 1024;
  let position = start;
  for (let from = 0; from < buffers.length; from += MAX_BUFFERS) {
    const some = buffers.slice(from, from + MAX_BUFFERS);
    const bytes = some.reduce((sum, { length }) => sum + length, 0);
    const { bytesWritten } = await file.writev(some, position);
    if (bytesWritten < bytes)
      throw Object.assign(new Error('The disk has no room for set-aside records'), { code: 'ENOSPC' });
    position += bytes;
  }
}

function report(log: Logger, { path, bytes }: Segment, { end, damaged }: ScanResult): void {
  if (damaged > 0) log.error({ path, damaged }, 'set-aside records are damaged on disk and not listed');
  if (bytes > end) log.warn({ path, bytes: bytes - end }, 'bytes behind the last whole set-aside record are ignored');
}
