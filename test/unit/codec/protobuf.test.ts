import { describe, expect, it } from 'vitest';
import { fromHex, fromZigzag, Reader, readVarint, skipProtobuf, WIRE } from '#codec';

const reader = (hex: string): Reader => new Reader(fromHex(hex));

describe('protobuf', () => {
  it.each([
    ['00', 0],
    ['7f', 127],
    // the documentation's example
    ['9601', 150],
    ['ffffffff0f', 0xffff_ffff],
    // the upper half of 64 bits is left out
    ['ffffffffffffffffff01', 0xffff_ffff],
  ])('reads the varint %s', (hex, value) => {
    const bytes = reader(hex);
    expect(readVarint(bytes)).toBe(value);
    expect(bytes.remaining).toBe(0);
  });

  it('refuses a varint without an end', () => {
    expect(() => readVarint(reader('80'.repeat(10)))).toThrow(expect.objectContaining({ code: 'bad-value' }));
    expect(() => readVarint(reader('8080'))).toThrow(expect.objectContaining({ code: 'truncated' }));
  });

  it.each([
    [0, 0],
    [1, -1],
    [2, 1],
    [0xffff_fffe, 2_147_483_647],
    [0xffff_ffff, -2_147_483_648],
  ])('reads zigzag %i as %i', (value, signed) => {
    expect(fromZigzag(value)).toBe(signed);
  });

  it.each([
    [WIRE.varint, '9601'],
    [WIRE.fixed64, '0102030405060708'],
    [WIRE.bytes, '03616263'],
    [WIRE.fixed32, '01020304'],
    // a group with a varint, and a group in it
    [WIRE.open, '08010b10020c0c'],
  ])('passes over a value of wire type %i', (wireType, hex) => {
    const bytes = reader(`${hex}ff`);
    skipProtobuf(bytes, wireType);
    expect(bytes.remaining).toBe(1);
  });

  it('refuses groups that are nested without end, and invalid wire types', () => {
    expect(() => skipProtobuf(reader('0b'.repeat(20)), WIRE.open)).toThrow(
      expect.objectContaining({ code: 'bad-value' }),
    );
    expect(() => skipProtobuf(reader('00'), 7)).toThrow(expect.objectContaining({ code: 'bad-value' }));
  });
});
