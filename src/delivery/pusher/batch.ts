import type { SpoolReader } from '../spool/reader.ts';
import type { RecordKind } from '../spool/record.ts';

/** How a target wants records written: `prefix`, the record's bytes without the first `skip`, `suffix`; separated. */
export interface Format {
  readonly accepts: (kind: RecordKind) => boolean;
  readonly prefix: (seq: number, kind: RecordKind) => string;
  readonly skip: (kind: RecordKind) => number;
  readonly suffix: (kind: RecordKind) => string;
  readonly separator: string;
  /** around the whole body */
  readonly opening: string;
  readonly closing: string;
  readonly maxLines: number;
  readonly maxBytes: number;
}

/** Some neighbouring lines of a batch, ready to be sent. */
export interface Slice {
  readonly seqs: readonly number[];
  readonly body: Buffer;
}

const LEAST_BYTES = 16 * 1024;

/** Lines gathered from the spool, each built once from its stored bytes; a part of them is cut out, never rebuilt. */
export class Batch {
  readonly #format: Format;
  #body: Buffer;
  #used = 0;
  readonly #seqs: number[] = [];
  readonly #times: number[] = [];
  readonly #kinds: RecordKind[] = [];
  /** where lines begin and end in the body, and where in them the record's own bytes do */
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #froms: number[] = [];
  readonly #tos: number[] = [];
  /** every record up to this one is in the batch, or is none for this target */
  upTo: number;
  #isFull = false;

  constructor(format: Format, upTo: number, sizeHint: number) {
    this.#format = format;
    this.upTo = upTo;
    this.#body = Buffer.allocUnsafeSlow(Math.min(format.maxBytes, Math.max(LEAST_BYTES, sizeHint)));
  }

  get count(): number {
    return this.#seqs.length;
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  get bytes(): number {
    return this.#used;
  }

  /** Takes the record that the reader stands on; false when it belongs into the next batch. */
  take(reader: SpoolReader): boolean {
    const { block, view } = reader;
    const { kind, seq } = view;
    const format = this.#format;
    if (!format.accepts(kind)) {
      this.upTo = seq;
      return true;
    }
    const prefix = format.prefix(seq, kind);
    const suffix = format.suffix(kind);
    const from = view.start + format.skip(kind);
    const size = prefix.length + (view.end - from) + suffix.length + format.separator.length;
    const fixed = format.opening.length + format.closing.length;
    const isTooMuch = this.#used + size + fixed > format.maxBytes || this.count >= format.maxLines;
    if (isTooMuch && this.count > 0) {
      this.#isFull = true;
      return false;
    }
    this.#reserve(size);
    const start = this.#used;
    let at = start + this.#body.write(prefix, start, 'latin1');
    this.#froms.push(at);
    at += block.copy(this.#body, at, from, view.end);
    this.#tos.push(at);
    at += this.#body.write(suffix, at, 'latin1');
    this.#ends.push(at);
    this.#used = at + this.#body.write(format.separator, at, 'latin1');
    this.#starts.push(start);
    this.#seqs.push(seq);
    this.#times.push(view.time);
    this.#kinds.push(kind);
    this.upTo = seq;
    return true;
  }

  /** Lines `[from, to)`. */
  slice(from: number, to: number): Slice {
    const { opening, closing, separator } = this.#format;
    const start = this.#starts[from]!;
    const end = this.#ends[to - 1]!;
    const body =
      opening === '' && closing === ''
        ? this.#body.subarray(start, end + separator.length)
        : Buffer.concat([Buffer.from(opening), this.#body.subarray(start, end), Buffer.from(closing)]);
    return { seqs: this.#seqs.slice(from, to), body };
  }

  seqAt(index: number): number {
    return this.#seqs[index]!;
  }

  /** epoch seconds when the record was written */
  timeAt(index: number): number {
    return this.#times[index]!;
  }

  /** A record as it stands in the spool. */
  recordAt(index: number): { readonly kind: RecordKind; readonly bytes: Buffer } {
    const kind = this.#kinds[index]!;
    const own = this.#body.subarray(this.#froms[index]!, this.#tos[index]!);
    return { kind, bytes: this.#format.skip(kind) === 0 ? own : Buffer.concat([Buffer.from('{'), own]) };
  }

  #reserve(size: number): void {
    const need = this.#used + size;
    if (need <= this.#body.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(need, Math.min(this.#format.maxBytes, this.#body.length * 2)));
    this.#body.copy(larger, 0, 0, this.#used);
    this.#body = larger;
  }
}
