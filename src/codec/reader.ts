import { utcFromParts } from './calendar.ts';
import { CodecError } from './errors.ts';
import { shortestDecimal } from './single-precision.ts';
import { doubleOf, floatOf, signedOf, unsignedOf } from './words.ts';

const HEX: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Lower-case hexadecimal of a byte range. */
export function toHex(bytes: Uint8Array, start = 0, end = bytes.length): string {
  let text = '';
  for (let at = start; at < end; at++) text += HEX[bytes[at]!];
  return text;
}

/** Bytes of a hexadecimal string. Throws CodecError `bad-text` for anything but pairs of hex digits. */
export function fromHex(hex: string): Uint8Array {
  if (hex.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(hex)) throw new CodecError('bad-text', 'not hexadecimal');
  const bytes = new Uint8Array(hex.length / 2);
  for (let at = 0; at < bytes.length; at++) bytes[at] = Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16);
  return bytes;
}

/** One character a byte, 0 to 255 (ISO 8859-1). */
export function toLatin1(bytes: Uint8Array, start = 0, end = bytes.length): string {
  const length = Math.min(end, bytes.length) - start;
  return length <= 0 ? '' : Buffer.from(bytes.buffer, bytes.byteOffset + start, length).toString('latin1');
}

/** A byte for each character; of characters beyond 255 the lower eight bits. */
export function fromLatin1(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at) & 0xff;
  return bytes;
}

const utf8 = new TextDecoder('utf-8');

function isAscii(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at]! > 0x7f) return false;
  return true;
}

/** Text in UTF-8; bytes of no character become U+FFFD. */
export function toUtf8(bytes: Uint8Array, start = 0, end = bytes.length): string {
  return isAscii(bytes, start, end) ? toLatin1(bytes, start, end) : utf8.decode(bytes.subarray(start, end));
}

/** Numbers at a place that the caller knows to be there, big endian: for loops that count every step. */
export const u16At = (b: Uint8Array, at: number): number => (b[at]! << 8) | b[at + 1]!;
export const i32At = (b: Uint8Array, at: number): number =>
  (b[at]! << 24) | (b[at + 1]! << 16) | (b[at + 2]! << 8) | b[at + 3]!;
export const u32At = (b: Uint8Array, at: number): number => i32At(b, at) >>> 0;

/**
 * A bounded cursor over bytes. Every read past `end` throws CodecError `truncated` with the offset, so no codec needs
 * a check of its own. Integers are big endian; `LE` in a name says little endian.
 */
export class Reader {
  readonly bytes: Uint8Array;
  offset: number;
  /** may be drawn in for a part of the bytes (see `layout`), and out again */
  end: number;

  constructor(bytes: Uint8Array, start = 0, end = bytes.length) {
    this.bytes = bytes;
    this.offset = start;
    this.end = Math.min(end, bytes.length);
  }

  get remaining(): number {
    return this.end - this.offset;
  }

  /** Moves past `count` bytes and returns where they began. */
  take(count: number): number {
    const at = this.offset;
    if (count < 0 || at + count > this.end) {
      throw new CodecError('truncated', `${count} bytes wanted, ${this.end - at} left`, at);
    }
    this.offset = at + count;
    return at;
  }

  skip(count: number): void {
    this.take(count);
  }

  /** A reader over the next `count` bytes; this one moves past them. */
  slice(count: number): Reader {
    const at = this.take(count);
    return new Reader(this.bytes, at, at + count);
  }

  peekU8(ahead = 0): number {
    const at = this.offset + ahead;
    if (at >= this.end || at < 0) throw new CodecError('truncated', '1 byte wanted', at);
    return this.bytes[at]!;
  }

  u8(): number {
    return this.bytes[this.take(1)]!;
  }

  i8(): number {
    return (this.bytes[this.take(1)]! << 24) >> 24;
  }

  u16(): number {
    const at = this.take(2);
    return (this.bytes[at]! << 8) | this.bytes[at + 1]!;
  }

  i16(): number {
    const at = this.take(2);
    return (((this.bytes[at]! << 8) | this.bytes[at + 1]!) << 16) >> 16;
  }

