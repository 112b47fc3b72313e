import type { FrameResult } from '#codec';
import type { Match } from '#codec/framing';

export const MAX_FRAME_BYTES = 2_048;
/** marks and length, and what stands around the content */
const AROUND = 6;
/** marks, hardware, firmware, id, time, serial, checksum, line end */
export const SMALLEST = 32;
const [T, Z, DOLLAR] = [0x54, 0x5a, 0x24];

/** TZ, a length, $$, as far as the bytes go. */
const isHead = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === T &&
  (bytes[at + 1] ?? Z) === Z &&
  (bytes[at + 4] ?? DOLLAR) === DOLLAR &&
  (bytes[at + 5] ?? DOLLAR) === DOLLAR;

function next(bytes: Uint8Array): number {
  for (let at = bytes.indexOf(T, 1); at >= 0; at = bytes.indexOf(T, at + 1)) if (isHead(bytes, at)) return at;
  return bytes.length;
}

/** The length counts what follows it, but for the line end. */
export function frame(bytes: Uint8Array): FrameResult {
  if (!isHead(bytes, 0)) return { type: 'skip', bytes: next(bytes) };
  if (bytes.length < AROUND) return { type: 'wait', atLeast: AROUND };
  const end = ((bytes[2]! << 8) | bytes[3]!) + AROUND;
  if (end < SMALLEST || end > MAX_FRAME_BYTES) return { type: 'skip', bytes: next(bytes) };
  if (bytes.length < end) return { type: 'wait', atLeast: end };
  const isWhole = bytes[end - 2] === 0x0d && bytes[end - 1] === 0x0a;
  return isWhole ? { type: 'frame', start: 0, end } : { type: 'skip', bytes: next(bytes) };
}

/** Marks, length, marks again. */
export function identify(bytes: Uint8Array): Match {
  if (bytes.length === 0) return 'more';
  if (!isHead(bytes, 0)) return 'no';
  return bytes.length < AROUND ? 'more' : 'yes';
}
