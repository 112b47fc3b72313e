import { crc8Nrsc5, crc16CcittFalse } from '#codec';
import { lengthPrefixed, NO_CONTEXT } from '#codec/framing';
import { HEADER_BYTES, ROUTED_HEADER_BYTES } from './packet.ts';

/** What the two bytes of length can name, with header and checksum. */
export const MAX_FRAME_BYTES = ROUTED_HEADER_BYTES + 65_535 + 2;
const VERSION = 1;

const isHeaderLength = (length: number | undefined): length is number =>
  length === HEADER_BYTES || length === ROUTED_HEADER_BYTES;

/** By the lengths of header and data; a header whose own checksum is wrong begins no packet. */
export const frame = lengthPrefixed({
  starts: [[VERSION]],
  head: 4,
  length: (bytes) => {
    const header = bytes[3]!;
    if (!isHeaderLength(header)) return undefined;
    if (bytes.length < header) return header;
    if (!isHeaderIntact(bytes, header)) return undefined;
    const data = bytes[5]! | (bytes[6]! << 8);
    return header + (data === 0 ? 0 : data + 2);
  },
  minBytes: HEADER_BYTES,
  maxBytes: MAX_FRAME_BYTES,
  resumeAt: 1,
});

const isHeaderIntact = (bytes: Uint8Array, length: number): boolean =>
  crc8Nrsc5(bytes, 0, length - 1) === bytes[length - 1];

/** CRC-16 of the data. */
export function verify(bytes: Uint8Array): boolean {
  const header = bytes[3];
  if (bytes.length < HEADER_BYTES || !isHeaderLength(header) || !isHeaderIntact(bytes, header)) return false;
  if (bytes.length === header) return true;
  const at = bytes.length - 2;
  return crc16CcittFalse(bytes, header, at) === (bytes[at]! | (bytes[at + 1]! << 8));
}

const MAX_TYPES = 2;

/** By the checksum of the header. */
export function identify(bytes: Uint8Array): 'yes' | 'no' | 'more' {
  const cut = frame(bytes, NO_CONTEXT);
  if (cut.type === 'skip' || (bytes[9] ?? 0) > MAX_TYPES) return 'no';
  return bytes.length >= HEADER_BYTES && bytes.length >= bytes[3]! ? 'yes' : 'more';
}
