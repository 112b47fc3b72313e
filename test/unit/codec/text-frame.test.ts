import { describe, expect, it } from 'vitest';
import { type FrameResult, fromLatin1 } from '#codec';
import { cutEnclosed } from '#codec/framing';

const rules = { end: 0x29, mostBytes: 8, within: [0x20, 0x7f] } as const;
const cut = (text: string): FrameResult => cutEnclosed(fromLatin1(text), rules);

describe('texts between two marks', () => {
  it('are cut at their end', () => {
    expect(cut('(a,b)c)')).toEqual({ type: 'frame', start: 0, end: 5 });
    expect(cut('()')).toEqual({ type: 'frame', start: 0, end: 2 });
    expect(cut('(123456)')).toEqual({ type: 'frame', start: 0, end: 8 });
  });

  it('are waited for as long as they may be whole', () => {
    expect(cut('(')).toEqual({ type: 'wait' });
    expect(cut('(123456')).toEqual({ type: 'wait' });
  });

  it('end before a byte that is none of theirs', () => {
    expect(cut('(ab\x01)')).toEqual({ type: 'skip', bytes: 3 });
    expect(cut('(ab\x7f)')).toEqual({ type: 'skip', bytes: 3 });
    expect(cut('(123456789\x01)')).toEqual({ type: 'skip', bytes: 10 });
  });

  it('are given up with all beginnings that are too far from an end, and with no other', () => {
    expect(cut('(1234567')).toEqual({ type: 'skip', bytes: 1 });
    // Of eleven the fifth has six behind it: its end may still come.
    expect(cut('(((((((((((')).toEqual({ type: 'skip', bytes: 4 });
    expect(cut('(((((((((()')).toEqual({ type: 'skip', bytes: 3 });
    expect(cut('((((((()')).toEqual({ type: 'frame', start: 0, end: 8 });
  });

  it('are found wherever the stream is cut', () => {
    const stream = '((((((((((((12)((((((((((3)';
    const texts = (size: number): string[] => {
      const found: string[] = [];
      let [held, at] = ['', 0];
      while (at < stream.length || held !== '') {
        const next =
          held === ''
            ? ({ type: 'wait' } as const)
            : held[0] === '('
              ? cut(held)
              : ({ type: 'skip', bytes: 1 } as const);
        if (next.type === 'frame') found.push(held.slice(0, next.end));
        if (next.type === 'wait') {
          if (at >= stream.length) break;
          held += stream.slice(at, at + size);
          at += size;
        } else held = held.slice(next.type === 'frame' ? next.end : next.bytes);
      }
      return found;
    };
    for (const size of [1, 3, 7, 100]) expect(texts(size)).toEqual(['(((((12)', '((((((3)']);
  });
});
