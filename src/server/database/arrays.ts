import type { Arena } from './arena.ts';
import { POSTGRES_EPOCH_MS } from './timestamp.ts';

/**
 * Arrays in PostgreSQL's binary form, built by hand: a Buffer parameter is sent as it is, so a thousand rows of a
 * column cost one copy and no text is parsed on either side. Layout: src/backend/utils/adt/arrayfuncs.c, array_recv:
 * dimensions, has-nulls, element type, length, lower bound; then a length and the bytes for each element (-1: null).
 */
const HEADER = 20;
const OID = { bool: 16, bytea: 17, int8: 20, int4: 23, text: 25, json: 114, float8: 701, timestamptz: 1184 } as const;

function header(buffer: Buffer, oid: number, length: number): void {
  buffer.writeInt32BE(length === 0 ? 0 : 1, 0);
  buffer.writeInt32BE(1, 4);
  buffer.writeInt32BE(oid, 8);
  if (length === 0) return;
  buffer.writeInt32BE(length, 12);
  buffer.writeInt32BE(1, 16);
}

type Cell<T> = T | null | undefined;

function fixed<T>(
  oid: number,
  width: number,
  values: readonly Cell<T>[],
  write: (buffer: Buffer, value: T, at: number) => void,
): Buffer {
  const buffer = Buffer.allocUnsafe(HEADER + values.length * (4 + width));
  header(buffer, oid, values.length);
  let at = HEADER;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (value === null || value === undefined) {
      buffer.writeInt32BE(-1, at);
      at += 4;
    } else {
      buffer.writeInt32BE(width, at);
      write(buffer, value, at + 4);
      at += 4 + width;
    }
  }
  return finish(buffer, at, values.length);
}

const finish = (buffer: Buffer, end: number, length: number): Buffer => buffer.subarray(0, length === 0 ? 12 : end);

const writeFloat8 = (buffer: Buffer, value: number, at: number): void => {
  buffer.writeDoubleBE(value, at);
};
const writeInt4 = (buffer: Buffer, value: number, at: number): void => {
  buffer.writeInt32BE(value, at);
};
const writeBool = (buffer: Buffer, value: boolean, at: number): void => {
  buffer[at] = value ? 1 : 0;
};
const TWO_32 = 4_294_967_296;
const writeInt8 = (buffer: Buffer, value: number, at: number): void => {
  const high = Math.floor(value / TWO_32);
  buffer.writeInt32BE(high, at);
  buffer.writeUInt32BE(value - high * TWO_32, at + 4);
};

/** µs since 2000 as two halves: the product passes 2^53 where clocks are wild. */
const writeTimestamp = (buffer: Buffer, epochMs: number, at: number): void => {
  const ms = epochMs - POSTGRES_EPOCH_MS;
  const msHigh = Math.floor(ms / TWO_32);
  const low = (ms - msHigh * TWO_32) * 1000;
  const carry = Math.floor(low / TWO_32);
  buffer.writeInt32BE(msHigh * 1000 + carry, at);
  buffer.writeUInt32BE(low - carry * TWO_32, at + 4);
};

export const int4Array = (values: readonly Cell<number>[]): Buffer => fixed(OID.int4, 4, values, writeInt4);
/** integers up to 2^53 */
export const int8Array = (values: readonly Cell<number>[]): Buffer => fixed(OID.int8, 8, values, writeInt8);
export const float8Array = (values: readonly Cell<number>[]): Buffer => fixed(OID.float8, 8, values, writeFloat8);
export const boolArray = (values: readonly Cell<boolean>[]): Buffer => fixed(OID.bool, 1, values, writeBool);
/** epoch ms, whole */
export const timestampArray = (values: readonly Cell<number>[]): Buffer =>
  fixed(OID.timestamptz, 8, values, writeTimestamp);

/** Texts must not hold U+0000, which PostgreSQL cannot store. */
export const textArray = (values: readonly Cell<string>[]): Buffer => texts(OID.text, values);
/** JSON texts */
export const jsonArray = (values: readonly Cell<string>[]): Buffer => texts(OID.json, values);

function texts(oid: number, values: readonly Cell<string>[]): Buffer {
  let most = HEADER;
  for (const value of values) most += 4 + (value ? value.length * 3 : 0);
  const buffer = Buffer.allocUnsafe(most);
  header(buffer, oid, values.length);
  let at = HEADER;
  for (const value of values) {
    if (value === null || value === undefined) {
      buffer.writeInt32BE(-1, at);
      at += 4;
    } else {
      const bytes = value === '' ? 0 : buffer.write(value, at + 4, 'utf8');
      buffer.writeInt32BE(bytes, at);
      at += 4 + bytes;
    }
  }
  return finish(buffer, at, values.length);
}

