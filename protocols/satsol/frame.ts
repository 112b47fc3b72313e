import { crc16CcittFalse } from '#codec';
import { lengthPrefixed, type Match, startsBy } from '#codec/framing';

export const HEADER_BYTES = 10;
/** The length has two bytes; devices send some kilobytes of records at once. */
export const MAX_FRAME_BYTES = 16_384;

/** behind the checksum */
const PREAMBLE = [0xbf, 0x4c] as const;
const PREAMBLE_AT = 2;

const beginsAt = (bytes: Uint8Array, at: number): Match => {
  for (const [index, byte] of PREAMBLE.entries()) {
    const place = at + PREAMBLE_AT + index;
    if (place >= bytes.length) return 'more';
    if (bytes[place] !== byte) return 'no';
  }
  return 'yes';
};

export const frame = lengthPrefixed({
  starts: startsBy(PREAMBLE_AT + PREAMBLE.length, beginsAt),
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
