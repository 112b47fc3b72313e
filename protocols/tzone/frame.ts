import { identifyBytes, lengthPrefixed } from '#codec/framing';

export const MAX_FRAME_BYTES = 2_048;
/** marks and length, and what stands around the content */
const AROUND = 6;
/** marks, hardware, firmware, id, time, serial, checksum, line end */
export const MIN_FRAME_BYTES = 32;
/** TZ, a length, $$ */
const START = [0x54, 0x5a, 'any', 'any', 0x24, 0x24] as const;

/** The length counts what follows it, but for the line end. */
export const frame = lengthPrefixed({
  starts: [START],
  head: AROUND,
  length: { at: 2, bytes: 2, adds: AROUND },
  minBytes: MIN_FRAME_BYTES,
  maxBytes: MAX_FRAME_BYTES,
  tail: '\r\n',
});

/** Marks, length, marks again. */
export const identify = identifyBytes(START);
