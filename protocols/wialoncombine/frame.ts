import { crc16Arc, type FrameContext, type FrameResult } from '#codec';
import type { Match } from '#codec/framing';

const MARK = 0x24;
/** A packet holds stored messages and parts of pictures. */
export const MAX_FRAME_BYTES = 131_072;
export const [LOGIN, DATA, KEEP_ALIVE] = [0, 1, 2];
const KEEP_ALIVE_BYTES = 5;
const LONG = 0x80;

const isMark = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === MARK && (at + 1 >= bytes.length || bytes[at + 1] === MARK) && (bytes[at + 2] ?? 0) <= KEEP_ALIVE;

function nextMark(bytes: Uint8Array): number {
  let at = 1;
  while (at < bytes.length && !isMark(bytes, at)) at++;
  return at;
}

/** Where the body begins: its length has two bytes, or four where the first bit is set. */
export const bodyStart = (bytes: Uint8Array): number => ((bytes[5]! & LONG) !== 0 ? 9 : 7);

function bodyLength(bytes: Uint8Array): number {
  const high = (bytes[5]! << 8) | bytes[6]!;
  return (bytes[5]! & LONG) === 0 ? high : (high & 0x7fff) * 0x1_0000 + ((bytes[7]! << 8) | bytes[8]!);
}

export function frame(bytes: Uint8Array): FrameResult {
  if (!isMark(bytes, 0)) return { type: 'skip', bytes: nextMark(bytes) };
  if (bytes.length < KEEP_ALIVE_BYTES) return { type: 'wait', atLeast: KEEP_ALIVE_BYTES };
  if (bytes[2] === KEEP_ALIVE) return { type: 'frame', start: 0, end: KEEP_ALIVE_BYTES };
  if (bytes.length < 7) return { type: 'wait', atLeast: 7 };
  const start = bodyStart(bytes);
  if (bytes.length < start) return { type: 'wait', atLeast: start };
  const end = start + bodyLength(bytes) + 2;
  if (end > MAX_FRAME_BYTES) return { type: 'skip', bytes: nextMark(bytes) };
  return bytes.length < end ? { type: 'wait', atLeast: end } : { type: 'frame', start: 0, end, resumeAt: 1 };
}

/** CRC-16/ARC over all before it. A keep-alive has none. */
export function verify(bytes: Uint8Array, { options }: Pick<FrameContext<unknown>, 'options'>): boolean {
  if (bytes[2] === KEEP_ALIVE) return bytes.length === KEEP_ALIVE_BYTES;
  const at = bytes.length - 2;
  if (at < 7) return false;
  return options['lenientChecksum'] === true || crc16Arc(bytes, 0, at) === ((bytes[at]! << 8) | bytes[at + 1]!);
}

const MOST_LOGIN_BYTES = 160;

/** A login, by its checksum. */
export function identify(bytes: Uint8Array): Match {
  if (bytes.length === 0) return 'more';
  if (!isMark(bytes, 0) || (bytes[2] ?? LOGIN) !== LOGIN) return 'no';
  const cut = frame(bytes);
  if (cut.type === 'wait') return bytes.length > MOST_LOGIN_BYTES ? 'no' : 'more';
  return cut.type === 'frame' && verify(bytes.subarray(0, cut.end), { options: {} }) ? 'yes' : 'no';
}
