import { toLatin1 } from '#codec';
import { datagramsOr, lengthPrefixed, startsOf } from '#codec/framing';

/** length, number, type of the message, size of the optional header */
export const HEAD_BYTES = 6;
export const MAX_FRAME_BYTES = 1_023;

/** The length, the number of the message, its type; datagrams may lack the length. */
const starts = startsOf([[[0, 3], 'any', 0, [0, 15], [2, 15]]]);
const withoutLength = startsOf([[0, [0, 15], [2, 15], 0]]);

export const frame = datagramsOr(
  lengthPrefixed({
    starts,
    head: HEAD_BYTES,
    length: { at: 0, bytes: 2 },
    minBytes: HEAD_BYTES,
    maxBytes: MAX_FRAME_BYTES,
  }),
);

/** Where the number of the message stands. */
export const numberAt = (bytes: Uint8Array): number =>
  bytes.length >= HEAD_BYTES && bytes[0]! * 256 + bytes[1]! === bytes.length ? 2 : 0;

const ID = / {4}\d{15}(?!\d)/;
const OPENING_BYTES = 64;

/** A head, and the id of the device in a text with spaces. */
export function identify(bytes: Uint8Array, transport: string): 'yes' | 'no' | 'more' {
  const head = starts.begins(bytes, 0);
  if (head === 'no' && (transport !== 'udp' || withoutLength.begins(bytes, 0) !== 'yes')) return 'no';
  if (ID.test(toLatin1(bytes, 0, Math.min(bytes.length, OPENING_BYTES)))) return 'yes';
  return bytes.length < OPENING_BYTES ? 'more' : 'no';
}
