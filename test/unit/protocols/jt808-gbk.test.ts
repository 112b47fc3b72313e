import { describe, expect, it } from 'vitest';
import { toHex } from '#codec';
import { toGbk } from '../../../protocols/jt808/gbk.ts';

describe('text in GBK', () => {
  it('has ASCII as it is, and two bytes for a character of GB 2312', () => {
    // GB 2312: 啊 is the first of row 16 (B0A1), 中 D6D0, 文 CEC4.
    expect(toHex(toGbk('A中文啊!'))).toBe('41d6d0cec4b0a121');
    expect(toGbk('')).toHaveLength(0);
  });

  it.each(['ü€', '😀', '\ud800'])('refuses what it has no character for (%#)', (text) => {
    expect(() => toGbk(text)).toThrow(expect.objectContaining({ name: 'CodecError', code: 'bad-parameter' }));
  });
});
