import { describe, expect, it } from 'vitest';
import { collect, fromLatin1, type Part, type PartLimits, type Pending, toLatin1 } from '#codec';

const limits: PartLimits = { bytes: 8, parts: 4, messages: 2 };
const part = (text: string, index: number, total: number, more: Partial<Part> = {}): Part => ({
  of: 'photo',
  first: 1,
  total,
  index,
  bytes: fromLatin1(text),
  ...more,
});

/** What has come of parts in a row. */
function take(...parts: readonly Part[]) {
  let pending: readonly Pending[] = [];
  const said = parts.map((next) => {
    const { whole, missing, pending: after } = collect(pending, next, limits);
    pending = after;
    return whole === undefined ? missing : toLatin1(whole);
  });
  return { said, open: pending.map(({ of, first }) => `${of}${first}`) };
}

describe('a message in parts', () => {
  it('is complete when the last of its parts has arrived, in any order', () => {
    const come = [part('cd', 2, 3), part('ef', 3, 3), part('ab', 1, 3)];
    expect(take(...come)).toEqual({ said: [undefined, [1], 'abcdef'], open: [] });
    expect(take(part('one', 1, 1))).toEqual({ said: ['one'], open: [] });
  });

  it('reports the missing parts after its last part', () => {
    expect(take(part('b', 2, 4), part('d', 4, 4)).said.at(-1)).toEqual([1, 3]);
  });

  it('ignores repeated parts', () => {
    expect(take(part('ab', 1, 2), part('xy', 1, 2), part('cd', 2, 2)).said.at(-1)).toBe('abcd');
  });

  it('is identified by its type, its first serial and its number of parts', () => {
    const others = [part('x', 2, 2, { of: 'sound' }), part('x', 2, 2, { first: 9 }), part('x', 2, 3)];
    for (const other of others) expect(take(part('a', 1, 2), other).said).not.toContain('ax');
  });

  it('keeps its bytes when those of the frame change', () => {
    const frame = fromLatin1('ab');
    const { pending } = collect([], part('', 1, 2, { bytes: frame }), limits);
    frame.fill(0);
    expect(toLatin1(collect(pending, part('cd', 2, 2), limits).whole!)).toBe('abcd');
  });

  it('is dropped for newer ones when there are too many or too large ones', () => {
    const open = (first: number, text = 'a') => part(text, 1, 2, { first });
    expect(take(open(1), open(2), open(3)).open).toEqual(['photo2', 'photo3']);
    expect(take(open(1, 'abcde'), open(2, 'abcde')).open).toEqual(['photo2']);
  });

  it('is refused when it is too large by itself', () => {
    const tooLarge = expect.objectContaining({ name: 'CodecError', code: 'frame-too-large' });
    expect(() => take(part('a', 1, 5))).toThrow(tooLarge);
    expect(() => take(part('abcdef', 1, 2), part('ghi', 2, 2))).toThrow(tooLarge);
    expect(take(part('abcdef', 1, 2), part('gh', 2, 2)).said.at(-1)).toBe('abcdefgh');
  });
});
