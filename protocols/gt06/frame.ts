import { crc16X25, type FrameResult } from '#codec';
import { endOfScan, isScan, isScanType } from './scan.ts';

export const MAX_FRAME_BYTES = 4_096;
const SHORT = 0x78;
const LONG = 0x79;
/** marker, length, type, serial, checksum, 0D 0A */
const SMALLEST = 10;

const endsAt = (bytes: Uint8Array, end: number): boolean => bytes[end - 2] === 0x0d && bytes[end - 1] === 0x0a;

/** Where the next 78 78 or 79 79 may begin, behind the head. */
function nextMarker(bytes: Uint8Array): number {
  for (let at = 1; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if ((byte === SHORT || byte === LONG) && (at + 1 === bytes.length || bytes[at + 1] === byte)) return at;
  }
  return bytes.length;
}

/**
 * Cuts at the end that the length names, where 0D 0A stands there; else, since lengths are not to be trusted, behind
 * the first 0D 0A. Nothing is decided before all bytes are there that the decision looks at, so that it is the same
 * however they come. A frame that does not verify may have begun with bytes that are not a marker: the search goes on behind it.
 */
export function frame(bytes: Uint8Array): FrameResult {
  const mark = bytes[0];
  if (mark !== SHORT && mark !== LONG) return { type: 'skip', bytes: nextMarker(bytes) };
  if (bytes.length > 1 && bytes[1] !== mark) return { type: 'skip', bytes: nextMarker(bytes) };
  if (bytes.length < 5) return { type: 'wait', atLeast: 5 };
  const end = mark === SHORT ? bytes[2]! + 5 : ((bytes[2]! << 8) | bytes[3]!) + 6;
  if (end >= SMALLEST && end <= MAX_FRAME_BYTES) {
    if (bytes.length < end) return { type: 'wait', atLeast: end };
    if (endsAt(bytes, end)) return { type: 'frame', start: 0, end, resumeAt: 1 };
  }
  return cutWithoutLength(bytes, mark);
}

/** How far 0D 0A is looked for; a frame whose length is wrong is short. Without a bound, noise would be read again and again. */
const FURTHEST_END = 512;

/** Most access points that a scan is believed to hold. */
const MOST_ACCESS_POINTS = 32;

function cutWithoutLength(bytes: Uint8Array, mark: number): FrameResult {
  if (mark === SHORT && isScanType(bytes[3]) && bytes[2]! <= MOST_ACCESS_POINTS) {
    const { end, known } = endOfScan(bytes);
    if (end === undefined) return { type: 'wait', atLeast: known };
    if (bytes.length < end) return { type: 'wait', atLeast: end };
    if (endsAt(bytes, end)) return { type: 'frame', start: 0, end, resumeAt: 1 };
  }
  const furthest = Math.min(bytes.length, FURTHEST_END);
  for (let end = 6; end <= furthest; end++)
    if (endsAt(bytes, end)) return { type: 'frame', start: 0, end, resumeAt: 1 };
  return furthest < FURTHEST_END ? { type: 'wait' } : { type: 'skip', bytes: nextMarker(bytes) };
}

/** CRC-16/X-25 from the length to the serial. Only scans of access points have none: they must be whole. */
export function verify(bytes: Uint8Array): boolean {
  const at = bytes.length - 4;
  if (bytes.length >= SMALLEST && crc16X25(bytes, 2, at) === ((bytes[at]! << 8) | bytes[at + 1]!)) return true;
  return isScan(bytes);
}

/** Longest first frame that is waited for. */
const LONGEST_FIRST = 1_500;
const LOGIN = 0x01;

/** By the checksum of the first frame: others begin with the same markers. */
export function identify(bytes: Uint8Array): 'yes' | 'no' | 'more' {
  const cut = frame(bytes);
  if (cut.type === 'skip') return 'no';
  if (cut.type === 'frame') return verify(bytes.subarray(0, cut.end)) ? 'yes' : 'no';
  if ((cut.atLeast ?? 0) > LONGEST_FIRST) return 'no';
  // Another protocol's login has the same marker, length and type, and ends earlier.
  return bytes[3] === LOGIN && bytes.length >= SMALLEST && endsAt(bytes, bytes.length) ? 'no' : 'more';
}
