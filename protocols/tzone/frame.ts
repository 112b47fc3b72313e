import { lengthPrefixed, type Match, startsOf } from '#codec/framing';

export const MAX_FRAME_BYTES = 2_048;
/** marks and length, and what stands around the content */
const AROUND = 6;
/** marks, hardware, firmware, id, time, serial, checksum, line end */
export const SMALLEST = 32;
/** TZ, a length, $$ */
const STARTS = startsOf([[0x54, 0x5a, 'any', 'any', 0x24, 0x24]]);

/** The length counts what follows it, but for the line end. */
export const frame = lengthPrefixed({
  starts: STARTS,
  head: AROUND,
  length: { at: 2, bytes: 2, adds: AROUND },
  minBytes: SMALLEST,
  maxBytes: MAX_FRAME_BYTES,
  tail: '\r\n',
});

/** Marks, length, marks again. */
export const identify = (bytes: Uint8Array): Match => STARTS.begins(bytes, 0);
