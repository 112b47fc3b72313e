import type { ReportPlace } from './state.ts';

/** base64url digits in the order of the bits that they stand for */
const rank = (code: number): number => {
  if (code === 0x2d) return 62;
  if (code === 0x5f) return 63;
  if (code >= 0x61) return code - 0x61 + 26;
  return code >= 0x41 ? code - 0x41 : code - 0x30 + 52;
};

/** By time, then by the bytes of the id: as the index of stored positions. */
export function comparePlaces(a: ReportPlace, b: ReportPlace): number {
  if (a.at !== b.at) return a.at - b.at;
  if (a.id === b.id) return 0;
  const length = Math.min(a.id.length, b.id.length);
  for (let n = 0; n < length; n++) {
    const difference = rank(a.id.charCodeAt(n)) - rank(b.id.charCodeAt(n));
    if (difference !== 0) return difference;
  }
  return a.id.length - b.id.length;
}
