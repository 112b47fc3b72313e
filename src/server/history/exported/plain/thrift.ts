/** Types of fields, as they are written. */
const I32 = 5;
const I64 = 6;
const BINARY = 8;
const LIST = 9;
const STRUCT = 12;

/** Elements of lists. */
export const ELEMENT = { i32: I32, binary: BINARY, struct: STRUCT };

/**
 * Writes structures in Thrift's compact protocol, as far as Parquet's metadata need it: integers that are not negative, texts,
 * lists and structures. Source: Thrift, doc/specs/thrift-compact-protocol.md.
 */
export class ThriftWriter {
  readonly #bytes: number[] = [];
  /** ids of the last fields of the structures around this one */
  readonly #around: number[] = [];
  #last = 0;

  i32(id: number, value: number): void {
    this.#field(id, I32);
    this.#zigzag(value);
  }

  i64(id: number, value: number): void {
    this.#field(id, I64);
    this.#zigzag(value);
  }

  text(id: number, value: string): void {
    this.#field(id, BINARY);
    this.textElement(value);
  }

  /** Elements follow: fields without an id, or structures. */
  list(id: number, element: number, count: number): void {
    this.#field(id, LIST);
    if (count < 15) {
      this.#bytes.push((count << 4) | element);
    } else {
      this.#bytes.push(0xf0 | element);
      this.#varint(count);
    }
  }

  i32Element(value: number): void {
    this.#zigzag(value);
  }

  textElement(value: string): void {
    const bytes = Buffer.from(value);
    this.#varint(bytes.length);
    this.#bytes.push(...bytes);
  }

  /** A structure; without an id as an element of a list, or the outermost one. */
  struct(id: number | undefined, write: () => void): void {
    if (id !== undefined) this.#field(id, STRUCT);
    this.#around.push(this.#last);
    this.#last = 0;
    write();
    this.#bytes.push(0);
    this.#last = this.#around.pop()!;
  }

  read(): Buffer {
    return Buffer.from(this.#bytes);
  }

  /** All of our ids are less than 16 above the one before. */
  #field(id: number, type: number): void {
    this.#bytes.push(((id - this.#last) << 4) | type);
    this.#last = id;
  }

  #zigzag(value: number): void {
    this.#varint(2 * value);
  }

  #varint(value: number): void {
    this.#bytes.push(...varint(value));
  }
}

/** Seven bits in a byte, the lowest first (ULEB128). `value`: an integer that is not negative. */
export function varint(value: number): number[] {
  const bytes: number[] = [];
  let left = value;
  for (; left > 0x7f; left = Math.floor(left / 0x80)) bytes.push((left % 0x80) | 0x80);
  return [...bytes, left];
}
