import { HEADER_BYTES, type NewRecord, writeRecord } from './record.ts';
import type { Segment } from './segment.ts';
import type { Chunk, Window } from './window.ts';

/** First and last sequence of the records of one append. */
export interface Appended {
  readonly first: number;
  readonly last: number;
}

interface Waiter extends Appended {
  readonly resolve: (appended: Appended) => void;
  readonly reject: (error: Error) => void;
}

interface Range {
  readonly chunk: Chunk;
  readonly from: number;
  to: number;
}

/** Records that are written and synced together, or fail together. */
export class Group {
  readonly segment: Segment;
  /** the file of the segment does not exist yet */
  isFresh: boolean;
  /** it contains records of an urgent append */
  isUrgent = false;
  /** epoch seconds */
  readonly time: number;
  readonly ranges: Range[] = [];
  readonly #waiters: Waiter[] = [];
  bytes = 0;
  last = 0;

  constructor(segment: Segment, isFresh: boolean, time: number) {
    this.segment = segment;
    this.isFresh = isFresh;
    this.time = time;
  }

  /** Copies the records to the end of the group, which begins at `offset` of its segment. */
  add(records: readonly NewRecord[], first: number, offset: number, chunk: Chunk | undefined, window: Window): Chunk {
    let current = chunk;
    let seq = first;
    for (const record of records) {
      const need = HEADER_BYTES + record.bytes.length;
      if (current === undefined || current.segment !== this.segment || current.buffer.length - current.used < need) {
        current = window.newChunk(this.segment, offset + this.bytes, need);
      }
      const from = current.used;
      current.used = writeRecord(current.buffer, from, seq++, this.time, record);
      this.bytes += need;
      const range = this.ranges.at(-1);
      if (range?.chunk === current) range.to = current.used;
      else this.ranges.push({ chunk: current, from, to: current.used });
    }
    this.last = seq - 1;
    return current!;
  }

  wait(first: number): Promise<Appended> {
    const last = this.last;
    return new Promise((resolve, reject) => this.#waiters.push({ first, last, resolve, reject }));
  }

  resolve(): void {
    for (const waiter of this.#waiters) waiter.resolve({ first: waiter.first, last: waiter.last });
  }

  reject(error: Error): void {
    for (const waiter of this.#waiters) waiter.reject(error);
  }
}
