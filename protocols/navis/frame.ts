import { crc8Nrsc5, type FrameContext, type FrameResult, xor8 } from '#codec';
import { type Match, startsWith } from '#codec/framing';
import type { State } from './state.ts';

export const MAX_FRAME_BYTES = 70_000;
export const [NTCB, FLEX, KEEP_ALIVE] = [0x40, 0x7e, 0x7f];
export const HEADER_BYTES = 16;
const NAME = '@NTC';
/** of records that a package counts */
const MAX_FLEX_BYTES = 8_192;

const isNtcb = (bytes: Uint8Array, at: number): boolean => startsWith(bytes, at, NAME) !== 'no';

/** NTCB, or a FLEX package where that was agreed on. */
const begins = (bytes: Uint8Array, at: number, head: number, { recordBytes }: State): boolean =>
  head === NTCB ? isNtcb(bytes, at) : recordBytes > 0 && head === FLEX;

/** of a name that was recognized */
const CONTAINER = {};

function skipToNext(bytes: Uint8Array, state: State): FrameResult {
  let at = 1;
  while (at < bytes.length && !begins(bytes, at, bytes[at]!, state)) at++;
  const skip = { type: 'skip', bytes: at } as const;
  if (at + NAME.length > bytes.length) return skip;
  return { ...skip, scan: { by: CONTAINER, to: NAME.length, begun: true } };
}

/**
 * By its first byte: NTCB, or a FLEX package where that was agreed on. The byte that keeps the connection open says
 * nothing and has no sum, so that it could be of anything that was damaged: it is passed over.
 */
export function frame(bytes: Uint8Array, { state, scan }: FrameContext<State>): FrameResult {
  const head = bytes[0];
  if (head === undefined) return { type: 'wait' };
  if (head === KEEP_ALIVE) return { type: 'skip', bytes: 1 };
  const begun = scan?.by === CONTAINER || begins(bytes, 0, head, state);
  const end = begun ? (head === NTCB ? endOfNtcb(bytes) : endOfFlex(bytes, state)) : undefined;
  if (end === undefined) return skipToNext(bytes, state);
  if (bytes.length < end) return { type: 'wait', atLeast: end };
  return { type: 'frame', start: 0, end, resumeAt: 1 };
}

/** The header guards itself, so that a wrong length is seen before it is waited for. */
function endOfNtcb(bytes: Uint8Array): number | undefined {
  if (bytes.length < HEADER_BYTES) return HEADER_BYTES;
  return xor8(bytes, 0, 15) === bytes[15] ? HEADER_BYTES + (bytes[12]! | (bytes[13]! << 8)) : undefined;
}

const u16 = (bytes: Uint8Array, at: number): number => bytes[at]! | (bytes[at + 1]! << 8);

/** By the letter behind the tilde; undefined for an unknown letter, or a package that is too long. */
function endOfFlex(bytes: Uint8Array, { recordBytes }: State): number | undefined {
  const end = lengthOfFlex(bytes, recordBytes);
  return end !== undefined && end <= MAX_FLEX_BYTES ? end : undefined;
}

function lengthOfFlex(bytes: Uint8Array, recordBytes: number): number | undefined {
  if (bytes.length < 3) return 3;
  switch (String.fromCharCode(bytes[1]!)) {
    case 'A':
      return 3 + bytes[2]! * recordBytes + 1;
    case 'T':
      return 6 + recordBytes + 1;
    case 'C':
      return 2 + recordBytes + 1;
    case 'E':
      return endOfExtra(bytes);
    case 'X':
      return bytes.length < 8 ? 8 : 8 + u16(bytes, 6) + 1;
    default:
      return undefined;
  }
}

/** As many packages as the count says, each with its length. */
function endOfExtra(bytes: Uint8Array): number {
  let at = 3;
  for (let count = bytes[2]!; count > 0; count--) {
    if (at + 2 > bytes.length || at > MAX_FLEX_BYTES) return at + 2;
    at += 2 + u16(bytes, at);
  }
  return at + 1;
}

/** The exclusive or of header and data, or the package's CRC. */
export function verify(bytes: Uint8Array): boolean {
  if (bytes[0] === FLEX) return crc8Nrsc5(bytes, 0, bytes.length - 1) === bytes[bytes.length - 1];
  if (bytes.length < HEADER_BYTES) return false;
  return xor8(bytes, HEADER_BYTES) === bytes[14] && xor8(bytes, 0, 15) === bytes[15];
}

/** The name of the container, and the sum of its header. */
export function identify(bytes: Uint8Array): Match {
  if (bytes.length > 0 && !isNtcb(bytes, 0)) return 'no';
  if (bytes.length < HEADER_BYTES) return 'more';
  return xor8(bytes, 0, 15) === bytes[15] ? 'yes' : 'no';
}
