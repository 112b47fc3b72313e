import type { FileHandle } from 'node:fs/promises';
import type { Column, Kind } from './column.ts';
import { ELEMENT, ThriftWriter, varint } from './thrift.ts';

/**
 * Parquet files for what goes to DuckDB: values are plain and nothing is compressed, each column of a row group is one page.
 * Source: Apache Parquet, parquet.thrift and Encodings.md; numbers of enumerations are its.
 */

const MAGIC = Buffer.from('PAR1');
const PHYSICAL: Readonly<Record<Kind, number>> = { int32: 1, int64: 2, double: 5, bytes: 6, text: 6 };
const UTF8 = 0;
const PLAIN = 0;
const RLE = 3;
const UNCOMPRESSED = 0;
const DATA_PAGE = 0;

interface Chunk {
  /** in the file, bytes */
  readonly offset: number;
  readonly size: number;
}

interface Group {
  readonly rows: number;
  readonly chunks: readonly Chunk[];
}

export class PlainFile {
  readonly #file: FileHandle;
  readonly #columns: readonly Column[];
  readonly #groups: Group[] = [];
  #offset = 0;
  /** a group on its way to the file; used again for the next one */
  #block = Buffer.alloc(0);

  constructor(file: FileHandle, columns: readonly Column[]) {
    this.#file = file;
    this.#columns = columns;
  }

  /** Writes so many rows, for which the columns have the values, and clears the columns. */
  async writeGroup(rows: number): Promise<void> {
    const pieces: Buffer[] = this.#offset === 0 ? [MAGIC] : [];
    this.#offset += pieces.length * MAGIC.length;
    const chunks = this.#columns.map((column) => {
      const levels = column.isOptional ? levelsOf(column, rows) : [];
      const page = [...levels, column.values];
      const head = pageHeader(rows, sizeOf(page));
      const chunk = { offset: this.#offset, size: head.length + sizeOf(page) };
      pieces.push(head, ...page);
      this.#offset += chunk.size;
      return chunk;
    });
    this.#groups.push({ rows, chunks });
    await this.#write(pieces);
    for (const column of this.#columns) column.clear();
  }

  async end(): Promise<void> {
    const footer = this.#footer();
    await this.#write([...(this.#offset === 0 ? [MAGIC] : []), footer, uint32(footer.length), MAGIC]);
  }

  async #write(pieces: readonly Buffer[]): Promise<void> {
    const size = sizeOf(pieces);
    if (size > this.#block.length) this.#block = Buffer.allocUnsafeSlow(size);
    let at = 0;
    for (const piece of pieces) at += piece.copy(this.#block, at);
    await this.#file.appendFile(this.#block.subarray(0, size));
  }

  #footer(): Buffer {
    const to = new ThriftWriter();
    to.struct(undefined, () => {
      to.i32(1, 1);
      to.list(2, ELEMENT.struct, this.#columns.length + 1);
      to.struct(undefined, () => {
        to.text(4, 'rows');
        to.i32(5, this.#columns.length);
      });
      for (const { spec } of this.#columns) {
        to.struct(undefined, () => {
          to.i32(1, PHYSICAL[spec.kind]);
          to.i32(3, spec.isOptional ? 1 : 0);
          to.text(4, spec.name);
          if (spec.kind === 'text') to.i32(6, UTF8);
        });
      }
      to.i64(
        3,
        this.#groups.reduce((sum, { rows }) => sum + rows, 0),
      );
      to.list(4, ELEMENT.struct, this.#groups.length);
      for (const group of this.#groups) this.#writeMetadata(to, group);
    });
    return to.read();
  }

  #writeMetadata(to: ThriftWriter, { rows, chunks }: Group): void {
    to.struct(undefined, () => {
      to.list(1, ELEMENT.struct, chunks.length);
      for (const [i, { offset, size }] of chunks.entries()) {
        const { name, kind } = this.#columns[i]!.spec;
        to.struct(undefined, () => {
          to.i64(2, offset);
          to.struct(3, () => {
            to.i32(1, PHYSICAL[kind]);
            to.list(2, ELEMENT.i32, 2);
            to.i32Element(PLAIN);
            to.i32Element(RLE);
            to.list(3, ELEMENT.binary, 1);
            to.textElement(name);
            to.i32(4, UNCOMPRESSED);
            to.i64(5, rows);
            to.i64(6, size);
            to.i64(7, size);
            to.i64(9, offset);
          });
        });
      }
      to.i64(
        2,
        chunks.reduce((sum, { size }) => sum + size, 0),
      );
      to.i64(3, rows);
    });
  }
}

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};

const sizeOf = (pieces: readonly Buffer[]): number => pieces.reduce((sum, { length }) => sum + length, 0);

function pageHeader(rows: number, size: number): Buffer {
  const to = new ThriftWriter();
  to.struct(undefined, () => {
    to.i32(1, DATA_PAGE);
    to.i32(2, size);
    to.i32(3, size);
    to.struct(5, () => {
      to.i32(1, rows);
      to.i32(2, PLAIN);
      to.i32(3, RLE);
      to.i32(4, RLE);
    });
  });
  return to.read();
}

/** Which rows have a value: their number of bytes, and one run of bits (Encodings.md, "RLE/bit-packing hybrid"). */
function levelsOf(column: Column, rows: number): Buffer[] {
  const bits = column.presence(rows);
  const run = Buffer.from(varint(2 * bits.length + 1));
  return [uint32(run.length + bits.length), run, bits];
}
