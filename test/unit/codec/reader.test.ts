import { describe, expect, it } from 'vitest';
import { CodecError, fromHex, fromLatin1, Reader, toHex, toLatin1 } from '#codec';

const read = (hex: string): Reader => new Reader(fromHex(hex));

/** Code and offset of what it throws. */
function thrown(action: () => unknown): { code: string; offset: number } | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    if (!(error instanceof CodecError)) throw error;
    return { code: error.code, offset: error.offset };
  }
}

describe('numbers', () => {
  it('are big endian', () => {
    expect(read('80').u8()).toBe(128);
    expect(read('80').i8()).toBe(-128);
    expect(read('fffe').u16()).toBe(65_534);
    expect(read('fffe').i16()).toBe(-2);
    expect(read('010203').u24()).toBe(0x010203);
    expect(read('fffffffe').u32()).toBe(4_294_967_294);
    expect(read('fffffffe').i32()).toBe(-2);
    expect(read('010203040506').u48()).toBe(0x010203040506);
    expect(read('ffffffffffffffff').u64()).toBe(0xffff_ffff_ffff_ffffn);
    expect(read('fffffffffffffffe').i64()).toBe(-2n);
    expect(read('3fc00000').f32()).toBe(1.5);
    expect(read('bff8000000000000').f64()).toBe(-1.5);
  });

  it('are little endian where the name says so', () => {
    expect(read('feff').u16LE()).toBe(65_534);
    expect(read('feff').i16LE()).toBe(-2);
    expect(read('030201').u24LE()).toBe(0x010203);
    expect(read('feffffff').u32LE()).toBe(4_294_967_294);
    expect(read('feffffff').i32LE()).toBe(-2);
    expect(read('0807060504030201').u64LE()).toBe(0x0102030405060708n);
    expect(read('0000c03f').f32LE()).toBe(1.5);
    expect(read('000000000000f8bf').f64LE()).toBe(-1.5);
  });

  it('are read inside of a larger buffer', () => {
    const around = fromHex('ffff3fc00000ffff');
    const reader = new Reader(around.subarray(2, 6));
    expect(reader.f32()).toBe(1.5);
    expect(reader.remaining).toBe(0);
  });

  it('of 64 bits have a sign, and lose what a number cannot hold', () => {
    expect(new Reader(fromHex('0000000100000002')).i64Number()).toBe(4_294_967_298);
    expect(new Reader(fromHex('ffffffffffffffff')).i64Number()).toBe(-1);
  });

  it('bcd takes the nibbles as they are', () => {
    expect(read('59').bcd()).toBe(59);
    expect(read('ff').bcd()).toBe(165);
  });
});

describe('dates', () => {
  const hex = (text: string) => new Reader(fromHex(text));

  it('are six bytes, as numbers or as decimal digits', () => {
    expect(hex('1806010a0b0c').date6()).toBe(Date.UTC(2024, 5, 1, 10, 11, 12));
    expect(hex('240601101112').bcdDate6()).toBe(Date.UTC(2024, 5, 1, 10, 11, 12));
  });

  it.each(['000000000000', 'ffffffffffff', '18021e000000', '180600000000', '180d01000000', '18060119003d'])(
    'are NaN where no calendar has them: %s',
    (text) => {
      expect(hex(text).date6()).toBeNaN();
    },
  );

  it('are NaN where digits make no date', () => {
    expect(hex('240230101112').bcdDate6()).toBeNaN();
    expect(hex('ffffffffffff').bcdDate6()).toBeNaN();
    expect(hex('240601256161').bcdDate6()).toBeNaN();
  });
});

describe('text and bytes', () => {
  it('move the reader on by what they take', () => {
    const reader = read('4142c3bc010203');
    expect(reader.latin1(2)).toBe('AB');
    expect(reader.utf8(2)).toBe('ü');
    expect(reader.hex(2)).toBe('0102');
    expect(reader.offset).toBe(6);
    expect(reader.view(1)).toEqual(Uint8Array.of(3));
    expect(reader.remaining).toBe(0);
  });

  it('a hardware address has colons', () => {
    expect(new Reader(fromHex('0A1b2c3d4e5f')).mac()).toBe('0a:1b:2c:3d:4e:5f');
  });

  it('a slice ends at its limit', () => {
    const reader = read('0102030405');
    reader.skip(1);
    const slice = reader.slice(2);
    expect(slice.u16()).toBe(0x0203);
    expect(thrown(() => slice.u8())).toEqual({ code: 'truncated', offset: 3 });
    expect(reader.u8()).toBe(4);
  });

  it('peeks without moving', () => {
    const reader = read('0102');
    expect(reader.peekU8()).toBe(1);
    expect(reader.peekU8(1)).toBe(2);
    expect(reader.offset).toBe(0);
    expect(thrown(() => reader.peekU8(2))).toEqual({ code: 'truncated', offset: 2 });
    expect(thrown(() => reader.peekU8(-1))).toEqual({ code: 'truncated', offset: -1 });
  });
});

describe('bounds', () => {
  const reads = ['u8', 'i8', 'u16', 'i16', 'u24', 'u32', 'i32', 'u48', 'u64', 'i64', 'f32', 'f64', 'bcd'] as const;
  const littleEndian = ['u16LE', 'i16LE', 'u24LE', 'u32LE', 'i32LE', 'u64LE', 'f32LE', 'f64LE'] as const;

  it.each([...reads, ...littleEndian])('%s past the end is truncated', (name) => {
    expect(thrown(() => new Reader(new Uint8Array(8), 8)[name]())?.code).toBe('truncated');
  });

  it('the end is never behind the bytes', () => {
    const reader = new Reader(Uint8Array.of(1, 2), 0, 10);
    expect(reader.remaining).toBe(2);
    expect(thrown(() => reader.u24())).toEqual({ code: 'truncated', offset: 0 });
    expect(reader.u16()).toBe(0x0102);
  });

  it('a count below zero is refused', () => {
    expect(thrown(() => read('0102').skip(-1))).toEqual({ code: 'truncated', offset: 0 });
  });
});

describe('hex and latin-1', () => {
  it('are inverse operations', () => {
    const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    expect(fromHex(toHex(all))).toEqual(all);
    expect(fromLatin1(toLatin1(all))).toEqual(all);
    expect(fromHex('aBcD')).toEqual(Uint8Array.of(0xab, 0xcd));
  });

  it('of a range; empty if the range is empty or outside', () => {
    expect(toHex(Uint8Array.of(1, 2, 3), 1, 2)).toBe('02');
    expect(toLatin1(fromLatin1('abc'), 1, 9)).toBe('bc');
    expect(toLatin1(fromLatin1('abc'), 2, 1)).toBe('');
    expect(toLatin1(new Uint8Array(0), 5)).toBe('');
  });

  it.each(['0', 'xy', '0g', '0x'])('%s is no hex', (bad) => {
    expect(thrown(() => fromHex(bad))).toEqual({ code: 'bad-text', offset: -1 });
  });
});

it('an error contains the offset', () => {
  expect(new CodecError('bad-value', 'odd', 7).message).toBe('odd (at byte 7)');
  expect(new CodecError('bad-value', 'odd').message).toBe('odd');
});
