import { lengthPrefixed, type Match } from '#codec/framing';

export const LENGTH_BYTES = 4;
/** A packet may hold a picture. */
export const MAX_FRAME_BYTES = 1_048_576;
/** an id of one character and its end, time and flags */
const MIN_CONTENT_BYTES = 10;

export const frame = lengthPrefixed({
  head: LENGTH_BYTES,
  length: { at: 0, bytes: 4, order: 'little', adds: LENGTH_BYTES },
  minBytes: LENGTH_BYTES + MIN_CONTENT_BYTES,
  maxBytes: MAX_FRAME_BYTES,
});

const MAX_ID_BYTES = 64;
/** Time and flags, behind which the first block begins. */
const BEFORE_BLOCK = 8;
const BLOCK = [0x0b, 0xbb] as const;

/** A length, printable characters to a zero, and the mark of a block. */
export function identify(bytes: Uint8Array): Match {
  if ((bytes[2] ?? 0) !== 0 || (bytes[3] ?? 0) !== 0) return 'no';
  let at = LENGTH_BYTES;
  while (at < bytes.length && bytes[at]! > 0x20 && bytes[at]! < 0x7f) at++;
  if (at - LENGTH_BYTES > MAX_ID_BYTES) return 'no';
  if (at >= bytes.length) return 'more';
  if (bytes[at] !== 0 || at === LENGTH_BYTES) return 'no';
  const block = at + 1 + BEFORE_BLOCK;
  for (const [index, byte] of BLOCK.entries()) if ((bytes[block + index] ?? byte) !== byte) return 'no';
  return block + BLOCK.length > bytes.length ? 'more' : 'yes';
}
