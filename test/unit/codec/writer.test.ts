import { expect, it } from 'vitest';
import { toHex, Writer } from '#codec';

it('keeps every byte when it has to grow, whatever is written then', () => {
  expect(toHex(new Writer(1).u8(1).u8(2).u8(3).finish())).toBe('010203');
  expect(
    toHex(
      new Writer(2)
        .u8(1)
        .raw(Uint8Array.of(2, 3, 4))
        .finish(),
    ),
  ).toBe('01020304');
  expect(toHex(new Writer(1).u16(0x0102).u32(0x03040506).finish())).toBe('010203040506');
  expect(toHex(new Writer(1).f32(1.5).finish())).toBe('3fc00000');
});

it('writes numbers of each type', () => {
  expect(toHex(new Writer().u24(0x010203).u64(0x0102030405060708n).u64(-1).finish())).toBe(
    '0102030102030405060708ffffffffffffffff',
  );
  expect(toHex(new Writer().u16LE(0x0102).u32LE(0x01020304).finish())).toBe('020104030201');
  expect(toHex(new Writer().u16(-2).u32(-2).u8(-2).u16LE(-2).u32LE(-2).finish())).toBe('fffefffffffefefefffeffffff');
  expect(toHex(new Writer(1).f32LE(1.5).u64LE(0x0102030405060708n).finish())).toBe('0000c03f0807060504030201');
  expect(toHex(new Writer().bcd(59).bcd(7).bcd(0).finish())).toBe('590700');
});

it('writes text and bytes, and counts them', () => {
  const writer = new Writer(1).latin1('A\u00ff').hex('0aFF').raw(new Uint8Array(0));
  expect(writer.length).toBe(4);
  expect(toHex(writer.finish())).toBe('41ff0aff');
});

it('the finished bytes do not change with later writes', () => {
  const writer = new Writer(8).u8(1);
  const first = writer.finish();
  writer.u8(2);
  expect(toHex(first)).toBe('01');
  expect(toHex(writer.finish())).toBe('0102');
});

it('dates are six bytes, as numbers or as decimal digits', () => {
  const time = Date.UTC(2024, 5, 1, 10, 11, 12);
  expect(toHex(new Writer().date6(time).finish())).toBe('1806010a0b0c');
  expect(toHex(new Writer().bcdDate6(time).finish())).toBe('240601101112');
});
