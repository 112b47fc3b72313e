const C1 = 0x239b961b;
const C2 = 0xab0e9789 | 0;
const C3 = 0x38b34ae5;
const C4 = 0xa1e38b93 | 0;

const rotate = (x: number, by: number): number => (x << by) | (x >>> (32 - by));

function finish(h: number): number {
  let x = h ^ (h >>> 16);
  x = Math.imul(x, 0x85ebca6b);
  x ^= x >>> 13;
  x = Math.imul(x, 0xc2b2ae35);
  return x ^ (x >>> 16);
}

/**
 * MurmurHash3 x86_128 (A. Appleby, public domain), seed 0, of bytes `[from, from + length)` to the 16 bytes at `to`.
 * Bytes behind the last whole block of 16 count as zeros, so the caller clears up to 15 bytes behind them.
 */
export function hash128(view: DataView, from: number, length: number, to: number): void {
  let h1 = 0;
  let h2 = 0;
  let h3 = 0;
  let h4 = 0;
  for (let at = from, end = from + length; at < end; at += 16) {
    let k = Math.imul(view.getInt32(at, true), C1);
    h1 ^= Math.imul(rotate(k, 15), C2);
    h1 = (rotate(h1, 19) + h2) | 0;
    h1 = (Math.imul(h1, 5) + 0x561ccd1b) | 0;
    k = Math.imul(view.getInt32(at + 4, true), C2);
    h2 ^= Math.imul(rotate(k, 16), C3);
    h2 = (rotate(h2, 17) + h3) | 0;
    h2 = (Math.imul(h2, 5) + 0x0bcaa747) | 0;
    k = Math.imul(view.getInt32(at + 8, true), C3);
    h3 ^= Math.imul(rotate(k, 17), C4);
    h3 = (rotate(h3, 15) + h4) | 0;
    h3 = (Math.imul(h3, 5) + 0x96cd1c35) | 0;
    k = Math.imul(view.getInt32(at + 12, true), C4);
    h4 ^= Math.imul(rotate(k, 18), C1);
    h4 = (rotate(h4, 13) + h1) | 0;
    h4 = (Math.imul(h4, 5) + 0x32ac3b17) | 0;
  }
  h1 ^= length;
  h2 ^= length;
  h3 ^= length;
  h4 ^= length;
  h1 = (h1 + h2 + h3 + h4) | 0;
  h2 = (h2 + h1) | 0;
  h3 = (h3 + h1) | 0;
  h4 = (h4 + h1) | 0;
  h1 = finish(h1);
  h2 = finish(h2);
  h3 = finish(h3);
  h4 = finish(h4);
  h1 = (h1 + h2 + h3 + h4) | 0;
  view.setInt32(to, h1);
  view.setInt32(to + 4, (h2 + h1) | 0);
  view.setInt32(to + 8, (h3 + h1) | 0);
  view.setInt32(to + 12, (h4 + h1) | 0);
}
