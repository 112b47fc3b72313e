import type { Clock } from '../../platform/clock.ts';
import type { Log as Logger } from '../../platform/log.ts';
import type { Disk, LogFile } from './disk.ts';
import { errorCode, SpoolFailed, SpoolFull, writeError } from './errors.ts';
import { type Appended, Group } from './group.ts';
import { HEADER_BYTES, MAX_RECORD_BYTES, type NewRecord } from './record.ts';
import type { Room } from './room.ts';
import { type Segment, segmentAt, segmentFolder } from './segment.ts';
import { SegmentFiles } from './segment-files.ts';
import { type Chunk, Window } from './window.ts';

/** A group this large is written without waiting for more. */
const GROUP_BYTES = 1024 * 1024;
/** A settled segment is kept while the log has at most this many: half of its maximum. */
const MAX_SEGMENTS_BESIDE_SPARE = 8;

export interface LogSettings {
  readonly folder: string;
  readonly syncMs: number;
  readonly segmentBytes: number;
  readonly windowBytes: number;
  readonly disk: Disk;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * The segmented append-only log. One group is written and synced while records of the next one are collected. Writes
 * begin at least half of `syncMs` apart; without one in that time, or for urgent records, a write begins at once.
 */
export class AppendLog {
  readonly segments: Segment[];
  readonly window: Window;
  readonly #settings: LogSettings;
  readonly #files: SegmentFiles;
  readonly #room: () => Room;
  #file: LogFile | undefined;
  #gathering: Group | undefined;
  #timer: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;
  /** the write with sync, or the roll, that is running */
  #busy: Promise<void> | undefined;
  #startedAt = Number.NEGATIVE_INFINITY;
  #nextSeq: number;
  /** position of the next record if all pending writes succeed; undefined: in a new segment */
  #tail: { segment: Segment; offset: number; chunk: Chunk | undefined } | undefined;
  #durableBytes: number;
  #unsyncedBytes = 0;
  readonly #moreWaiters: (() => void)[] = [];
  #closed = false;

  /** sequence of the newest durable record; 0 if there never was one */
  lastSeq: number;
  lastSyncMs = 0;
  syncs = 0;

  constructor(settings: LogSettings, segments: Segment[], lastSeq: number, file: LogFile, room: () => Room) {
    this.#settings = settings;
    this.#files = new SegmentFiles(settings.disk, settings.log);
    this.segments = segments;
    this.lastSeq = lastSeq;
    this.#nextSeq = lastSeq + 1;
    this.#file = file;
    this.#room = room;
    this.#durableBytes = segments.reduce((sum, segment) => sum + segment.bytes, 0);
    this.window = new Window(settings.windowBytes);
    const active = segments.at(-1)!;
    this.#tail = { segment: active, offset: active.bytes, chunk: undefined };
  }

  /** Bytes of the log, pending writes included. */
  get bytes(): number {
    return this.#durableBytes + this.#unsyncedBytes;
  }

