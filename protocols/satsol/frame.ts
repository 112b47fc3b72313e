import { crc16CcittFalse } from '#codec';
import { lengthPrefixed, type Match, startsBy } from '#codec/framing';

export const HEADER_BYTES = 10;
/** The length has two bytes; devices send some kilobytes of records at once. */
export const MAX_FRAME_BYTES = 16_384;

/** behind the checksum; the second one is that of Sat-Lite 2 */
export const LITE = 0x8a2c;
const PREAMBLES = [0x4cbf, LITE];
const PREAMBLE_AT = 2;
const PREAMBLE_BYTES = 2;

export const preambleOf = (bytes: Uint8Array, at = 0): number =>
  bytes[at + PREAMBLE_AT]! | (bytes[at + PREAMBLE_AT + 1]! << 8);

const beginsAt = (bytes: Uint8Array, at: number): Match => {
  const low = bytes[at + PREAMBLE_AT];
  if (low === undefined) return 'more';
  if (PREAMBLES.every((preamble) => (preamble & 0xff) !== low)) return 'no';
  if (at + PREAMBLE_AT + PREAMBLE_BYTES > bytes.length) return 'more';
  return PREAMBLES.includes(preambleOf(bytes, at)) ? 'yes' : 'no';
};

export const frame = lengthPrefixed({
  starts: startsBy(PREAMBLE_AT + PREAMBLE_BYTES, beginsAt),
  head: HEADER_BYTES,
  length: { at: 8, bytes: 2, order: 'little', adds: HEADER_BYTES },
  minBytes: HEADER_BYTES,
  maxBytes: MAX_FRAME_BYTES,
  resumeAt: 1,
});

/** CRC-16 of everything behind it. */
export const verify = (bytes: Uint8Array): boolean =>
  bytes.length >= HEADER_BYTES && crc16CcittFalse(bytes, PREAMBLE_AT) === (bytes[0]! | (bytes[1]! << 8));

export const identify = (bytes: Uint8Array): Match => beginsAt(bytes, 0);
