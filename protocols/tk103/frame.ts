import type { FrameContext, FrameResult } from '#codec';
import { type Match, matchesOpening } from '#codec/framing';

export const MAX_FRAME_BYTES = 2_048;

const [OPEN, CLOSE, DOLLAR] = [0x28, 0x29, 0x24];

const nextOpen = (bytes: Uint8Array): number => {
  const at = bytes.indexOf(OPEN, 1);
  return at < 0 ? bytes.length : at;
};

/** From bracket to bracket; text between two dollars may hold brackets. A datagram is one sentence. */
export function frame(bytes: Uint8Array, { transport }: FrameContext<unknown>): FrameResult {
  if (transport === 'udp') return { type: 'frame', start: 0, end: bytes.length };
  if (bytes[0] !== OPEN) return { type: 'skip', bytes: nextOpen(bytes) };
  let isText = false;
  const most = Math.min(bytes.length, MAX_FRAME_BYTES);
  for (let at = 1; at < most; at++) {
    if (bytes[at] === DOLLAR) isText = !isText;
    else if (bytes[at] === CLOSE && !isText) return { type: 'frame', start: 0, end: at + 1, resumeAt: 1 };
    else if (bytes[at] === OPEN && !isText) return { type: 'skip', bytes: at };
  }
  return most < MAX_FRAME_BYTES ? { type: 'wait' } : { type: 'skip', bytes: nextOpen(bytes) };
}

const OPENING = /^\((?:(?:\d{11,12}|[0-9A-Z]{12})B[A-Z]\d\d|\d{10,15},(?:BP|BR|BO|BZ|ZC|DW)[0-9A-F]{2},)/;
const OPENING_BYTES = 23;

/** The id, then a type of two letters and two digits. */
export function identify(bytes: Uint8Array): Match {
  if (bytes.length === 0) return 'more';
  return bytes[0] === OPEN ? matchesOpening(bytes, OPENING, OPENING_BYTES, ')') : 'no';
}
