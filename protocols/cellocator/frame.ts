import { type FrameContext, type FrameResult, sum8 } from '#codec';

/** A forwarded message names its length in two bytes; devices send less. */
export const MAX_FRAME_BYTES = 4_096;
/** what must be there to tell the length of any type */
export const HEADER_BYTES = 15;

const HEADS: readonly (readonly number[])[] = [
  [0x4d, 0x43, 0x47, 0x50],
  [0x4d, 0x43, 0x50, 0x47],
];

/** MCGP, or MCPG of the alternative form, as far as the bytes go. */
const isHead = (bytes: Uint8Array, from: number): boolean =>
  HEADS.some((head) => head.every((byte, at) => from + at >= bytes.length || bytes[from + at] === byte));

export const isAlternative = (bytes: Uint8Array): boolean => bytes[3] !== 0x50;

function nextHead(bytes: Uint8Array): number {
  for (let at = 1; at < bytes.length; at++) if (bytes[at] === 0x4d && isHead(bytes, at)) return at;
  return bytes.length;
}

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
export function frame(bytes: Uint8Array): FrameResult {
  if (!isHead(bytes, 0)) return { type: 'skip', bytes: nextHead(bytes) };
  if (bytes.length < HEADER_BYTES) return { type: 'wait', atLeast: HEADER_BYTES };
  const end = lengthOf(bytes);
  if (end === undefined || end > MAX_FRAME_BYTES) return { type: 'skip', bytes: nextHead(bytes) };
  return bytes.length < end ? { type: 'wait', atLeast: end } : { type: 'frame', start: 0, end, resumeAt: 1 };
}

/** Sum of all bytes from the type on. The alternative form does not keep it. */
export function verify(bytes: Uint8Array, { options }: Pick<FrameContext<unknown>, 'options'>): boolean {
  if (bytes.length < HEADER_BYTES) return false;
  if (options['lenientChecksum'] === true || isAlternative(bytes)) return true;
  const at = bytes.length - 1;
  return sum8(bytes, 4, at) === bytes[at];
}

const HIGHEST_TYPE = 11;

export function identify(bytes: Uint8Array): 'yes' | 'no' | 'more' {
  if (!isHead(bytes, 0) || (bytes[4] ?? 0) > HIGHEST_TYPE) return 'no';
  return bytes.length < 5 ? 'more' : 'yes';
}
