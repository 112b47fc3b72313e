import { lengthPrefixed, NO_CONTEXT, type Pattern, type PatternByte } from '#codec/framing';
import { HEADER_BYTES } from './packet.ts';

export const MAX_FRAME_BYTES = 2_048;
const HEADS: readonly number[] = [0x23, 0x25, 0x26, 0x27];

/** Sixteen digits of which the first is 0. */
const IMEI: readonly PatternByte[] = [[0, 9], 'bcd', 'bcd', 'bcd', 'bcd', 'bcd', 'bcd', 'bcd'];

/** Head twice the same byte, type, length of all, serial, IMEI: what has no such header begins no frame. */
export const frame = lengthPrefixed({
  starts: HEADS.map((head): Pattern => [head, head, 'any', 'any', 'any', 'any', 'any', ...IMEI]),
  head: HEADER_BYTES,
  length: { at: 3, bytes: 2 },
  minBytes: HEADER_BYTES,
  maxBytes: MAX_FRAME_BYTES,
});

const MAX_TYPE = 0x33;
const ANSWER = 0x81;

/** By head, type, length and the digits of the IMEI. */
export function identify(bytes: Uint8Array): 'yes' | 'no' | 'more' {
  const cut = frame(bytes, NO_CONTEXT);
  if (cut.type === 'skip') return 'no';
  const type = bytes[2] ?? 1;
  if (type === 0 || (type > MAX_TYPE && type !== ANSWER)) return 'no';
  return bytes.length < HEADER_BYTES ? 'more' : 'yes';
}
