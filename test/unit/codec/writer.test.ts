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
