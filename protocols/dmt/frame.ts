import type { FrameResult } from '#codec';

export const HEADER_BYTES = 5;
/** Devices send a few kilobytes of records at once. */
export const MAX_FRAME_BYTES = 16_384;
const HEAD = [0x02, 0x55] as const;
/** hello, its answer, records, commits, requests */
const HIGHEST_TYPE = 0x3f;

const isHead = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === HEAD[0] &&
  (at + 1 >= bytes.length || bytes[at + 1] === HEAD[1]) &&
  (at + 2 >= bytes.length || bytes[at + 2]! <= HIGHEST_TYPE);

function nextHead(bytes: Uint8Array): number {
  for (let at = 1; at < bytes.length; at++) if (isHead(bytes, at)) return at;
  return bytes.length;
}

/** 02 55, type, length of the content in little endian. */
export function frame(bytes: Uint8Array): FrameResult {
  if (!isHead(bytes, 0)) return { type: 'skip', bytes: nextHead(bytes) };
  if (bytes.length < HEADER_BYTES) return { type: 'wait', atLeast: HEADER_BYTES };
  const end = HEADER_BYTES + (bytes[3]! | (bytes[4]! << 8));
  if (end > MAX_FRAME_BYTES) return { type: 'skip', bytes: nextHead(bytes) };
  return bytes.length < end ? { type: 'wait', atLeast: end } : { type: 'frame', start: 0, end };
}

const HELLO = 0x00;
const IMEI_AT = 9;
const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;

/** A hello with the digits of an IMEI. */
export function identify(bytes: Uint8Array): 'yes' | 'no' | 'more' {
  if (!isHead(bytes, 0) || (bytes[2] ?? HELLO) !== HELLO) return 'no';
  if (bytes.length > HEADER_BYTES && bytes[3]! + bytes[4]! * 256 < 4 + 15) return 'no';
  if (!bytes.subarray(IMEI_AT, IMEI_AT + 15).every(isDigit)) return 'no';
  return bytes.length < IMEI_AT + 15 ? 'more' : 'yes';
}