  /**
   * Resolves when the records are durable. Rejects with SpoolFull or SpoolFailed; none of them is kept then. Urgent
   * ones wait only for the group that is being written.
   */
  append(records: readonly NewRecord[], isUrgent = false): Promise<Appended> {
    if (this.#closed) return Promise.reject(new SpoolFailed('The spool is closed'));
    let bytes = 0;
    for (const record of records) {
      if (record.bytes.length > MAX_RECORD_BYTES) {
        return Promise.reject(new RangeError(`A record has at most ${MAX_RECORD_BYTES} bytes`));
      }
      bytes += HEADER_BYTES + record.bytes.length;
    }
    const first = this.#nextSeq;
    if (bytes === 0) return Promise.resolve({ first, last: first - 1 });
    const refusal = this.#room().refusal(bytes);
    if (refusal !== undefined) return Promise.reject(refusal);
    const group = this.#group();
    group.isUrgent ||= isUrgent;
    const tail = this.#tail!;
    const before = group.bytes;
    tail.chunk = group.add(records, first, tail.offset - before, tail.chunk, this.window);
    tail.offset += group.bytes - before;
    this.#unsyncedBytes += bytes;
    this.#nextSeq = group.last + 1;
    this.#schedule();
    return group.wait(first);
  }

  /** Resolves when a record after `seq` is durable; never after the log is closed. */
  whenMore(seq: number): Promise<void> {
    if (this.lastSeq > seq) return Promise.resolve();
    return new Promise((resolve) => this.#moreWaiters.push(resolve));
  }

  #group(): Group {
    if (this.#gathering !== undefined) return this.#gathering;
    let isFresh = false;
    if (this.#tail === undefined || this.#tail.offset >= this.#settings.segmentBytes) {
      this.#tail = { segment: segmentAt(this.#settings.folder, this.#nextSeq), offset: 0, chunk: undefined };
      isFresh = true;
    }
    this.#gathering = new Group(this.#tail.segment, isFresh, Math.floor(this.#settings.clock.now() / 1000));
    return this.#gathering;
  }

  #schedule(): void {
    const group = this.#gathering;
    if (group === undefined || this.#busy !== undefined || this.#immediate !== undefined) return;
    const isDue = group.isUrgent || group.bytes >= GROUP_BYTES || this.#closed;
    if (this.#timer !== undefined && !isDue) return;
    const wait = this.#startedAt + this.#settings.syncMs / 2 - this.#settings.clock.monotonic();
    if (wait > 0 && !isDue) {
      this.#timer = setTimeout(() => this.#begin(), wait);
      return;
    }
    // sockets that are readable in this iteration of the event loop are read first: their records join this group
    this.#immediate = setImmediate(() => this.#begin());
  }

  #begin(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    clearImmediate(this.#immediate);
    this.#immediate = undefined;
    const group = this.#gathering;
    if (group === undefined || this.#busy !== undefined) return;
    this.#gathering = undefined;
    this.#exclusively(() => this.#commit(group));
  }

  #exclusively(work: () => Promise<void>): void {
    this.#busy = work().finally(() => {
      this.#busy = undefined;
      this.#schedule();
    });
  }

  async #commit(group: Group): Promise<void> {
    const started = this.#settings.clock.monotonic();
    this.#startedAt = started;
    try {
      if (group.isFresh) await this.#open(group.segment);
      await this.#write(group);
      await this.#file!.datasync();
    } catch (error) {
      await this.#fail(group, error);
      return;
    }
    const ended = this.#settings.clock.monotonic();
    this.lastSyncMs = ended - started;
    this.syncs++;
    this.#succeed(group);
    this.#room().written(group.bytes, ended);
  }

  #succeed(group: Group): void {
    group.segment.bytes += group.bytes;
    this.#durableBytes += group.bytes;
    this.#unsyncedBytes -= group.bytes;
    if (group.isFresh) this.segments.push(group.segment);
    for (const { chunk, to } of group.ranges) {
      chunk.synced = to;
      this.window.add(chunk);
    }
    this.lastSeq = group.last;
    group.resolve();
    for (const resolve of this.#moreWaiters.splice(0)) resolve();
  }

