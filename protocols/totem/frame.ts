import { identifyText, lengthPrefixed, startsOf } from '#codec/framing';
import { digitsAt } from '#codec/text';

export const MAX_FRAME_BYTES = 1_024;
const MIN_FRAME_BYTES = 10;
const ZERO = 0x30;

const STARTS = startsOf(['$$']);

const HEX_DIGIT = /^[0-9A-Fa-f]{2}$/;
const isHexDigit = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);

/** Four decimal digits where the first is 0, otherwise two hexadecimal ones; undefined for other characters. */
function lengthOf(bytes: Uint8Array): number | undefined {
  const first = bytes[2]!;
  if (!isHexDigit(first)) return undefined;
  const text = String.fromCharCode(...bytes.subarray(2, 6));
  if (first === ZERO) return /^\d{4}$/.test(text) ? digitsAt(text, 0, 4) : undefined;
  const hex = text.slice(0, 2);
  return HEX_DIGIT.test(hex) ? Number.parseInt(hex, 16) : undefined;
}

/** The length counts from the dollars on; a line end may follow. Dollars side by side inside: it was cut off. */
export const frame = lengthPrefixed({
  starts: STARTS,
  head: MIN_FRAME_BYTES,
  length: lengthOf,
  minBytes: MIN_FRAME_BYTES,
  maxBytes: MAX_FRAME_BYTES,
  inner: 'restarts',
});

export const identify = identifyText({
  start: '$$',
  opening: [/^\$\$(?:0\d{3}[0-9A-F]{2}|[1-9A-F][0-9A-F])\d{6,16}\|/, 26],
});
