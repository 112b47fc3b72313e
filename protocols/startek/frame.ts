import { type CountedText, countedText, hasSum, identifyCounted, type Match } from '#codec/framing';

export const MAX_FRAME_BYTES = 4_096;

/** Two checksum digits and the line end follow what the length counts. */
const RULES: CountedText = { mark: 0x26, hasFlag: true, trailingBytes: 4, minLength: 16, maxBytes: MAX_FRAME_BYTES };

export const frame = countedText(RULES);

/** The sum of all bytes stands behind them, and the line end. */
export function verify(bytes: Uint8Array): boolean {
  const end = bytes.length - 2;
  return bytes[end] === 0x0d && bytes[end + 1] === 0x0a && hasSum(bytes, end - 2);
}

const OPENING = /^&&.\d{2,4},\d{14,16},[0-9A-Fa-f]{3},/;
const OPENING_BYTES = 30;

export const identify = (bytes: Uint8Array): Match => identifyCounted(bytes, RULES, OPENING, OPENING_BYTES);
