import { type FrameResult, toLatin1 } from '#codec';
import { findSentence, type Match, type Sentences } from '#codec/framing';

export const MAX_FRAME_BYTES = 65_536;

/** How the device speaks, as its last message showed, and the sound that is coming from it. */
export interface WatchState {
  readonly maker: string;
  readonly indexed: boolean;
  readonly sound?: { readonly name: string; readonly received: number; readonly next: number };
}

const OPEN = 0x5b;
const CLOSE = 0x5d;
const STAR = 0x2a;
const ESCAPE = 0x7d;
/** `[`, maker, `*` */
const HEAD = 4;

const isWord = (byte: number): boolean => (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x5a);

/** `[3G*` */
function begins(bytes: Uint8Array, at: number): Match {
  if (bytes[at] !== OPEN) return 'no';
  for (let i = 1; i < HEAD; i++) {
    const byte = bytes[at + i];
    if (byte === undefined) return 'more';
    if (i === HEAD - 1 ? byte !== STAR : !isWord(byte)) return 'no';
  }
  return 'yes';
}

const RULES: Sentences = { mostBytes: MAX_FRAME_BYTES, begins, ends: [] };
const ANOTHER = /^\[[0-9A-Z]{2}\*\d{10,15}\*/;

/**
 * Ends where its brackets are closed. What was cut off is followed by a whole message: maker and id within one begin
 * another.
 */
export function frame(bytes: Uint8Array): FrameResult {
  const start = findSentence(bytes, 0, RULES);
  if (start !== 0) return { type: 'skip', bytes: start < 0 ? bytes.length : start };
  if (begins(bytes, 0) === 'more') return { type: 'wait' };
  let depth = 0;
  let another = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === OPEN) {
      depth += 1;
      if (at > 0 && ANOTHER.test(toLatin1(bytes, at, at + 20))) another = at;
    } else if (byte === CLOSE) {
      depth -= 1;
      if (another > 0) return { type: 'skip', bytes: another };
      if (depth === 0) return whole(bytes, at + 1);
    }
  }
  return { type: 'wait' };
}

function whole(bytes: Uint8Array, end: number): FrameResult {
  return { type: 'frame', start: 0, end, content: plainOf(bytes.subarray(0, end)) };
}

/** What stands behind the escape, from 01 on. */
const ESCAPED = [ESCAPE, OPEN, CLOSE, 0x2c, STAR];

function plainOf(bytes: Uint8Array): Uint8Array {
  if (!bytes.includes(ESCAPE)) return bytes;
  const plain = new Uint8Array(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const meant = bytes[at] === ESCAPE ? ESCAPED[bytes[at + 1]! - 1] : undefined;
    // Some do not escape what they send; then the byte stands for itself.
    plain[length++] = meant ?? bytes[at]!;
    if (meant !== undefined) at += 1;
  }
  return plain.slice(0, length);
}

const OPENING = /^\[[0-9A-Z]{2}\*\d{10,15}\*[0-9A-Fa-f]{4}\*/;
const OPENING_BYTES = 25;

export function identify(bytes: Uint8Array): Match {
  const verdict = bytes.length === 0 ? 'more' : begins(bytes, 0);
  if (verdict !== 'yes') return verdict;
  if (OPENING.test(toLatin1(bytes, 0, OPENING_BYTES))) return 'yes';
  return bytes.length < OPENING_BYTES && !bytes.includes(CLOSE) ? 'more' : 'no';
}