  async #open(segment: Segment): Promise<void> {
    const { disk, folder } = this.#settings;
    await this.#closeFile().catch(() => undefined);
    this.#file = await this.#files.create(segment);
    await disk.syncFolder(segmentFolder(folder));
  }

  async #closeFile(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    if (file !== undefined) await this.#files.close(file, this.segments.at(-1)!.bytes);
  }

  async #write(group: Group): Promise<void> {
    let buffers: Uint8Array[] = group.ranges.map(({ chunk, from, to }) => chunk.buffer.subarray(from, to));
    let position = group.segment.bytes;
    for (let left = group.bytes; left > 0; ) {
      const { bytesWritten } = await this.#file!.writev(buffers, position);
      if (bytesWritten === 0) throw new SpoolFailed('The disk took nothing of a write');
      left -= bytesWritten;
      position += bytesWritten;
      if (left > 0) buffers = behind(buffers, bytesWritten);
    }
  }

  /**
   * Removes a failed group. The group that is being collected fails too, so that no record of a connection is durable
   * without those before it. The segment is not written further: after a failed sync, the kernel may mark its pages
   * clean.
   */
  async #fail(group: Group, cause: unknown): Promise<void> {
    const error = writeError(cause);
    const { log } = this.#settings;
    const reason = error instanceof SpoolFull ? error.reason : 'failed';
    log.error({ err: cause, code: errorCode(cause), reason, bytes: group.bytes }, 'the spool could not be written');
    await this.#abandon(group);
    const behindIt = this.#gathering;
    this.#gathering = undefined;
    this.#tail = undefined;
    this.#unsyncedBytes = 0;
    this.#room().block({ reason, detail: error.message });
    group.reject(error);
    behindIt?.reject(error);
  }

  async #abandon(group: Group): Promise<void> {
    const { disk, log } = this.#settings;
    const file = this.#file;
    this.#file = undefined;
    try {
      await file?.truncate(group.segment.bytes);
      await file?.datasync();
    } catch (error) {
      log.error({ err: error, segment: group.segment.path }, 'a failed write could not be truncated');
    }
    await file?.close().catch(() => undefined);
    if (group.isFresh) await disk.remove(group.segment.path).catch(() => undefined);
  }

  /**
   * Removes segments whose records are all at or below `settled`, but never the newest: its name holds the sequence.
   */
  async forget(settled: number): Promise<void> {
    while (this.segments.length > 1 && this.segments[1]!.first - 1 <= settled) {
      const segment = this.segments.shift()!;
      this.#durableBytes -= segment.bytes;
      await this.#files.dispose(segment, this.#isWorthKeeping(segment));
    }
    if (this.#room().blocked !== undefined) await this.#files.dropSpare();
    if (this.#isWorthRolling(settled)) this.#exclusively(() => this.#roll());
    await this.#room().unblockIfRoom();
  }

  /** A settled file is kept only if the log stays within its limit with it. */
  #isWorthKeeping({ bytes }: Segment): boolean {
    const { segmentBytes } = this.#settings;
    const isEmpty = this.bytes <= MAX_SEGMENTS_BESIDE_SPARE * segmentBytes;
    return isEmpty && bytes >= segmentBytes / 4 && !this.#closed && this.#room().blocked === undefined;
  }

  #isWorthRolling(settled: number): boolean {
    if (this.#busy !== undefined || this.#gathering !== undefined || this.#closed || settled < this.lastSeq)
      return false;
    const active = this.segments.at(-1)!;
    if (active.bytes === 0) return false;
    return this.#room().blocked !== undefined || active.bytes >= this.#settings.segmentBytes / 4;
  }

  /** After all records are settled: replaces the newest segment by an empty one, which frees its space. */
  async #roll(): Promise<void> {
    const segment = segmentAt(this.#settings.folder, this.#nextSeq);
    this.#tail = { segment, offset: 0, chunk: undefined };
    try {
      await this.#open(segment);
    } catch (error) {
      this.#settings.log.warn({ err: error }, 'no new segment could be created');
      await this.#closeFile().catch(() => undefined);
      await this.#settings.disk.remove(segment.path).catch(() => undefined);
      if (this.#gathering === undefined) this.#tail = undefined;
      else this.#gathering.isFresh = true;
      return;
    }
    this.segments.push(segment);
    await this.forget(this.lastSeq);
  }

  /** Writes the records that have been collected, then closes. */
  async close(): Promise<void> {
    this.#closed = true;
    while (this.#busy !== undefined || this.#gathering !== undefined) {
      if (this.#busy === undefined) this.#begin();
      await this.#busy;
    }
    clearTimeout(this.#timer);
    clearImmediate(this.#immediate);
    await this.#closeFile();
    await this.#files.dropSpare();
  }
}

function behind(buffers: readonly Uint8Array[], bytes: number): Uint8Array[] {
  let skip = bytes;
  const rest: Uint8Array[] = [];
  for (const buffer of buffers) {
    if (skip < buffer.length) rest.push(buffer.subarray(skip));
    skip = Math.max(0, skip - buffer.length);
  }
  return rest;
}
