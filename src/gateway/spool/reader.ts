import { type FileHandle, open } from 'node:fs/promises';
import type { AppendLog } from './log.ts';
import { emptyView, findRecord, HEADER_BYTES, type RecordView, readRecord } from './record.ts';
import type { Damage, Segment } from './segment.ts';
import type { Chunk } from './window.ts';

const READ_BYTES = 1024 * 1024;
const NOTHING = Buffer.alloc(0);

/** Receives damage and gaps that a reader finds. */
export interface ReaderFindings {
  damaged(damage: Damage): void;
  /** No record has any of these sequence numbers, `first` to `last`. */
  missing(first: number, last: number): void;
}

/**
 * Reads the durable records of a log in order: the newest from memory, older ones from disk, with their checksums.
 *
 *     while (reader.next() || (await reader.fill())) …   // fill() loads what next() reads
 */
export class SpoolReader {
  /** the current record; its bytes are `block[view.start, view.end)`, valid until the next call */
  readonly view: RecordView = emptyView();
  block: Buffer = NOTHING;
  #at = 0;
  #end = 0;
  /** offset of `block[0]` in the segment */
  #offset = 0;
  #fromDisk = false;
  #chunk: Chunk | undefined;
  #after: number;
  #segment: Segment | undefined;
  #file: FileHandle | undefined;
  readonly #log: AppendLog;
  readonly #findings: ReaderFindings;

  constructor(log: AppendLog, after: number, findings: ReaderFindings) {
    this.#log = log;
    this.#after = after;
    this.#findings = findings;
    this.#segment = log.segments.findLast((segment) => segment.first <= after + 1) ?? log.segments[0];
  }

  /** Sequence up to which all has been read: of the last record, or of the last number without one. */
  get seq(): number {
    return this.#after;
  }

  /** Moves to the next loaded record; false if there is none: then `fill` must be called. */
  next(): boolean {
    while (this.#at < this.#end) {
      if (readRecord(this.block, this.#at, this.#end, this.view, this.#fromDisk) !== 'ok') return false;
      this.#at = this.view.end;
      if (this.view.seq <= this.#after) continue;
      this.#passTo(this.view.seq, this.view.seq - 1);
      return true;
    }
    return false;
  }

  /** Loads more records; `next` may still find none among them. False at the end of the log. */
  async fill(): Promise<boolean> {
    for (;;) {
      const offset = this.#offset + this.#at;
      if (this.#segment === undefined || offset >= this.#segment.bytes) {
        const next = this.#nextSegment();
        if (next === undefined) {
          // without an await since the search: all durable records have been read, and `whenMore` waits for new ones
          if (this.#log.lastSeq > this.#after) this.#passTo(this.#log.lastSeq, this.#log.lastSeq);
          return false;
        }
        await this.close();
        this.#segment = next;
        this.#hold(NOTHING, 0, 0, 0, false);
        continue;
      }
      const chunk = this.#log.window.find(this.#segment, offset);
      if (chunk !== undefined && this.#begins(chunk, offset)) {
        this.#hold(chunk.buffer, offset - chunk.offset, chunk.synced, chunk.offset, false);
        this.#chunk = chunk;
        chunk.readers++;
        return true;
      }
      if (await this.#readBlock(this.#segment, offset)) return true;
    }
  }

  /** After `fill` has returned false: resolves when there are more records. */
  whenMore(): Promise<void> {
    return this.#log.whenMore(this.#after);
  }

  async close(): Promise<void> {
    this.#hold(NOTHING, 0, 0, this.#offset + this.#at, false);
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }

  #nextSegment(): Segment | undefined {
    const first = this.#segment?.first ?? 0;
    return this.#log.segments.find((segment) => segment.first > first);
  }

  /** Continues after `seq`; there is no record of the numbers up to `missingTo` that were not read. */
  #passTo(seq: number, missingTo: number): void {
    const first = this.#after + 1;
    this.#after = seq;
    if (missingTo >= first) this.#findings.missing(first, missingTo);
  }

  /** Whether a record begins there. After damage on disk, reading may continue at another offset. */
  #begins({ buffer, offset: start, synced }: Chunk, offset: number): boolean {
    return readRecord(buffer, offset - start, synced, this.view, false) === 'ok';
  }

  #hold(block: Buffer, at: number, end: number, offset: number, fromDisk: boolean): void {
    if (this.#chunk !== undefined) this.#chunk.readers--;
    this.#chunk = undefined;
    this.block = block;
    this.#at = at;
    this.#end = end;
    this.#offset = offset;
    this.#fromDisk = fromDisk;
  }

  /** Reads from `offset`; false if there was damage, which has been passed over. */
  async #readBlock(segment: Segment, offset: number): Promise<boolean> {
    const left = segment.bytes - offset;
    let block = await this.#read(segment, offset, Math.min(READ_BYTES, left));
    let found = readRecord(block, 0, block.length, this.view, true);
    if (found === 'short' && block.length < left && block.length >= HEADER_BYTES) {
      block = await this.#read(segment, offset, Math.min(HEADER_BYTES + block.readUInt32LE(0), left));
      found = readRecord(block, 0, block.length, this.view, true);
    }
    if (found === 'ok') {
      this.#hold(block, 0, block.length, offset, true);
      return true;
    }
    await this.#stepOver(segment, offset);
    return false;
  }

  async #stepOver(segment: Segment, offset: number): Promise<void> {
    const rest = await this.#read(segment, offset, segment.bytes - offset);
    const before = this.#log.segments.find(({ first }) => first > segment.first)?.first ?? this.#log.lastSeq + 1;
    const next = findRecord(rest, 1, rest.length, this.#after, before);
    let to = segment.bytes;
    let upTo = before;
    if (next >= 0) {
      to = offset + next;
      readRecord(rest, next, rest.length, this.view, false);
      upTo = this.view.seq;
    }
    this.#findings.damaged({ path: segment.path, from: offset, to, after: this.#after, before: upTo });
    this.#hold(NOTHING, 0, 0, to, false);
  }

  async #read(segment: Segment, offset: number, length: number): Promise<Buffer> {
    this.#file ??= await open(segment.path, 'r');
    const block = Buffer.allocUnsafeSlow(length);
    let filled = 0;
    while (filled < length) {
      const { bytesRead } = await this.#file.read(block, filled, length - filled, offset + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return block.subarray(0, filled);
  }
}
