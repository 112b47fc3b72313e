import { utcToParts } from './calendar.ts';
import type { Crc16 } from './checksums.ts';
import { fromHex, fromLatin1 } from './reader.ts';
import { wordsOf } from './words.ts';

/** Grows as it is written to. Integers are big endian; `LE` in a name says little endian. */
export class Writer {
  #bytes: Uint8Array;
  #length = 0;

  constructor(capacity = 64) {
    this.#bytes = new Uint8Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  #room(count: number): number {
    const at = this.#length;
    if (at + count > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(2 * this.#bytes.length, at + count));
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    this.#length = at + count;
    return at;
  }

  u8(value: number): this {
    // The place first: making room may exchange the buffer.
    const at = this.#room(1);
    this.#bytes[at] = value;
    return this;
  }

  u16(value: number): this {
    return this.u8(value >> 8).u8(value);
  }

  u24(value: number): this {
    return this.u8(value >> 16).u16(value);
  }

  u32(value: number): this {
    return this.u16(value >>> 16).u16(value);
  }

  u64(value: bigint | number): this {
    const [high, low] = wordsOf(BigInt(value));
    return this.u32(high).u32(low);
  }

  u16LE(value: number): this {
    return this.u8(value).u8(value >> 8);
  }

  u32LE(value: number): this {
    return this.u16LE(value).u16LE(value >>> 16);
  }

  f32(value: number): this {
    const at = this.#room(4);
    new DataView(this.#bytes.buffer).setFloat32(at, value);
    return this;
  }

  f32LE(value: number): this {
    const at = this.#room(4);
    new DataView(this.#bytes.buffer).setFloat32(at, value, true);
    return this;
  }

  u64LE(value: bigint | number): this {
    const [high, low] = wordsOf(BigInt(value));
    return this.u32LE(low).u32LE(high);
  }

  /** Two decimal digits in one byte. */
  bcd(value: number): this {
    return this.u8(((Math.floor(value / 10) % 10) << 4) | (value % 10));
  }

  /** Year from 2000, month, day, hour, minute, second of an instant (epoch ms) in UTC, a byte each. */
  date6(epochMs: number): this {
    for (const part of utcToParts(epochMs)) this.u8(part);
    return this;
  }

  /** The same in two decimal digits a byte. */
  bcdDate6(epochMs: number): this {
    for (const part of utcToParts(epochMs)) this.bcd(part);
    return this;
  }

  /** The checksum of the bytes from `start` on. */
  crc16(crc: Crc16, start = 0): this {
    return this.u16(crc(this.#bytes, start, this.#length));
  }

  crc16LE(crc: Crc16, start = 0): this {
    return this.u16LE(crc(this.#bytes, start, this.#length));
  }

  raw(bytes: Uint8Array): this {
    const at = this.#room(bytes.length);
    this.#bytes.set(bytes, at);
    return this;
  }

  hex(hex: string): this {
    return this.raw(fromHex(hex));
  }

  latin1(text: string): this {
    return this.raw(fromLatin1(text));
  }

  /** What has been written; a buffer that is full is not copied, since what comes next is written to another. */
  finish(): Uint8Array {
    return this.#length === this.#bytes.length ? this.#bytes : this.#bytes.slice(0, this.#length);
  }
}