export function byteaArray(values: readonly Cell<Uint8Array>[]): Buffer {
  let size = HEADER;
  for (const value of values) size += 4 + (value?.length ?? 0);
  const buffer = Buffer.allocUnsafe(size);
  header(buffer, OID.bytea, values.length);
  let at = HEADER;
  for (const value of values) {
    buffer.writeInt32BE(value?.length ?? -1, at);
    at += 4;
    if (value) {
      buffer.set(value, at);
      at += value.length;
    }
  }
  return finish(buffer, at, values.length);
}

/** `length` base64url characters each, as whole bytes (22 characters: 17 bytes, the last of them half used). */
export function base64urlArray(values: readonly string[], length: number): Buffer {
  const width = Math.ceil((length * 6) / 8);
  // one more character completes the last byte; the decoder drops the excess bits
  const pad = (length * 6) % 8 === 0 ? '' : 'A';
  const buffer = Buffer.allocUnsafe(HEADER + values.length * (4 + width));
  header(buffer, OID.bytea, values.length);
  let at = HEADER;
  for (const value of values) {
    buffer.writeInt32BE(width, at);
    buffer.write(value + pad, at + 4, width, 'base64url');
    at += 4 + width;
  }
  return finish(buffer, at, values.length);
}

/** Writes an array element by element, for values that are not in an array of their own. */
export class ArrayWriter {
  readonly #bytes: Buffer;
  readonly #view: DataView;
  readonly #count: number;
  #at = HEADER;

  /** `mostBytes`: of all its elements together, their lengths aside. */
  constructor(arena: Arena, type: keyof typeof OID, count: number, mostBytes: number) {
    this.#bytes = arena.take(HEADER + count * 4 + mostBytes);
    this.#view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.byteLength);
    this.#count = count;
    header(this.#bytes, OID[type], count);
  }

  absent(): void {
    this.#view.setInt32(this.#at, -1);
    this.#at += 4;
  }

  float8(value: number): void {
    this.#view.setInt32(this.#at, 8);
    this.#view.setFloat64(this.#at + 4, value);
    this.#at += 12;
  }

  /** integers up to 2^53 */
  int8(value: number): void {
    const high = Math.floor(value / TWO_32);
    this.#view.setInt32(this.#at, 8);
    this.#view.setInt32(this.#at + 4, high);
    this.#view.setUint32(this.#at + 8, value - high * TWO_32);
    this.#at += 12;
  }

  /** epoch ms, whole */
  timestamp(epochMs: number): void {
    const ms = epochMs - POSTGRES_EPOCH_MS;
    const msHigh = Math.floor(ms / TWO_32);
    const low = (ms - msHigh * TWO_32) * 1000;
    const carry = Math.floor(low / TWO_32);
    this.#view.setInt32(this.#at, 8);
    this.#view.setInt32(this.#at + 4, msHigh * 1000 + carry);
    this.#view.setUint32(this.#at + 8, low - carry * TWO_32);
    this.#at += 12;
  }

  int4(value: number): void {
    this.#view.setInt32(this.#at, 4);
    this.#view.setInt32(this.#at + 4, value);
    this.#at += 8;
  }

  bool(value: boolean): void {
    this.#view.setInt32(this.#at, 1);
    this.#view.setUint8(this.#at + 4, value ? 1 : 0);
    this.#at += 5;
  }

  /** Bytes `[from, to)` of a view, and `zeros` behind them. A loop is quicker than a call for so few. */
  bytes(source: DataView, from: number, to: number, zeros = 0): void {
    const view = this.#view;
    const length = to - from;
    view.setInt32(this.#at, length + zeros);
    const start = this.#at + 4;
    const words = length & ~3;
    for (let i = 0; i < words; i += 4) view.setInt32(start + i, source.getInt32(from + i));
    for (let i = words; i < length; i++) view.setUint8(start + i, source.getUint8(from + i));
    for (let i = length; i < length + zeros; i++) view.setUint8(start + i, 0);
    this.#at = start + length + zeros;
  }

  /** The whole array: for many elements a copy is faster than a loop. */
  buffer(value: Buffer): void {
    this.#view.setInt32(this.#at, value.length);
    this.#bytes.set(value, this.#at + 4);
    this.#at += 4 + value.length;
  }

  finish(): Buffer {
    return finish(this.#bytes, this.#at, this.#count);
  }
}
