import type { SpoolReader } from '../spool/reader.ts';
import type { RecordKind } from '../spool/record.ts';

/** How one kind of record is written: `before`, its sequence, `between`; the record without its first `skip` bytes; `after`. */
export interface LineShape {
  readonly before: Buffer;
  readonly hasSeq: boolean;
  readonly between: Buffer;
  readonly skip: 0 | 1;
  readonly after: Buffer;
}

/** How a target wants its records; a kind without a shape is not for it. */
export interface Format {
  readonly shapes: Readonly<Partial<Record<RecordKind, LineShape>>>;
  /** one byte between lines */
  readonly separator: ',' | '\n';
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
const MAX_DIGITS = 16;

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

  /** `spare` is the buffer of a batch that is done with. */
  constructor(format: Format, upTo: number, spare?: Buffer) {
    this.#format = format;
    this.upTo = upTo;
    this.#body = spare ?? Buffer.allocUnsafeSlow(LEAST_BYTES);
  }

  get count(): number {
    return this.#seqs.length;
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  /** The buffer, for another batch; this one and its slices are of no use then. */
  release(): Buffer {
    return this.#body;
  }

  /** Takes the record that the reader stands on; false when it belongs into the next batch. */
  take(reader: SpoolReader): boolean {
    const { block, view } = reader;
    const { kind, seq } = view;
    const { shapes, maxBytes, maxLines, opening, closing, separator } = this.#format;
    const shape = shapes[kind];
    if (shape === undefined) {
      this.upTo = seq;
      return true;
    }
    const from = view.start + shape.skip;
    const size = shape.before.length + MAX_DIGITS + shape.between.length + (view.end - from) + shape.after.length + 1;
    const isTooMuch = this.#used + size + opening.length + closing.length > maxBytes || this.count >= maxLines;
    if (isTooMuch && this.count > 0) {
      this.#isFull = true;
      return false;
    }
    this.#reserve(size);
    const body = this.#body;
    this.#starts.push(this.#used);
    let at = put(body, this.#used, shape.before);
    if (shape.hasSeq) at = putDigits(body, at, seq);
    at = put(body, at, shape.between);
    this.#froms.push(at);
    at += block.copy(body, at, from, view.end);
    this.#tos.push(at);
    at = put(body, at, shape.after);
    this.#ends.push(at);
    body[at] = separator === ',' ? 0x2c : 0x0a;
    this.#used = at + 1;
    this.#seqs.push(seq);
    this.#times.push(view.time);
    this.#kinds.push(kind);
    this.upTo = seq;
    return true;
  }

  /** Lines `[from, to)`. */
  slice(from: number, to: number): Slice {
    const { opening, closing } = this.#format;
    const start = this.#starts[from]!;
    const end = this.#ends[to - 1]!;
    const body =
      opening === '' && closing === ''
        ? this.#body.subarray(start, end + 1)
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
    return { kind, bytes: this.#format.shapes[kind]?.skip === 1 ? Buffer.concat([Buffer.from('{'), own]) : own };
  }

  #reserve(size: number): void {
    const need = this.#used + size;
    if (need <= this.#body.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(need, Math.min(this.#format.maxBytes, this.#body.length * 2)));
    this.#body.copy(larger, 0, 0, this.#used);
    this.#body = larger;
  }
}

/** Copies a few bytes: a loop is quicker than a call for them. */
function put(body: Buffer, at: number, bytes: Buffer): number {
  for (let index = 0; index < bytes.length; index++) body[at + index] = bytes[index]!;
  return at + bytes.length;
}

function putDigits(body: Buffer, at: number, value: number): number {
  let length = 1;
  for (let power = 10; power <= value; power *= 10) length++;
  let rest = value;
  for (let index = at + length - 1; index >= at; index--) {
    const tenth = Math.floor(rest / 10);
    body[index] = 0x30 + rest - tenth * 10;
    rest = tenth;
  }
  return at + length;
}
