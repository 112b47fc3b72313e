/** How values of a column are stored. `bytes` and `text` have a length before them; `text` is UTF-8. */
export type Kind = 'int64' | 'int32' | 'double' | 'bytes' | 'text';

export interface ColumnSpec {
  readonly name: string;
  readonly kind: Kind;
  /** values may be missing */
  readonly isOptional?: boolean;
}

const WIDTH: Readonly<Record<Kind, number>> = { int64: 8, double: 8, int32: 4, bytes: 0, text: 0 };
const FIRST_BYTES = 64;
/** Few bytes are faster copied here than by a call. */
const FEW = 24;

/** The values of a column in a row group, as Parquet's plain encoding has them: one after the other, little-endian. */
export class Column {
  readonly spec: ColumnSpec;
  /** bytes of a value; 0: each has its own length */
  readonly width: number;
  readonly isOptional: boolean;
  #bytes: Buffer;
  /** the same memory, of columns whose values have a width */
  readonly #words: Uint32Array;
  #filled = 0;
  /** a bit of each row: whether it has a value */
  readonly #present: Buffer;

  /** `rows`: of a group, at most */
  constructor(spec: ColumnSpec, rows: number) {
    this.spec = spec;
    this.width = WIDTH[spec.kind];
    this.isOptional = spec.isOptional ?? false;
    // memory of its own, so that it begins where words may
    this.#bytes = Buffer.allocUnsafeSlow(rows * (this.width || FIRST_BYTES));
    this.#words = new Uint32Array(this.#bytes.buffer, 0, this.width === 0 ? 0 : this.#bytes.length >> 2);
    this.#present = Buffer.alloc(this.isOptional ? Math.ceil(rows / 8) : 0);
  }

  /** bytes of the values so far */
  get size(): number {
    return this.#filled;
  }

  get values(): Buffer {
    return this.#bytes.subarray(0, this.#filled);
  }

  /** of so many rows, the first one in the lowest bit */
  presence(rows: number): Buffer {
    return this.#present.subarray(0, Math.ceil(rows / 8));
  }

  clear(): void {
    this.#filled = 0;
    this.#present.fill(0);
  }

  /** Adds a value of the width of the column, of which `from` has the bytes in the opposite order. `row`: in the group. */
  addReversed(row: number, from: Buffer, at: number): void {
    this.#mark(row);
    const word = this.#filled >> 2;
    if (this.width === 8) {
      this.#words[word] = wordAt(from, at + 4);
      this.#words[word + 1] = wordAt(from, at);
    } else {
      this.#words[word] = wordAt(from, at);
    }
    this.#filled += this.width;
  }

  /** Adds bytes with their length. */
  addBytes(row: number, from: Buffer, at: number, length: number): void {
    this.#mark(row);
    const needed = this.#filled + 4 + length;
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(2 * needed);
      this.#bytes.copy(larger, 0, 0, this.#filled);
      this.#bytes = larger;
    }
    const bytes = this.#bytes;
    let to = this.#filled;
    bytes[to++] = length & 0xff;
    bytes[to++] = (length >> 8) & 0xff;
    bytes[to++] = (length >> 16) & 0xff;
    bytes[to++] = length >>> 24;
    if (length > FEW) from.copy(bytes, to, at, at + length);
    else for (let i = 0; i < length; i++) bytes[to + i] = from[at + i]!;
    this.#filled = needed;
  }

  #mark(row: number): void {
    if (this.isOptional) this.#present[row >> 3]! |= 1 << (row & 7);
  }
}

/** Four bytes, the highest first; as a signed number. */
export const wordAt = (bytes: Buffer, at: number): number =>
  (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
