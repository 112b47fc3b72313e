import type { Reader } from '../reader.ts';

/** A number with a sign in its first bit and its size in the others. */
const signAndSize = (raw: number, sign: number): number => (raw >= sign ? 0 - (raw - sign) : raw);

const READERS = {
  u8: (reader: Reader) => reader.u8(),
  i8: (reader: Reader) => reader.i8(),
  u16: (reader: Reader) => reader.u16(),
  i16: (reader: Reader) => reader.i16(),
  u24: (reader: Reader) => reader.u24(),
  i24: (reader: Reader) => (reader.u24() << 8) >> 8,
  u32: (reader: Reader) => reader.u32(),
  i32: (reader: Reader) => reader.i32(),
  u48: (reader: Reader) => reader.u48(),
  /** rounded beyond 2^53 */
  i64: (reader: Reader) => reader.i64Number(),
  u16LE: (reader: Reader) => reader.u16LE(),
  i16LE: (reader: Reader) => reader.i16LE(),
  u24LE: (reader: Reader) => reader.u24LE(),
  i24LE: (reader: Reader) => (reader.u24LE() << 8) >> 8,
  u32LE: (reader: Reader) => reader.u32LE(),
  i32LE: (reader: Reader) => reader.i32LE(),
  f32: (reader: Reader) => reader.f32(),
  f32LE: (reader: Reader) => reader.f32LE(),
  f64: (reader: Reader) => reader.f64(),
  f64LE: (reader: Reader) => reader.f64LE(),
  /** sign in the first bit, size in the others */
  m8: (reader: Reader) => signAndSize(reader.u8(), 0x80),
  m16: (reader: Reader) => signAndSize(reader.u16(), 0x8000),
  m32: (reader: Reader) => signAndSize(reader.u32(), 0x8000_0000),
  m16LE: (reader: Reader) => signAndSize(reader.u16LE(), 0x8000),
  m32LE: (reader: Reader) => signAndSize(reader.u32LE(), 0x8000_0000),
  /** two decimal digits a byte */
  bcd8: (reader: Reader) => reader.bcd(),
  bcd16: (reader: Reader) => reader.bcd() * 100 + reader.bcd(),
  bcd24: (reader: Reader) => (reader.bcd() * 100 + reader.bcd()) * 100 + reader.bcd(),
  bcd32: (reader: Reader) => ((reader.bcd() * 100 + reader.bcd()) * 100 + reader.bcd()) * 100 + reader.bcd(),
} as const;

/** How a number lies on the wire: width, sign and order of bytes. */
export type NumberType = keyof typeof READERS;

export type ReadNumber = (reader: Reader) => number;

/** The function that reads such a number. */
export const readerOf = (kind: NumberType): ReadNumber => READERS[kind];

/** The same, with floats as they are to the last binary digit. */
export function exactReaderOf(kind: NumberType): ReadNumber {
  if (kind === 'f32') return (reader) => reader.exactF32();
  return kind === 'f32LE' ? (reader) => reader.exactF32LE() : READERS[kind];
}

/** Any bytes can make no number of it. */
export const isFloat = (kind: NumberType): boolean => kind.startsWith('f');

/** Size of a number in bytes. */
export const bytesOf = (kind: NumberType): number =>
  Number.parseInt(kind.slice(kind.startsWith('bcd') ? 3 : 1), 10) / 8;
