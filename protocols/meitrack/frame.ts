import {
  type Cut,
  type FrameContext,
  findSentence,
  fromLatin1,
  matchesOpening,
  type Sentences,
  sum8,
  type Verdict,
} from '#codec';

export const MAX_FRAME_BYTES = 10_016;

/** A photo that is coming, part by part. */
export interface MeitrackState {
  readonly photo?: { readonly name: string; readonly received: number; readonly next: number };
}

const DOLLAR = 0x24;
const COMMA = 0x2c;
const STAR = 0x2a;
const CR = 0x0d;
const LF = 0x0a;
/** `$$`, flag; the length begins behind them */
const HEAD = 3;
const MOST_DIGITS = 4;
/** from the first comma to the line end: identity, command, checksum */
const SMALLEST = 20;

const isFlag = (byte: number): boolean => byte >= 0x41 && byte <= 0x7a;
const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;

/** `$$`, a flag, the length in decimal and a comma. */
function begins(bytes: Uint8Array, at: number): Verdict {
  if (bytes[at] !== DOLLAR) return 'no';
  for (let i = 1; i <= HEAD + MOST_DIGITS; i++) {
    const byte = bytes[at + i];
    if (byte === undefined) return 'more';
    if (i === 1 && byte !== DOLLAR) return 'no';
    if (i === 2 && !isFlag(byte)) return 'no';
    if (i > HEAD && byte === COMMA) return 'yes';
    if (i >= HEAD && !isDigit(byte)) return 'no';
  }
  return 'no';
}

const RULES: Sentences = { mostBytes: MAX_FRAME_BYTES, begins, ends: [] };

/** Behind the first comma stand as many bytes as the length says, the comma counted. */
export function frame(bytes: Uint8Array, context: FrameContext<MeitrackState>): Cut {
  if (context.transport === 'udp') return { type: 'frame', start: 0, end: bytes.length };
  const start = findSentence(bytes, 0, RULES);
  if (start !== 0) return { type: 'skip', bytes: start < 0 ? bytes.length : start };
  if (begins(bytes, 0) === 'more') return { type: 'wait' };
  const comma = bytes.indexOf(COMMA);
  let length = 0;
  for (let at = HEAD; at < comma; at++) length = length * 10 + bytes[at]! - 0x30;
  if (length < SMALLEST) return { type: 'skip', bytes: HEAD };
  const end = comma + length;
  if (bytes.length < end) return { type: 'wait', atLeast: end };
  return { type: 'frame', start: 0, end, resumeAt: HEAD };
}

/** Where the text ends, without its line end. */
export function endOfText(bytes: Uint8Array): number {
  const end = bytes.length;
  return bytes[end - 1] === LF && bytes[end - 2] === CR ? end - 2 : end;
}

/** The sum of all bytes to the star, in two hex digits behind it. */
export const checksum = (bytes: Uint8Array): string => sum8(bytes).toString(16).toUpperCase().padStart(2, '0');

export function verify(bytes: Uint8Array, context: Pick<FrameContext<unknown>, 'options'>): boolean {
  if (context.options['lenientChecksum'] === true) return true;
  const end = endOfText(bytes);
  if (bytes[end - 3] !== STAR) return false;
  const want = fromLatin1(checksum(bytes.subarray(0, end - 2)));
  return want[0] === upper(bytes[end - 2]!) && want[1] === upper(bytes[end - 1]!);
}

const upper = (byte: number): number => (byte >= 0x61 && byte <= 0x66 ? byte - 0x20 : byte);

const OPENING = /^\$\$[A-z]\d{2,4},\d{14,15},(?:A[A-Z0-9]{2}|B\d\d|C[A-Z0-9]{2}|D\d\d|E\d\d|F\d\d)[,*]/;
const OPENING_BYTES = 28;

export function identify(bytes: Uint8Array): Verdict {
  const verdict = bytes.length === 0 ? 'more' : begins(bytes, 0);
  return verdict === 'yes' ? matchesOpening(bytes, OPENING, OPENING_BYTES, '\n') : verdict;
}