  u24(): number {
    const at = this.take(3);
    return (this.bytes[at]! << 16) | (this.bytes[at + 1]! << 8) | this.bytes[at + 2]!;
  }

  i32(): number {
    const at = this.take(4);
    const b = this.bytes;
    return (b[at]! << 24) | (b[at + 1]! << 16) | (b[at + 2]! << 8) | b[at + 3]!;
  }

  u32(): number {
    return this.i32() >>> 0;
  }

  /** Exact up to 2^48. */
  u48(): number {
    const high = this.u16();
    return high * 0x1_0000_0000 + this.u32();
  }

  u64(): bigint {
    const at = this.take(8);
    return unsignedOf(i32At(this.bytes, at), i32At(this.bytes, at + 4));
  }

  i64(): bigint {
    const at = this.take(8);
    return signedOf(i32At(this.bytes, at), i32At(this.bytes, at + 4));
  }

  /** A 64-bit integer as a number: rounded beyond 2^53. */
  i64Number(): number {
    const high = this.i32();
    return high * 0x1_0000_0000 + this.u32();
  }

  u16LE(): number {
    const at = this.take(2);
    return this.bytes[at]! | (this.bytes[at + 1]! << 8);
  }

  i16LE(): number {
    return (this.u16LE() << 16) >> 16;
  }

  u24LE(): number {
    const at = this.take(3);
    return this.bytes[at]! | (this.bytes[at + 1]! << 8) | (this.bytes[at + 2]! << 16);
  }

  i32LE(): number {
    const at = this.take(4);
    const b = this.bytes;
    return b[at]! | (b[at + 1]! << 8) | (b[at + 2]! << 16) | (b[at + 3]! << 24);
  }

  u32LE(): number {
    return this.i32LE() >>> 0;
  }

  u64LE(): bigint {
    const low = this.i32LE();
    return unsignedOf(this.i32LE(), low);
  }

  /** A number of single precision as the shortest decimal number that stands for it: 12.34, not 12.34000015258789. */
  f32(): number {
    return shortestDecimal(this.exactF32());
  }

  f32LE(): number {
    return shortestDecimal(this.exactF32LE());
  }

  /** The same to its last binary digit: for coordinates, which the shortest decimal number moves by up to a metre. */
  exactF32(): number {
    return floatOf(this.i32());
  }

  exactF32LE(): number {
    return floatOf(this.i32LE());
  }

  f64(): number {
    return doubleOf(this.i32(), this.i32());
  }

  f64LE(): number {
    const low = this.i32LE();
    return doubleOf(this.i32LE(), low);
  }

  /** A byte of two decimal digits: high nibble · 10 + low nibble, whatever the nibbles hold. */
  bcd(): number {
    const byte = this.u8();
    return (byte >> 4) * 10 + (byte & 0x0f);
  }

  /** Year from 2000, month, day, hour, minute, second, a byte each, as epoch ms. NaN for a reading that no calendar has. */
  date6(): number {
    const at = this.take(6);
    const b = this.bytes;
    return utcFromParts(b[at]!, b[at + 1]!, b[at + 2]!, b[at + 3]!, b[at + 4]!, b[at + 5]!);
  }

  /** The same in two decimal digits a byte. */
  bcdDate6(): number {
    return utcFromParts(this.bcd(), this.bcd(), this.bcd(), this.bcd(), this.bcd(), this.bcd());
  }

  /** Six bytes in lower case with colons. */
  mac(): string {
    const at = this.take(6);
    let mac = HEX[this.bytes[at]!]!;
    for (let i = at + 1; i < at + 6; i++) mac += `:${HEX[this.bytes[i]!]}`;
    return mac;
  }

  hex(count: number): string {
    const at = this.take(count);
    return toHex(this.bytes, at, at + count);
  }

  /** Characters of so many bytes, by default of all that are left. */
  latin1(count = this.remaining): string {
    const at = this.take(count);
    return toLatin1(this.bytes, at, at + count);
  }

  utf8(count: number): string {
    const at = this.take(count);
    return toUtf8(this.bytes, at, at + count);
  }

  /** A view, not a copy. */
  view(count: number): Uint8Array {
    const at = this.take(count);
    return this.bytes.subarray(at, at + count);
  }
}
