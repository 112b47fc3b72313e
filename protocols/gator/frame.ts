import { xor8 } from '#codec';
import { datagramsOr, lengthPrefixed, type Match } from '#codec/framing';

/** marks, type and length */
export const HEADER_BYTES = 5;
/** checksum and end */
export const TAIL_BYTES = 2;
const SMALLEST = HEADER_BYTES + TAIL_BYTES;
/** The length has two bytes; messages have less than a hundred. */
export const MAX_FRAME_BYTES = 1_024;

const END = 0x0d;

export const frame = datagramsOr(
  lengthPrefixed({
    starts: [[0x24, 0x24]],
    head: HEADER_BYTES,
    length: { at: 3, bytes: 2, adds: HEADER_BYTES },
    minBytes: SMALLEST,
    maxBytes: MAX_FRAME_BYTES,
    tail: [END],
    resumeAt: 1,
  }),
);

/** XOR of everything before it. */
export function verify(bytes: Uint8Array): boolean {
  const at = bytes.length - TAIL_BYTES;
  return at >= HEADER_BYTES && xor8(bytes, 0, at) === bytes[at];
}

const TYPES: ReadonlySet<number> = new Set([0x21, 0x54, 0x56, 0x57, 0x80, 0x81, 0x82, 0x83, 0x84, 0x85, 0x8e]);

/** Marks, a type and a length below 256: text that begins with the same marks has letters or digits there. */
export function identify(bytes: Uint8Array): Match {
  const [first = 0x24, second = 0x24, type = 0x21, high = 0] = bytes;
  if (first !== 0x24 || second !== 0x24 || !TYPES.has(type) || high !== 0) return 'no';
  return bytes.length < 4 ? 'more' : 'yes';
}
