import { type FrameContext, type FrameResult, toLatin1 } from '#codec';
import type { Match } from '#codec/framing';

export const MAX_FRAME_BYTES = 16_384;
const [AT, COMMA, DOLLAR, LF, CR] = [0x40, 0x2c, 0x24, 0x0a, 0x0d];
const KEEP_ALIVE_BYTES = 12;
const BINARY_HEAD = 6;

const KEEP_ALIVE = [0xfe, 0x02];
export const isKeepAlive = (bytes: Uint8Array): boolean => bytes[0] === KEEP_ALIVE[0] && bytes[1] === KEEP_ALIVE[1];
/** Text has behind its two marks a comma, a checksum in hex digits, a comma, its length in digits and a comma. */
export const isText = (bytes: Uint8Array): boolean => typeof textHead(bytes) === 'object';
export const isLine = (bytes: Uint8Array): boolean => bytes[0] === DOLLAR;

function next(bytes: Uint8Array): number {
  for (let at = 1; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === AT || byte === DOLLAR || byte === 0xfe) return at;
  }
  return bytes.length;
}

const cutAt = (bytes: Uint8Array, end: number): FrameResult =>
  bytes.length < end ? { type: 'wait', atLeast: end } : { type: 'frame', start: 0, end };

/** @P or @R; units whose mark was set in lower case send that */
const isKind = (second: number): boolean => [0x50, 0x52, 0x70, 0x72].includes(second);
/** @P or @R, or a keep-alive. */
const isHead = (bytes: Uint8Array): boolean => isKeepAlive(bytes) || (bytes[0] === AT && isKind(bytes[1]!));

/** By the first bytes: a keep-alive, a line, text with its length, or binary with its length. A datagram is one frame. */
export function frame(bytes: Uint8Array, { transport, scan }: FrameContext<unknown>): FrameResult {
  if (transport === 'udp') return { type: 'frame', start: 0, end: bytes.length };
  if (bytes.length < 3) return { type: 'wait', atLeast: 3 };
  const first = bytes[0]!;
  if (first === DOLLAR) return cutLine(bytes, scan?.by === LINE ? scan.to : 1);
  const second = bytes[1]!;
  if (first === KEEP_ALIVE[0] && second === KEEP_ALIVE[1]) return cutAt(bytes, KEEP_ALIVE_BYTES);
  const text = textHead(bytes);
  if (text === 'more') return { type: 'wait' };
  if (text !== undefined) return cutText(bytes, text);
  if (first !== AT || !isKind(second)) return { type: 'skip', bytes: next(bytes) };
  if (bytes.length < BINARY_HEAD) return { type: 'wait', atLeast: BINARY_HEAD };
  const end = BINARY_HEAD + ((bytes[4]! << 8) | bytes[5]!);
  return end > MAX_FRAME_BYTES ? { type: 'skip', bytes: next(bytes) } : cutAt(bytes, end);
}

const MAX_LINE_BYTES = 1_024;
/** of the search for a line feed */
const LINE = {};

/** No line feed stands in `[1, from)`. */
function cutLine(bytes: Uint8Array, from: number): FrameResult {
  const most = bytes.length > MAX_LINE_BYTES ? bytes.subarray(0, MAX_LINE_BYTES) : bytes;
  const end = most.indexOf(LF, from);
  if (end >= 0) return { type: 'frame', start: 0, end: end + 1 };
  if (most.length < MAX_LINE_BYTES) return { type: 'wait', scan: { by: LINE, to: most.length, movable: true } };
  const bytesToSkip = next(bytes);
  if (bytesToSkip >= most.length) return { type: 'skip', bytes: bytesToSkip };
  return { type: 'skip', bytes: bytesToSkip, scan: { by: LINE, to: most.length - bytesToSkip, movable: true } };
}

/** Offset of the comma behind `most` digits at the most; undefined if there is none, 0 where it may come. */
function commaBehind(bytes: Uint8Array, start: number, most: number, isDigit: (byte: number) => boolean) {
  for (let at = start; at <= start + most; at++) {
    const byte = bytes[at];
    if (byte === undefined) return 0;
    if (byte === COMMA) return at === start ? undefined : at;
    if (!isDigit(byte)) return undefined;
  }
  return undefined;
}

const isDecimal = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
const isHex = (byte: number): boolean => isDecimal(byte) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);

/** Offsets of the commas before and behind the length. */
interface TextHead {
  readonly before: number;
  readonly behind: number;
}

/** Not by the comma alone: 1 in 256 binary checksums begins with that byte. */
function textHead(bytes: Uint8Array): TextHead | 'more' | undefined {
  if (bytes[2] !== COMMA) return undefined;
  const before = commaBehind(bytes, 3, 4, isHex);
  const behind = before ? commaBehind(bytes, before + 1, 5, isDecimal) : before;
  if (behind === 0) return 'more';
  return behind === undefined ? undefined : { before: before!, behind };
}

/** The length counts from the comma behind it on; a line feed may not be counted. */
function cutText(bytes: Uint8Array, { before, behind: comma }: TextHead): FrameResult {
  const end = comma + Number(toLatin1(bytes, before + 1, comma));
  if (end > MAX_FRAME_BYTES || end <= comma) return { type: 'skip', bytes: next(bytes) };
  if (bytes.length < end) return { type: 'wait', atLeast: end };
  if (bytes[end - 1] !== CR) return { type: 'frame', start: 0, end };
  if (bytes.length < end + 1) return { type: 'wait', atLeast: end + 1 };
  return { type: 'frame', start: 0, end: bytes[end] === LF ? end + 1 : end };
}

const OPENING = /^@[Pp],[0-9A-Fa-f]{1,4},\d{1,5},\d{1,5},\d{10,20},/;
const OPENING_BYTES = 44;
const [MIN_ID, MAX_ID] = [10_000_000_000_000, 999_999_999_999_999];

/** Whether the length is that of the bytes, or of a message that another follows. */
function isWhole(bytes: Uint8Array): Match {
  const end = BINARY_HEAD + ((bytes[4]! << 8) | bytes[5]!);
  if (bytes[0] !== AT || end > MAX_FIRST_BYTES) return 'no';
  if (bytes.length < end) return 'more';
  return bytes.length === end || bytes[end] === AT ? 'yes' : 'no';
}
const MAX_FIRST_BYTES = 1_500;

/** Text by its fields; binary by an id that is an IMEI, or by its length: units may have a longer id. */
export function identify(bytes: Uint8Array): Match {
  if (bytes.length === 0) return 'more';
  const at = isKeepAlive(bytes) ? 2 : 8;
  if (bytes[0] !== AT && bytes[0] !== 0xfe) return 'no';
  if (bytes.length > 1 && !isHead(bytes)) return 'no';
  if (bytes[0] === AT && textHead(bytes) !== undefined) {
    const text = toLatin1(bytes, 0, OPENING_BYTES);
    if (OPENING.test(text)) return 'yes';
    return bytes.length < OPENING_BYTES && !text.includes('\n') ? 'more' : 'no';
  }
  if (bytes.length < at + 8) return 'more';
  let id = 0;
  for (let i = at; i < at + 8; i++) id = id * 256 + bytes[i]!;
  if (id < MIN_ID) return 'no';
  return id <= MAX_ID ? 'yes' : isWhole(bytes);
}
