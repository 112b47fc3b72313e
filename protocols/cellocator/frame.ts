import { sum8 } from '#codec';
import { identifyBytes, lengthPrefixed } from '#codec/framing';

/** A forwarded message names its length in two bytes; devices send less. */
export const MAX_FRAME_BYTES = 4_096;
/** bytes that determine the length of any type */
export const HEADER_BYTES = 15;

/** MCGP, or MCPG of the alternative form */
const STARTS = ['MCGP', 'MCPG'];

export const isAlternative = (bytes: Uint8Array): boolean => bytes[3] !== 0x50;

/** By the type; undefined for one that is not known. */
function lengthOf(bytes: Uint8Array): number | undefined {
  switch (bytes[4] ?? -1) {
    case 0:
    case 7:
      return 70;
    case 3:
      return 31;
    case 8:
      return bytes.length < 18 ? 19 : 19 + (bytes[16]! | (bytes[17]! << 8));
    case 9:
      return 15 + bytes[13]!;
    case 11:
      return 16 + (bytes[13]! | (bytes[14]! << 8));
    default:
      return undefined;
  }
}

/** What has no known type, or is too long, begins no message. */
export const frame = lengthPrefixed({
  starts: STARTS,
  head: HEADER_BYTES,
  length: lengthOf,
  minBytes: HEADER_BYTES,
  maxBytes: MAX_FRAME_BYTES,
  resumeAt: 1,
});

/** Sum of all bytes from the type on. The alternative form does not keep it. */
export function verify(bytes: Uint8Array): boolean {
  if (bytes.length < HEADER_BYTES) return false;
  if (isAlternative(bytes)) return true;
  const at = bytes.length - 1;
  return sum8(bytes, 4, at) === bytes[at];
}

const MAX_TYPE = 11;

export const identify = identifyBytes([0x4d, 0x43, 0x47, 0x50, [0, MAX_TYPE]], [0x4d, 0x43, 0x50, 0x47, [0, MAX_TYPE]]);
