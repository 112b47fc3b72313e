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
/** Segments that the log may fill while a settled one is kept: half of all that it may. */
const MOST_BESIDE_SPARE = 8;

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
 * The segmented append log. One group is written and synced while the next one gathers; groups begin at least half
 * of `syncMs` apart, and at once where nothing was going on or somebody is in a hurry.
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
  /** the write, sync or roll that is going on */
  #busy: Promise<void> | undefined;
  #startedAt = Number.NEGATIVE_INFINITY;
  #nextSeq: number;
  /** where the next record goes once all that is under way has succeeded; undefined: to a new segment */
  #tail: { segment: Segment; offset: number; chunk: Chunk | undefined } | undefined;
  #safeBytes: number;
  #unsyncedBytes = 0;
  readonly #moreWaiters: (() => void)[] = [];
  #closed = false;

  /** sequence of the newest safe record; 0 when there never was one */
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
    this.#safeBytes = segments.reduce((sum, segment) => sum + segment.bytes, 0);
    this.window = new Window(settings.windowBytes);
    const active = segments.at(-1)!;
    this.#tail = { segment: active, offset: active.bytes, chunk: undefined };
  }

  /** Bytes of the log, with those that are being written. */
  get bytes(): number {
    return this.#safeBytes + this.#unsyncedBytes;
  }

  /**
   * Resolves when the records are on disk; rejects with SpoolFull or SpoolFailed, and then none of them is kept. Those
   * that are urgent wait for no more than the group that is being written.
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

  /** Resolves when there is a safe record behind `seq`; never once the log is closed. */
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
    // behind the sockets that are readable in this turn of the loop: what they bring belongs to this group
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
    this.#safeBytes += group.bytes;
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
   * Nothing of a failed group stays, and what gathered behind it fails too, so that no later record of a connection is
   * safe without the one before it. The segment is left: after a failed sync, the kernel may call its pages clean.
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
      log.error({ err: error, segment: group.segment.path }, 'the tail of a failed write could not be cut');
    }
    await file?.close().catch(() => undefined);
    if (group.isFresh) await disk.remove(group.segment.path).catch(() => undefined);
  }

  /** Disposes of segments whose records are all at or below `settled`. The newest file stays: its name keeps the sequence. */
  async forget(settled: number): Promise<void> {
    while (this.segments.length > 1 && this.segments[1]!.first - 1 <= settled) {
      const segment = this.segments.shift()!;
      this.#safeBytes -= segment.bytes;
      await this.#files.dispose(segment, this.#isWorthKeeping(segment));
    }
    if (this.#room().blocked !== undefined) await this.#files.dropSpare();
    if (this.#isWorthRolling(settled)) this.#exclusively(() => this.#roll());
    await this.#room().look();
  }

  /** Not where its space may be needed: the log stays within its bounds with it. */
  #isWorthKeeping({ bytes }: Segment): boolean {
    const { segmentBytes } = this.#settings;
    const isEmpty = this.bytes <= MOST_BESIDE_SPARE * segmentBytes;
    return isEmpty && bytes >= segmentBytes / 4 && !this.#closed && this.#room().blocked === undefined;
  }

  #isWorthRolling(settled: number): boolean {
    if (this.#busy !== undefined || this.#gathering !== undefined || this.#closed || settled < this.lastSeq)
      return false;
    const active = this.segments.at(-1)!;
    if (active.bytes === 0) return false;
    return this.#room().blocked !== undefined || active.bytes >= this.#settings.segmentBytes / 4;
  }

  /** All is settled: a new, empty segment takes the place of the newest one, whose room is then free. */
  async #roll(): Promise<void> {
    const segment = segmentAt(this.#settings.folder, this.#nextSeq);
    this.#tail = { segment, offset: 0, chunk: undefined };
    try {
      await this.#open(segment);
    } catch (error) {
      this.#settings.log.warn({ err: error }, 'no new segment could be made');
      await this.#closeFile().catch(() => undefined);
      await this.#settings.disk.remove(segment.path).catch(() => undefined);
      if (this.#gathering === undefined) this.#tail = undefined;
      else this.#gathering.isFresh = true;
      return;
    }
    this.segments.push(segment);
    await this.forget(this.lastSeq);
  }

  /** Writes what has gathered, then closes. */
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
