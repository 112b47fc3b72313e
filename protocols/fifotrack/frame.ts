import { beginsCounted, type CountedText, countedText, type Match, matchesOpening } from '#codec/framing';

export const MAX_FRAME_BYTES = 4_096;

/** A photo that is coming, part by part. */
export interface FifotrackState {
  readonly photo?: { readonly total: number; readonly received: number };
}

/** The star, two checksum digits and the line end follow what the length counts. */
const RULES: CountedText = { mark: 0x24, hasFlag: false, trailingBytes: 5, minLength: 16, maxBytes: MAX_FRAME_BYTES };

export const frame = countedText(RULES);

const OPENING = /^\$\$\d{2,4},\d{15},[0-9A-Fa-f]{1,8},[A-F]\d\d,/;
const OPENING_BYTES = 38;

export function identify(bytes: Uint8Array): Match {
  const match = bytes.length === 0 ? 'more' : beginsCounted(bytes, 0, RULES);
  return match === 'yes' ? matchesOpening(bytes, OPENING, OPENING_BYTES, '\n') : match;
}
