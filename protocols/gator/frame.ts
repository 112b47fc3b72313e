import { xor8 } from '#codec';
import { datagramsOr, identifyBytes, lengthPrefixed } from '#codec/framing';

/** marks, type and length */
export const HEADER_BYTES = 5;
/** checksum and end */
export const TAIL_BYTES = 2;
const MIN_FRAME_BYTES = HEADER_BYTES + TAIL_BYTES;
/** The length has two bytes; messages have less than a hundred. */
export const MAX_FRAME_BYTES = 1_024;

const END = 0x0d;

export const frame = datagramsOr(
  lengthPrefixed({
    starts: [[0x24, 0x24]],
    head: HEADER_BYTES,
    length: { at: 3, bytes: 2, adds: HEADER_BYTES },
    minBytes: MIN_FRAME_BYTES,
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

const TYPES = [0x21, 0x54, 0x56, 0x57, 0x80, 0x81, 0x82, 0x83, 0x84, 0x85, 0x8e];

/** Marks, a type and a length below 256: text that begins with the same marks has letters or digits there. */
export const identify = identifyBytes(...TYPES.map((type) => [0x24, 0x24, type, 0] as const));
