import type { FrameContext, FrameResult } from '#codec';
import { findSentence, type Match, matchesOpening, type Sentences, startsWith } from '#codec/framing';

export const MAX_FRAME_BYTES = 2_048;
const HASH = 0x23;

const SENTENCES: Sentences = {
  mostBytes: MAX_FRAME_BYTES,
  begins: (bytes, at) => startsWith(bytes, at, '$$'),
  ends: [HASH],
};

/** A message ends in ##; a datagram is one message. */
export function frame(bytes: Uint8Array, { transport }: FrameContext<unknown>): FrameResult {
  if (transport === 'udp') return { type: 'frame', start: 0, end: bytes.length };
  const start = findSentence(bytes, 0, SENTENCES);
  if (start !== 0) return { type: 'skip', bytes: start < 0 ? bytes.length : start };
  const most = bytes.subarray(0, MAX_FRAME_BYTES);
  for (let at = most.indexOf(HASH); at >= 0; at = most.indexOf(HASH, at + 1)) {
    if (most[at + 1] === HASH) return { type: 'frame', start: 0, end: at + 2 };
  }
  if (most.length < MAX_FRAME_BYTES) return { type: 'wait' };
  const next = findSentence(most, 1, SENTENCES);
  return { type: 'skip', bytes: next < 0 ? most.length : next };
}

const OPENING = /^\$\$\d{6,16},(?:6115,[A-Za-z0-9]|\d{4},(?:\d{4}\/\d\d\/\d\d|\d\d\/\d\d\/\d{4}),)/;
const OPENING_BYTES = 35;

export function identify(bytes: Uint8Array): Match {
  const verdict = bytes.length === 0 ? 'more' : startsWith(bytes, 0, '$$');
  return verdict === 'yes' ? matchesOpening(bytes, OPENING, OPENING_BYTES, '##') : verdict;
}
