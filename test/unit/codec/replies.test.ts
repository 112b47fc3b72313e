import { describe, expect, it } from 'vitest';
import { fileChunks } from '#codec';

describe('a file that is received at once', () => {
  it('is one chunk if it is small, and none if it is empty', () => {
    const bytes = Uint8Array.of(1, 2, 3);
    const whole = { type: 'file', name: 'a.jpg', media: 'image', offset: 0, total: 3, bytes, last: true };
    expect(fileChunks('a.jpg', 'image', bytes)).toEqual([whole]);
    expect(fileChunks('a.jpg', 'image', new Uint8Array(0))).toEqual([]);
  });

  it.each([
    [32_768, [32_768]],
    [32_769, [32_768, 1]],
    [70_000, [32_768, 32_768, 4_464]],
  ])('of %i bytes is cut into pieces of 32 KiB', (total, sizes) => {
    const data = Uint8Array.from({ length: total }, (_, n) => n % 251);
    const pieces = fileChunks('a', 'other', data);
    expect(pieces.map(({ bytes }) => bytes.length)).toEqual(sizes);
    expect(pieces.map(({ offset }) => offset)).toEqual(sizes.map((_, n) => n * 32_768));
    expect(pieces.map(({ last }) => last === true)).toEqual(sizes.map((_, n) => n === sizes.length - 1));
    expect(pieces.every((piece) => piece.total === total)).toBe(true);
    expect(Buffer.concat(pieces.map(({ bytes }) => bytes)).equals(data)).toBe(true);
  });
});
