import type { FrameResult } from '#codec';
import { type Framing, identifyText, startsOf } from '#codec/framing';

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

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;

/** `[3G*` */
const STARTS = startsOf([[OPEN, 'word', 'word', STAR]]);
const [MIN_ID, MAX_ID] = [10, 15];

/**
 * Ends where its brackets are closed. What was cut off is followed by a whole message: maker and id within one begin
 * another. What is not closed within the largest message is given up with all that it holds.
 */
export const frame: Framing = (bytes, { scan }) => {
  if (scan?.by !== STARTS) {
    const match = STARTS.begins(bytes, 0);
    if (match === 'no') return { type: 'skip', bytes: STARTS.find(bytes, 1) };
    if (match === 'more') return { type: 'wait', atLeast: HEAD };
  }
  let { depth = 1, inner = 0 } = scan?.by === STARTS ? scan : {};
  for (let at = scan?.by === STARTS ? scan.to : 1; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === OPEN) depth += 1;
    else if (byte === STAR) inner = startBefore(bytes, at) || inner;
    else if (byte === CLOSE) {
      depth -= 1;
      if (inner > 0) return { type: 'skip', bytes: inner };
      if (depth === 0) return whole(bytes, at + 1);
    }
  }
  if (bytes.length < MAX_FRAME_BYTES) return { type: 'wait', scan: { by: STARTS, to: bytes.length, depth, inner } };
  return { type: 'skip', bytes: inner > 0 ? inner : bytes.length };
};

/** The bracket of `[3G*8800000015` if that stands before the star; 0 if not, or at the head. */
function startBefore(bytes: Uint8Array, star: number): number {
  const least = Math.max(star - MAX_ID, 0);
  let at = star;
  while (at > least && isDigit(bytes[at - 1]!)) at -= 1;
  if (star - at < MIN_ID || at <= HEAD || bytes[at - 1] !== STAR) return 0;
  return STARTS.begins(bytes, at - HEAD) === 'yes' ? at - HEAD : 0;
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

export const identify = identifyText({
  start: STARTS.begins,
  opening: [/^\[[0-9A-Z]{2}\*\d{10,15}\*[0-9A-Fa-f]{4}\*/, 25],
  end: ']',
});
