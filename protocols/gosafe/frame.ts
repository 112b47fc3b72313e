import type { FrameContext, FrameResult } from '#codec';
import { type Match, matchesOpening, startsWith } from '#codec/framing';

export const MAX_FRAME_BYTES = 2_048;
export const STAR = 0x2a;
export const MARK = 0xf8;
const HASH = 0x23;
const ESCAPE = 0x1b;
const ESCAPED_MARK = 0xe3;

const TEXT_HEAD = '*GS';

const begins = (bytes: Uint8Array, at: number): Match =>
  bytes[at] === MARK ? 'yes' : startsWith(bytes, at, TEXT_HEAD);

function next(bytes: Uint8Array, from = 1): number {
  for (let at = from; at < bytes.length; at++) if (begins(bytes, at) !== 'no') return at;
  return bytes.length;
}

/** Text from *GS to #, or binary from mark to mark; a datagram is one frame. */
export function frame(bytes: Uint8Array, { transport }: FrameContext<unknown>): FrameResult {
  if (transport === 'udp') return { type: 'frame', start: 0, end: bytes.length };
  const verdict = begins(bytes, 0);
  if (verdict === 'no') return { type: 'skip', bytes: next(bytes) };
  if (verdict === 'more') return { type: 'wait' };
  return bytes[0] === MARK ? cutBinary(bytes) : cutText(bytes);
}

function cutText(bytes: Uint8Array): FrameResult {
  const most = bytes.subarray(0, MAX_FRAME_BYTES);
  const end = most.indexOf(HASH);
  if (end >= 0) return { type: 'frame', start: 0, end: end + 1 };
  return most.length < MAX_FRAME_BYTES ? { type: 'wait' } : { type: 'skip', bytes: next(most) };
}

/** 1B 00 stands for 1B, 1B E3 for F8; what else follows 1B is dropped with it. */
function cutBinary(bytes: Uint8Array): FrameResult {
  const content = new Uint8Array(Math.min(bytes.length, MAX_FRAME_BYTES));
  content[0] = MARK;
  let length = 1;
  for (let at = 1; at < bytes.length && at < MAX_FRAME_BYTES; at++) {
    const byte = bytes[at]!;
    if (byte !== ESCAPE) content[length++] = byte;
    else if (at + 1 >= bytes.length) return { type: 'wait' };
    else if (bytes[++at] === 0) content[length++] = ESCAPE;
    else if (bytes[at] === ESCAPED_MARK) content[length++] = MARK;
    else if (bytes[at] === MARK) return { type: 'skip', bytes: at };
    // Two marks side by side: the end of one frame that was lost, and the head of the next.
    if (byte === MARK && at === 1) return { type: 'skip', bytes: 1 };
    if (byte === MARK)
      return { type: 'frame', start: 0, end: at + 1, content: content.subarray(0, length), resumeAt: 1 };
  }
  return bytes.length < MAX_FRAME_BYTES
    ? { type: 'wait' }
    : { type: 'skip', bytes: next(bytes.subarray(0, MAX_FRAME_BYTES)) };
}

const OPENING = /^\*GS\d{2},\d{15}(?:,|#)/;
const OPENING_BYTES = 22;
/** mark, version, type, id */
const BINARY_HEAD = 10;
const MOST_IMEI = 999_999_999_999_999;
const LEAST_IMEI = 10_000_000_000_000;

const MOST_VERSION = 0x0f;

/** Others begin alike and have the IMEI as sixteen digits, the first a zero. */
const isPackedImei = (bytes: Uint8Array): boolean =>
  bytes[0]! <= 9 && bytes.every((byte) => byte <= 0x99 && (byte & 0x0f) <= 9);

export function identify(bytes: Uint8Array): Match {
  if (bytes.length === 0) return 'more';
  if (bytes[0] !== MARK) {
    const verdict = startsWith(bytes, 0, TEXT_HEAD);
    return verdict === 'yes' ? matchesOpening(bytes, OPENING, OPENING_BYTES, '#') : verdict;
  }
  if (bytes.length <= BINARY_HEAD) return 'more';
  if (bytes[1]! > MOST_VERSION || isPackedImei(bytes.subarray(3, BINARY_HEAD + 1))) return 'no';
  let imei = 0;
  for (let at = 3; at < BINARY_HEAD; at++) imei = imei * 256 + bytes[at]!;
  return imei >= LEAST_IMEI && imei <= MOST_IMEI ? 'yes' : 'no';
}
