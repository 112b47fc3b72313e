import { describe, expect, it } from 'vitest';
import { Fields } from '#codec/text';

const codeOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    return (error as { code: string }).code;
  }
  return 'nothing thrown';
};

describe('fields of a text message', () => {
  it('are read in order', () => {
    const fields = new Fields(['a', '+04.5', ' 7 ', '-12', '1aF', 'x', 'last']);
    expect([fields.text(), fields.number(), fields.number(), fields.integer(), fields.hex()]).toEqual([
      'a',
      4.5,
      7,
      -12,
      0x1af,
    ]);
    expect([fields.left, fields.peek(), fields.peek(1)]).toEqual([2, 'x', 'last']);
    fields.skip(2);
    expect([fields.left, fields.peek()]).toEqual([0, undefined]);
  });

  it('may be empty or missing if they are optional', () => {
    const fields = new Fields(['', '5', '', 'ff', '', 'text']);
    expect([fields.optionalNumber(), fields.optionalNumber()]).toEqual([undefined, 5]);
    expect([fields.optionalHex(), fields.optionalHex()]).toEqual([undefined, 255]);
    expect([fields.optionalText(), fields.optionalText(), fields.optionalText()]).toEqual([
      undefined,
      'text',
      undefined,
    ]);
    expect(fields.left).toBe(0);
  });

  it('refuse texts of another form', () => {
    expect(codeOf(() => new Fields(['1e5']).number())).toBe('bad-text');
    expect(codeOf(() => new Fields(['']).number())).toBe('bad-text');
    expect(codeOf(() => new Fields(['1.5']).integer())).toBe('bad-text');
    expect(codeOf(() => new Fields(['1234567890123']).hex())).toBe('bad-text');
    expect(codeOf(() => new Fields([]).text())).toBe('truncated');
    expect(codeOf(() => new Fields(['a']).skip(2))).toBe('truncated');
  });
});
