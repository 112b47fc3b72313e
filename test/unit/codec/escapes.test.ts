import { describe, expect, it } from 'vitest';
import { fromHex, toHex } from '#codec';
import { escapes } from '#codec/framing';

const form = escapes([
  [0x7d, 0x01, 0x7d],
  [0x7d, 0x02, 0x7e],
]);
const plain = (hex: string, lenient?: boolean) => {
  const bytes = form.plain(fromHex(hex), lenient);
  return bytes === undefined ? undefined : toHex(bytes);
};

describe('escapes', () => {
  it('are written between the marks of a frame, which stay', () => {
    expect(toHex(form.wire(fromHex('7e307e087d557e')))).toBe('7e307d02087d01557e');
    expect(toHex(form.wire(fromHex('7e3008557e')))).toBe('7e3008557e');
  });

  it('are read, and an unknown escape is refused unless `lenient` is set', () => {
    expect(plain('7e307d02087d01557e')).toBe('7e307e087d557e');
    expect(plain('7e307d037e')).toBeUndefined();
    expect(plain('7e307d037e', true)).toBe('7e307d037e');
    expect(plain('7e307d')).toBeUndefined();
  });
});
