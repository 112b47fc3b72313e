import { crc8Nrsc5, crc16CcittFalse, type FrameContext, type FrameResult } from '#codec';
import { HEADER_BYTES, ROUTED_HEADER_BYTES } from './packet.ts';

/** What the two bytes of length can name, with header and checksum. */
export const MAX_FRAME_BYTES = ROUTED_HEADER_BYTES + 65_535 + 2;
const VERSION = 1;

const isHeaderLength = (length: number | undefined): boolean =>
  length === HEADER_BYTES || length === ROUTED_HEADER_BYTES;

function nextVersion(bytes: Uint8Array): number {
  const next = bytes.indexOf(VERSION, 1);
  return next < 0 ? bytes.length : next;
}

/** Cuts by the lengths of header and data; a header whose own checksum is wrong begins no packet. */
export function frame(bytes: Uint8Array): FrameResult {
  if (bytes[0] !== VERSION) return { type: 'skip', bytes: nextVersion(bytes) };
  if (bytes.length < HEADER_BYTES) {
    if (bytes.length > 3 && !isHeaderLength(bytes[3])) return { type: 'skip', bytes: nextVersion(bytes) };
    return { type: 'wait', atLeast: bytes.length > 3 ? bytes[3]! : 4 };
  }
  const header = bytes[3]!;
  if (!isHeaderLength(header)) return { type: 'skip', bytes: nextVersion(bytes) };
  if (bytes.length < header) return { type: 'wait', atLeast: header };
  if (!isHeaderIntact(bytes)) return { type: 'skip', bytes: nextVersion(bytes) };
  const data = bytes[5]! | (bytes[6]! << 8);
  const end = header + (data === 0 ? 0 : data + 2);
  return bytes.length < end ? { type: 'wait', atLeast: end } : { type: 'frame', start: 0, end, resumeAt: 1 };
}

const isHeaderIntact = (bytes: Uint8Array): boolean => crc8Nrsc5(bytes, 0, bytes[3]! - 1) === bytes[bytes[3]! - 1];

/** CRC-8 of the header, CRC-16 of the data. */
export function verify(bytes: Uint8Array, { options }: Pick<FrameContext<unknown>, 'options'>): boolean {
  if (bytes.length < HEADER_BYTES || !isHeaderLength(bytes[3]) || !isHeaderIntact(bytes)) return false;
  if (options['lenientChecksum'] === true || bytes.length === bytes[3]) return true;
  const at = bytes.length - 2;
  return crc16CcittFalse(bytes, bytes[3]!, at) === (bytes[at]! | (bytes[at + 1]! << 8));
}

const MOST_TYPES = 2;

/** By the checksum of the header. */
export function identify(bytes: Uint8Array): 'yes' | 'no' | 'more' {
  const cut = frame(bytes);
  if (cut.type === 'skip' || (bytes[9] ?? 0) > MOST_TYPES) return 'no';
  return bytes.length >= HEADER_BYTES && bytes.length >= bytes[3]! ? 'yes' : 'more';
}
