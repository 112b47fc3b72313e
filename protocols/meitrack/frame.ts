import { type CountedText, countedText, datagramsOr, hasSum, identifyCounted, type Match } from '#codec/framing';

export const MAX_FRAME_BYTES = 10_016;

/** A photo that is coming, part by part. */
export interface MeitrackState {
  readonly photo?: { readonly name: string; readonly received: number; readonly next: number };
}

const DOLLAR = 0x24;
const STAR = 0x2a;
const CR = 0x0d;
const LF = 0x0a;
/** from the first comma to the line end: identity, command, checksum */
const MIN_FRAME_BYTES = 20;

const RULES: CountedText = {
  mark: DOLLAR,
  hasFlag: true,
  trailingBytes: 0,
  minLength: MIN_FRAME_BYTES,
  maxBytes: MAX_FRAME_BYTES,
};

/** Behind the first comma stand as many bytes as the length says, the comma counted. */
export const frame = datagramsOr(countedText(RULES));

/** Where the text ends, without its line end. */
export function endOfText(bytes: Uint8Array): number {
  const end = bytes.length;
  return bytes[end - 1] === LF && bytes[end - 2] === CR ? end - 2 : end;
}

/** The sum of all bytes to the star stands behind it. */
export function verify(bytes: Uint8Array): boolean {
  const end = endOfText(bytes);
  return bytes[end - 3] === STAR && hasSum(bytes, end - 2);
}

const OPENING = /^\$\$[A-z]\d{2,4},\d{14,15},(?:A[A-Z0-9]{2}|B\d\d|C[A-Z0-9]{2}|D\d\d|E\d\d|F\d\d)[,*]/;
const OPENING_BYTES = 28;

export const identify = (bytes: Uint8Array): Match => identifyCounted(bytes, RULES, OPENING, OPENING_BYTES);
