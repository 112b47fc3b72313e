import type { SpoolReader } from '../spool/reader.ts';
import { asText, HEADER_BYTES, type RecordKind } from '../spool/record.ts';

/** How records become text. */
export interface LineFormat {
  readonly kinds: ReadonlySet<RecordKind>;
  /** one byte between lines */
  readonly separator: ',';
  /** around the whole body */
  readonly opening: string;
  readonly closing: string;
}

/** The form of records in a request: all of them as stored in the spool, or those of some kinds as text. */
export interface Format {
  readonly lines: 'records' | LineFormat;
  readonly maxLines: number;
  readonly maxBytes: number;
}

/** Consecutive lines of a batch as the body of a request. */
export interface Slice {
  readonly seqs: readonly number[];
  readonly body: Buffer;
}

const MIN_BODY_BYTES = 16 * 1024;

/**
 * Lines of consecutive records of the spool. Each is built once; the body of a slice is a part of that of the batch.
 */
export class Batch {
  readonly #format: Format;
  #body: Buffer;
  #used = 0;
  readonly #seqs: number[] = [];
  readonly #times: number[] = [];
  readonly #kinds: RecordKind[] = [];
  /** offsets in the body at which lines begin and end */
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  /** every record up to this one is in the batch, or is not for this target */
  upTo: number;
  #isFull = false;

  /** `spare` is the buffer of a batch that has been released. */
  constructor(format: Format, upTo: number, spare?: Buffer) {
    this.#format = format;
    this.upTo = upTo;
    this.#body = spare ?? Buffer.allocUnsafeSlow(MIN_BODY_BYTES);
  }

  get count(): number {
    return this.#seqs.length;
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  /** The buffer, for another batch. This one and its slices must not be used afterwards. */
  release(): Buffer {
    return this.#body;
  }

  /** Adds the reader's current record; false when it belongs to the next batch. */
  take(reader: SpoolReader): boolean {
    const { block, view } = reader;
    const { lines } = this.#format;
    const isTaken =
      lines === 'records'
        ? this.#copy(block, view.start - HEADER_BYTES, view.end, view.kind)
        : !lines.kinds.has(view.kind) || this.#write(lines, asText(view.kind, block.subarray(view.start, view.end)));
    if (isTaken) this.upTo = view.seq;
    if (this.#seqs.length < this.#starts.length) {
      this.#seqs.push(view.seq);
      this.#times.push(view.time);
    }
    return isTaken;
  }

  #write(lines: LineFormat, { kind, bytes }: { kind: RecordKind; bytes: Buffer }): boolean {
    const around = lines.opening.length + lines.closing.length;
    if (!this.#copy(bytes, 0, bytes.length, kind, around + 1)) return false;
    this.#body.write(lines.separator, this.#used++, 'latin1');
    return true;
  }

  #copy(from: Buffer, start: number, end: number, kind: RecordKind, more = 0): boolean {
    const { maxBytes, maxLines } = this.#format;
    const size = end - start + more;
    if ((this.#used + size > maxBytes || this.count >= maxLines) && this.count > 0) {
      this.#isFull = true;
      return false;
    }
    this.#reserve(size);
    this.#starts.push(this.#used);
    this.#used += from.copy(this.#body, this.#used, start, end);
    this.#ends.push(this.#used);
    this.#kinds.push(kind);
    return true;
  }

  /** Lines `[from, to)`. */
  slice(from: number, to: number): Slice {
    const { lines } = this.#format;
    const own = this.#body.subarray(this.#starts[from]!, this.#ends[to - 1]!);
    const body =
      lines === 'records' ? own : Buffer.concat([Buffer.from(lines.opening), own, Buffer.from(lines.closing)]);
    return { seqs: this.#seqs.slice(from, to), body };
  }

  seqAt(index: number): number {
    return this.#seqs[index]!;
  }

  /** epoch seconds when the record was written */
  timeAt(index: number): number {
    return this.#times[index]!;
  }

  /** A record in a readable form. */
  recordAt(index: number): { readonly kind: RecordKind; readonly bytes: Buffer } {
    const from = this.#starts[index]! + (this.#format.lines === 'records' ? HEADER_BYTES : 0);
    return asText(this.#kinds[index]!, this.#body.subarray(from, this.#ends[index]!));
  }

  #reserve(size: number): void {
    const need = this.#used + size;
    if (need <= this.#body.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(need, Math.min(this.#format.maxBytes, this.#body.length * 2)));
    this.#body.copy(larger, 0, 0, this.#used);
    this.#body = larger;
  }
}
