import type { FrameContext, FrameResult, Scan } from '#codec';
import { END, endsAt, isVerified, lacksEnd, MIN_FRAME_BYTES } from './ending.ts';
import { ALARM_BYTES, endOfScan, isScan, isScanType } from './scan.ts';

export const MAX_FRAME_BYTES = 4_096;
const SHORT = 0x78;
const LONG = 0x79;

/** of the search for an end without a length */
const SEARCH = {};

/** What is known of a head: `[2, to)` holds no 0D 0A. */
interface Known extends Scan {
  /** bytes over which checksums may still be computed to find frames without an end, so that the work stays linear */
  readonly budget?: number;
  /** no frame without an end begins here */
  readonly isChecked?: boolean;
}

/** At the beginning of a stream, and behind a frame. */
const FIRST_BUDGET = 320;
/** Skipped bytes allow for the checksum of one. */
const BYTES_PER_CHECK = 2;
const UNKNOWN: Known = { by: SEARCH, to: 2, budget: FIRST_BUDGET };

/** To where the next 78 78 or 79 79 may begin. The bytes behind the head may have been read before. */
function skipToMarker(
  bytes: Uint8Array,
  { to: searched, budget = FIRST_BUDGET }: Known,
  second = bytes[1],
  third = bytes[2],
): FrameResult {
  let at = 1;
  for (let byte = second; byte !== undefined; at++) {
    const behind: number | undefined = at === 1 ? third : bytes[at + 1];
    if ((byte === SHORT || byte === LONG) && (behind === undefined || behind === byte)) break;
    byte = behind;
  }
  const begun = searched > at + 2;
  const to = begun ? searched - at : 2;
  const scan: Known = {
    by: SEARCH,
    to,
    begun,
    movable: begun,
    budget: Math.min(budget + at / BYTES_PER_CHECK, MAX_FRAME_BYTES),
  };
  return { type: 'skip', bytes: at, scan };
}

/** If it is refused, the search goes on one byte later, where nothing is known any more. */
const cut = (end: number, mayFollow: readonly number[] = []): FrameResult => ({
  type: 'frame',
  start: 0,
  end,
  resumeAt: 1,
  scan: { by: SEARCH, to: 2, budget: end } as Known,
  mayFollow,
});

/**
 * Cuts at the end that the length names, where 0D 0A stands there, or where the checksum before it is right: a device
 * that leaves the end out waits for the answer. Else, since lengths are not to be trusted, behind the first 0D 0A.
 * Nothing is decided before all bytes are there that the decision looks at, so that it is the same however they come. A
 * frame that does not verify may have begun with bytes that are not a marker: the search goes on behind it.
 */
export function frame(bytes: Uint8Array, { scan }: Pick<FrameContext<unknown>, 'scan'> = {}): FrameResult {
  const known: Known = scan?.by === SEARCH ? scan : UNKNOWN;
  const mark = bytes[0];
  if (mark !== SHORT && mark !== LONG) return skipToMarker(bytes, known);
  if (known.begun !== true) {
    if (bytes.length > 1 && bytes[1] !== mark) return skipToMarker(bytes, known);
    if (bytes.length < 5) return { type: 'wait', atLeast: 5, scan: known };
  }
  const length = bytes[2]!;
  const end = mark === SHORT ? length + 5 : ((length << 8) | bytes[3]!) + 6;
  if (end < MIN_FRAME_BYTES || end > MAX_FRAME_BYTES) return cutOtherwise(bytes, known, mark, length);
  const least = end - END.length;
  if (bytes.length < least) return { type: 'wait', atLeast: least, scan: known };
  if (bytes.length >= end && end > known.to && endsAt(bytes, end)) return cut(end);
  if (known.isChecked === true)
    return bytes.length < end ? { type: 'wait', atLeast: end, scan: known } : cutOtherwise(bytes, known, mark, length);
  const { budget = FIRST_BUDGET } = known;
  const mayCheck = budget >= least && !isScanType(bytes[3]);
  if (mayCheck && isVerified(bytes, least)) return cut(least, END);
  const checked: Known = { ...known, begun: true, budget: budget - (mayCheck ? least : 0), isChecked: true };
  return bytes.length < end
    ? { type: 'wait', atLeast: end, scan: checked }
    : cutOtherwise(bytes, checked, mark, length);
}

/** Where no frame ends as its length says. */
function cutOtherwise(bytes: Uint8Array, known: Known, mark: number, length: number): FrameResult {
  const scanned = mark === SHORT && length <= MAX_ACCESS_POINTS ? cutScan(bytes, known) : undefined;
  return scanned ?? cutAtFirstEnd(bytes, known, mark, length);
}

/** How far 0D 0A is looked for; a frame whose length is wrong is short. */
const FURTHEST_END = 512;

/** Most access points that a scan is believed to hold. */
const MAX_ACCESS_POINTS = 32;

/** Undefined if these bytes are no scan of access points. */
function cutScan(bytes: Uint8Array, known: Known): FrameResult | undefined {
  if (!isScanType(bytes[3])) return undefined;
  const { end, known: least } = endOfScan(bytes);
  if (end === undefined) return { type: 'wait', atLeast: least, scan: known };
  if (bytes.length < end) return { type: 'wait', atLeast: end, scan: known };
  if (endsAt(bytes, end)) return cut(end);
  const later = end + ALARM_BYTES;
  if (bytes.length < later) return { type: 'wait', atLeast: later, scan: known };
  return endsAt(bytes, later) ? cut(later) : undefined;
}

function cutAtFirstEnd(bytes: Uint8Array, known: Known, second: number, third: number): FrameResult {
  const furthest = Math.min(bytes.length, FURTHEST_END);
  // The first end that counts is behind four bytes.
  let at = Math.max(known.to, 4);
  for (; at < furthest; at++) {
    if (bytes[at] !== 0x0d) continue;
    if (at + 1 === furthest) break;
    if (bytes[at + 1] === 0x0a) return cut(at + 2);
  }
  if (furthest === FURTHEST_END) return skipToMarker(bytes, { ...known, to: at }, second, third);
  return { type: 'wait', scan: { ...known, to: at, begun: true, movable: true } };
}

/** CRC-16/X-25 from the length to the serial. Only scans of access points have none: they must be whole. */
export function verify(bytes: Uint8Array): boolean {
  const { length } = bytes;
  if (length >= MIN_FRAME_BYTES && isVerified(bytes, length - END.length)) return true;
  return isScan(bytes) || lacksEnd(bytes);
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
