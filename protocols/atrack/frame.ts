import { type FrameContext, type FrameResult, toLatin1 } from '#codec';
import type { Match } from '#codec/framing';

export const MAX_FRAME_BYTES = 16_384;
const [AT, COMMA, DOLLAR, LF, CR] = [0x40, 0x2c, 0x24, 0x0a, 0x0d];
const KEEP_ALIVE_BYTES = 12;
const BINARY_HEAD = 6;
const MOST_HEAD = 16;

export const isKeepAlive = (bytes: Uint8Array): boolean => bytes[0] === 0xfe && bytes[1] === 0x02;
/** Text has a comma behind its two marks. */
export const isText = (bytes: Uint8Array): boolean => bytes[2] === COMMA;
export const isLine = (bytes: Uint8Array): boolean => bytes[0] === DOLLAR;

function next(bytes: Uint8Array): number {
  for (let at = 1; at < bytes.length; at++) {
    if (bytes[at] === AT || bytes[at] === DOLLAR || bytes[at] === 0xfe) return at;
  }
  return bytes.length;
}

const cutAt = (bytes: Uint8Array, end: number): FrameResult =>
  bytes.length < end ? { type: 'wait', atLeast: end } : { type: 'frame', start: 0, end };

/** @P or @R, or a keep-alive. */
const isHead = (bytes: Uint8Array): boolean =>
  isKeepAlive(bytes) || (bytes[0] === AT && (bytes[1] === 0x50 || bytes[1] === 0x52));

/** By the first bytes: a keep-alive, a line, text with its length, or binary with its length. A datagram is one frame. */
export function frame(bytes: Uint8Array, { transport }: FrameContext<unknown>): FrameResult {
  if (transport === 'udp') return { type: 'frame', start: 0, end: bytes.length };
  if (bytes.length < 3) return { type: 'wait', atLeast: 3 };
  if (isKeepAlive(bytes)) return cutAt(bytes, KEEP_ALIVE_BYTES);
  if (isLine(bytes)) return cutLine(bytes);
  if (isText(bytes)) return cutText(bytes);
  if (!isHead(bytes)) return { type: 'skip', bytes: next(bytes) };
  if (bytes.length < BINARY_HEAD) return { type: 'wait', atLeast: BINARY_HEAD };
  const end = BINARY_HEAD + ((bytes[4]! << 8) | bytes[5]!);
  return end > MAX_FRAME_BYTES ? { type: 'skip', bytes: next(bytes) } : cutAt(bytes, end);
}

function cutLine(bytes: Uint8Array): FrameResult {
  const most = bytes.subarray(0, 1_024);
  const end = most.indexOf(LF);
  if (end >= 0) return { type: 'frame', start: 0, end: end + 1 };
  return most.length < 1_024 ? { type: 'wait' } : { type: 'skip', bytes: next(bytes) };
}

const HEAD = /^..,[0-9A-Fa-f]{1,4},(\d{1,5}),/s;
const PARTIAL_HEAD = /^..,(?:[0-9A-Fa-f]{0,4}|[0-9A-Fa-f]{1,4},\d{0,5})$/s;

/** Two marks, a checksum, then how many bytes there are from the next comma on; a line feed may not be counted. */
function cutText(bytes: Uint8Array): FrameResult {
  const head = toLatin1(bytes, 0, MOST_HEAD);
  const m = HEAD.exec(head);
  if (m === null) {
    return PARTIAL_HEAD.test(head) && bytes.length < MOST_HEAD
      ? { type: 'wait' }
      : { type: 'skip', bytes: next(bytes) };
  }
  const end = m[0].length - 1 + Number(m[1]);
  if (end > MAX_FRAME_BYTES || end < m[0].length) return { type: 'skip', bytes: next(bytes) };
  if (bytes.length < end) return { type: 'wait', atLeast: end };
  if (bytes[end - 1] !== CR) return { type: 'frame', start: 0, end };
  if (bytes.length < end + 1) return { type: 'wait', atLeast: end + 1 };
  return { type: 'frame', start: 0, end: bytes[end] === LF ? end + 1 : end };
}

const OPENING = /^@P,[0-9A-Fa-f]{1,4},\d{1,5},\d{1,5},\d{10,16},/;
const OPENING_BYTES = 40;
const [LEAST_ID, MOST_ID] = [10_000_000_000_000, 999_999_999_999_999];

/** Text by its fields; binary by an id that is an IMEI. */
export function identify(bytes: Uint8Array): Match {
  if (bytes.length === 0) return 'more';
  const at = isKeepAlive(bytes) ? 2 : 8;
  if (bytes[0] !== AT && bytes[0] !== 0xfe) return 'no';
  if (bytes.length > 1 && !isHead(bytes)) return 'no';
  if (bytes[0] === AT && isText(bytes)) {
    const text = toLatin1(bytes, 0, OPENING_BYTES);
    if (OPENING.test(text)) return 'yes';
    return bytes.length < OPENING_BYTES && !text.includes('\n') ? 'more' : 'no';
  }
  if (bytes.length < at + 8) return 'more';
  let id = 0;
  for (let i = at; i < at + 8; i++) id = id * 256 + bytes[i]!;
  return id >= LEAST_ID && id <= MOST_ID ? 'yes' : 'no';
}
