import type { FrameContext, FrameResult } from '#codec';
import { cutSentence, type Match, matchesOpening, type Sentences, startsWith } from '#codec/framing';

export const MAX_FRAME_BYTES = 4_096;

/** A photo that has been announced, and is coming part by part. */
export interface Gps103State {
  readonly photo?: {
    readonly name: string;
    readonly parts: number;
    readonly next: number;
    readonly received: number;
  };
}

const LF = 0x0a;
const SEMICOLON = 0x3b;
const STAR = 0x2a;
const ID_DIGITS = 15;

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;

function begins(bytes: Uint8Array, at: number): Match {
  const head = bytes[at]!;
  if (head === 0x23) return startsWith(bytes, at, '##,imei:');
  if (head === 0x69) return startsWith(bytes, at, 'imei:');
  return isDigit(head) ? isBareId(bytes, at) : 'no';
}

/** The id alone is a heartbeat; a sentence may follow it at once. */
function isBareId(bytes: Uint8Array, at: number): Match {
  for (let i = 0; i < ID_DIGITS; i++) {
    if (bytes[at + i] === undefined) return 'more';
    if (!isDigit(bytes[at + i])) return 'no';
  }
  const next = bytes[at + ID_DIGITS];
  if (next === undefined) return 'more';
  return next === SEMICOLON || next === STAR || next === 0x0d || next === LF || next === 0x69 ? 'yes' : 'no';
}

const RULES: Sentences = { mostBytes: MAX_FRAME_BYTES, begins, ends: [SEMICOLON, STAR, LF], keepsEnd: true };

/** A sentence ends at `;`, `*` or the end of the line; its end belongs to it. A datagram is one sentence. */
export function frame(bytes: Uint8Array, context: FrameContext<Gps103State>): FrameResult {
  return context.transport === 'udp' ? { type: 'frame', start: 0, end: bytes.length } : cutSentence(bytes, RULES);
}

const OPENING = /^(?:##,imei:\d{15},|imei:\d{15},|\d{15}(?:;|imei:\d{15},))/;
const OPENING_BYTES = 36;

export function identify(bytes: Uint8Array): Match {
  const verdict = bytes.length === 0 ? 'more' : begins(bytes, 0);
  return verdict === 'yes' ? matchesOpening(bytes, OPENING, OPENING_BYTES, '\n') : verdict;
}
