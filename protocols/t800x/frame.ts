import type { FrameResult } from '#codec';
import { HEADER_BYTES } from './packet.ts';

export const MAX_FRAME_BYTES = 2_048;
const HEADS: readonly number[] = [0x23, 0x25, 0x26, 0x27];

function nextHead(bytes: Uint8Array): number {
  for (let at = 1; at < bytes.length; at++) {
    if (HEADS.includes(bytes[at]!) && (at + 1 === bytes.length || bytes[at + 1] === bytes[at])) return at;
  }
  return bytes.length;
}

/** Sixteen digits of which the first is 0, as far as they are there. */
function isIdentity(bytes: Uint8Array): boolean {
  if ((bytes[7] ?? 0) >> 4 !== 0) return false;
  for (let at = 7; at < HEADER_BYTES && at < bytes.length; at++) {
    if ((bytes[at]! & 0x0f) > 9 || bytes[at]! >> 4 > 9) return false;
  }
  return true;
}

/** Head twice the same byte, type, length of all, serial, IMEI: what has no such header begins no frame. */
export function frame(bytes: Uint8Array): FrameResult {
  const head = bytes[0]!;
  const isHead = HEADS.includes(head) && (bytes.length < 2 || bytes[1] === head);
  if (!isHead || !isIdentity(bytes)) return { type: 'skip', bytes: nextHead(bytes) };
  if (bytes.length < 5) return { type: 'wait', atLeast: 5 };
  const end = (bytes[3]! << 8) | bytes[4]!;
  if (end < HEADER_BYTES || end > MAX_FRAME_BYTES) return { type: 'skip', bytes: nextHead(bytes) };
  return bytes.length < end ? { type: 'wait', atLeast: end } : { type: 'frame', start: 0, end };
}

const HIGHEST_TYPE = 0x33;
const ANSWER = 0x81;

/** By head, type, length and the digits of the IMEI. */
export function identify(bytes: Uint8Array): 'yes' | 'no' | 'more' {
  const cut = frame(bytes);
  if (cut.type === 'skip') return 'no';
  const type = bytes[2] ?? 1;
  if (type === 0 || (type > HIGHEST_TYPE && type !== ANSWER)) return 'no';
  return bytes.length < HEADER_BYTES ? 'more' : 'yes';
}
