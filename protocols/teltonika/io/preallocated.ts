import type { Attributes } from '#codec';

type Maker = new (first: number, second: number, third: number) => Attributes;

/**
 * Makes attributes that begin with three numbers and have room for `room` keys more. They are plain objects (their
 * prototype is that of `{}`); a literal has room for its own keys only, and each few keys more move it to a larger
 * store: with room, a sixth more records are decoded in a second.
 */
export function preallocatedAttributes(
  keys: readonly [string, string, string],
  room: number,
): (first: number, second: number, third: number) => Attributes {
  const [firstKey, secondKey, thirdKey] = keys;
  const Roomy = function (this: Attributes, first: number, second: number, third: number) {
    this[firstKey] = first;
    this[secondKey] = second;
    this[thirdKey] = third;
  } as unknown as Maker;
  Roomy.prototype = Object.prototype;
  // The engine fixes the room by what the first few objects come to hold.
  for (let n = 0; n < 16; n++) {
    const attributes = new Roomy(0, 0, 0);
    for (let id = 1; id <= room; id++) attributes[`io${id}`] = 0;
  }
  return (first, second, third) => new Roomy(first, second, third);
}
