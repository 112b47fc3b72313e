import { type FileHandle, open } from 'node:fs/promises';
import type { AppendLog } from './log.ts';
import { emptyView, findRecord, HEADER_BYTES, type RecordView, readRecord } from './record.ts';
import type { Damage, Segment } from './segment.ts';
import type { Chunk } from './window.ts';

const READ_BYTES = 1024 * 1024;
const NOTHING = Buffer.alloc(0);

/**
 * Walks the safe records of a log in order: fresh ones from memory, older ones from disk, where each is checked again.
 *
 *     while (reader.next() || (await reader.fill())) …   // fill() only makes next() able to go on
 */
export class SpoolReader {
  /** the record that `next` found; its bytes are `block[view.start, view.end)`, good until the next call */
  readonly view: RecordView = emptyView();
  block: Buffer = NOTHING;
  #at = 0;
  #end = 0;
  /** where `block[0]` stands in the segment */
  #offset = 0;
  #fromDisk = false;
  #chunk: Chunk | undefined;
  #after: number;
  #segment: Segment | undefined;
  #file: FileHandle | undefined;
  readonly #log: AppendLog;
  readonly #onDamage: (damage: Damage) => void;

  constructor(log: AppendLog, after: number, onDamage: (damage: Damage) => void) {
    this.#log = log;
    this.#after = after;
    this.#onDamage = onDamage;
    this.#segment = log.segments.findLast((segment) => segment.first <= after + 1) ?? log.segments[0];
  }

  /** Sequence of the record that was read last. */
  get seq(): number {
    return this.#after;
  }

  /** Steps to the next record of what is at hand; false when `fill` must be asked. */
  next(): boolean {
    while (this.#at < this.#end) {
      if (readRecord(this.block, this.#at, this.#end, this.view, this.#fromDisk) !== 'ok') return false;
      this.#at = this.view.end;
      if (this.view.seq <= this.#after) continue;
      this.#after = this.view.seq;
      return true;
    }
    return false;
  }

  /** Loads more records; false when the end is reached. */
  async fill(): Promise<boolean> {
    for (;;) {
      const offset = this.#offset + this.#at;
      if (this.#segment === undefined || offset >= this.#segment.bytes) {
        if (!(await this.#toNextSegment())) return false;
        continue;
      }
      const chunk = this.#log.window.find(this.#segment, offset);
      if (chunk !== undefined) {
        this.#hold(chunk.buffer, offset - chunk.offset, chunk.synced, chunk.offset, false);
        this.#chunk = chunk;
        chunk.readers++;
        return true;
      }
      if (await this.#readBlock(this.#segment, offset)) return true;
    }
  }

  /** Resolves when `fill` will find more. */
  whenMore(): Promise<void> {
    return this.#log.whenMore(this.#after);
  }

  async close(): Promise<void> {
    this.#hold(NOTHING, 0, 0, this.#offset + this.#at, false);
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }

  async #toNextSegment(): Promise<boolean> {
    const first = this.#segment?.first ?? 0;
    const next = this.#log.segments.find((segment) => segment.first > first);
    if (next === undefined) return false;
    await this.close();
    this.#segment = next;
    this.#hold(NOTHING, 0, 0, 0, false);
    return true;
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

  /** Reads on from `offset`; false when what stands there was damage and has been stepped over. */
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
    this.#onDamage({ path: segment.path, from: offset, to, after: this.#after, before: upTo });
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
