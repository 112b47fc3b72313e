import { crc16X25, type FrameContext, type FrameResult } from '#codec';
import { endOfScan, isScan, isScanType } from './scan.ts';

export const MAX_FRAME_BYTES = 4_096;
const SHORT = 0x78;
const LONG = 0x79;
/** marker, length, type, serial, checksum, 0D 0A */
const MIN_FRAME_BYTES = 10;

const endsAt = (bytes: Uint8Array, end: number): boolean => bytes[end - 2] === 0x0d && bytes[end - 1] === 0x0a;

/** of the search for an end without a length */
const END = {};

/** To where the next 78 78 or 79 79 may begin; `[2, searched)` holds no 0D 0A. */
function skipToMarker(bytes: Uint8Array, searched: number, first = bytes[1], second = bytes[2]): FrameResult {
  let at = 1;
  for (let byte = first; byte !== undefined; at++) {
    const behind: number | undefined = at === 1 ? second : bytes[at + 1];
    if ((byte === SHORT || byte === LONG) && (behind === undefined || behind === byte)) break;
    byte = behind;
  }
  if (searched <= at + 2) return { type: 'skip', bytes: at };
  return { type: 'skip', bytes: at, scan: { by: END, to: searched - at, begun: true, movable: true } };
}

/**
 * Cuts at the end that the length names, where 0D 0A stands there; else, since lengths are not to be trusted, behind
 * the first 0D 0A. Nothing is decided before all bytes are there that the decision looks at, so that it is the same
 * however they come. A frame that does not verify may have begun with bytes that are not a marker: the search goes on behind it.
 */
export function frame(bytes: Uint8Array, { scan }: Pick<FrameContext<unknown>, 'scan'> = {}): FrameResult {
  const searched = scan?.by === END ? scan.to : 2;
  const mark = bytes[0];
  if (mark !== SHORT && mark !== LONG) return skipToMarker(bytes, searched);
  if (scan?.by !== END || scan.begun !== true) {
    if (bytes.length > 1 && bytes[1] !== mark) return skipToMarker(bytes, searched);
    if (bytes.length < 5) return { type: 'wait', atLeast: 5 };
  }
  const length = bytes[2]!;
  const end = mark === SHORT ? length + 5 : ((length << 8) | bytes[3]!) + 6;
  if (end >= MIN_FRAME_BYTES && end <= MAX_FRAME_BYTES) {
    if (bytes.length < end) return { type: 'wait', atLeast: end };
    if (end > searched && endsAt(bytes, end)) return { type: 'frame', start: 0, end, resumeAt: 1 };
  }
  const scanned = mark === SHORT && length <= MAX_ACCESS_POINTS ? cutScan(bytes) : undefined;
  return scanned ?? cutAtFirstEnd(bytes, searched, mark, length);
}

/** How far 0D 0A is looked for; a frame whose length is wrong is short. */
const FURTHEST_END = 512;

/** Most access points that a scan is believed to hold. */
const MAX_ACCESS_POINTS = 32;

/** Undefined if these bytes are no scan of access points. */
function cutScan(bytes: Uint8Array): FrameResult | undefined {
  if (!isScanType(bytes[3])) return undefined;
  const { end, known } = endOfScan(bytes);
  if (end === undefined) return { type: 'wait', atLeast: known };
  if (bytes.length < end) return { type: 'wait', atLeast: end };
  return endsAt(bytes, end) ? { type: 'frame', start: 0, end, resumeAt: 1 } : undefined;
}

/** `[2, searched)` holds no 0D 0A, nor does the byte before begin one. */
function cutAtFirstEnd(bytes: Uint8Array, searched: number, mark: number, third: number): FrameResult {
  const furthest = Math.min(bytes.length, FURTHEST_END);
  // The first end that counts is behind four bytes.
  let at = Math.max(searched, 4);
  for (; at < furthest; at++) {
    if (bytes[at] !== 0x0d) continue;
    if (at + 1 === furthest) break;
    if (bytes[at + 1] === 0x0a) return { type: 'frame', start: 0, end: at + 2, resumeAt: 1 };
  }
  if (furthest === FURTHEST_END) return skipToMarker(bytes, at, mark, third);
  return { type: 'wait', scan: { by: END, to: at, begun: true, movable: true } };
}

/** CRC-16/X-25 from the length to the serial. Only scans of access points have none: they must be whole. */
export function verify(bytes: Uint8Array): boolean {
  const at = bytes.length - 4;
  if (bytes.length >= MIN_FRAME_BYTES && crc16X25(bytes, 2, at) === ((bytes[at]! << 8) | bytes[at + 1]!)) return true;
  return isScan(bytes);
}

/** Longest first frame that is waited for. */
const MAX_FIRST_FRAME_BYTES = 1_500;
const LOGIN = 0x01;

/** By the checksum of the first frame: others begin with the same markers. */
export function identify(bytes: Uint8Array): 'yes' | 'no' | 'more' {
  const cut = frame(bytes);
  if (cut.type === 'skip') return 'no';
  if (cut.type === 'frame') return verify(bytes.subarray(0, cut.end)) ? 'yes' : 'no';
  if ((cut.atLeast ?? 0) > MAX_FIRST_FRAME_BYTES) return 'no';
  // Another protocol's login has the same marker, length and type, and ends earlier.
  return bytes[3] === LOGIN && bytes.length >= MIN_FRAME_BYTES && endsAt(bytes, bytes.length) ? 'no' : 'more';
}
