import { describe, expect, it } from 'vitest';
import { fromLatin1, toLatin1 } from '#codec';
import { beginsCounted, type CountedText, countedText, hasSum, NO_CONTEXT, withSum } from '#codec/framing';

const rules: CountedText = { mark: 0x24, hasFlag: true, trailingBytes: 0, minLength: 4, maxBytes: 64 };
const cut = (text: string, more: Partial<CountedText> = {}) =>
  countedText({ ...rules, ...more })(fromLatin1(text), NO_CONTEXT);

describe('messages with their length in decimal', () => {
  it('are framed by their length', () => {
    expect(cut('$$A6,12345$$B')).toEqual({ type: 'frame', start: 0, end: 10, resumeAt: 3 });
    expect(cut('$$6,12345AB\r\n', { hasFlag: false, trailingBytes: 4 })).toEqual({
      type: 'frame',
      start: 0,
      end: 13,
      resumeAt: 2,
    });
    expect(cut('$$A9,1234')).toEqual({ type: 'wait', atLeast: 13 });
    expect(cut('$$A6')).toEqual({ type: 'wait', atLeast: 8 });
  });

  it('are found after other bytes', () => {
    expect(cut('noise$$A6,')).toEqual({ type: 'skip', bytes: 5 });
    expect(cut('noise')).toEqual({ type: 'skip', bytes: 5 });
    expect(cut('$$A3,123')).toEqual({ type: 'skip', bytes: 8 });
    expect(cut('$$A9999,123')).toEqual({ type: 'skip', bytes: 11 });
  });

  it('have a mark, a flag and digits', () => {
    const begins = (text: string, hasFlag = true) => beginsCounted(fromLatin1(text), 0, { ...rules, hasFlag });
    expect([
      begins('$$A12,'),
      begins('$$12,', false),
      begins('$$'),
      begins('$A1,'),
      begins('$$\x01'),
      begins('$$A,'),
      begins('$$Ax'),
    ]).toEqual(['yes', 'yes', 'more', 'no', 'no', 'no', 'no']);
    expect(begins('$$A1234567')).toBe('no');
  });
});

it('a text is followed by the sum of its bytes', () => {
  // Example of the Meitrack protocol document: "$$" is 48 hexadecimal, "$$A" 89.
  expect(toLatin1(withSum('$$A'))).toBe('$$A89\r\n');
  const low = fromLatin1('$$zc2');
  expect([hasSum(low, 3), hasSum(fromLatin1('$$zC2'), 3), hasSum(low, 4), hasSum(low, 2), hasSum(low, -1)]).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
