import type { FrameResult } from '#codec';
import { cutSentence, type Match, matchesOpening, type Sentences, startsWith } from '#codec/framing';

export const MAX_FRAME_BYTES = 1_024;

const SENTENCES: Sentences = {
  mostBytes: MAX_FRAME_BYTES,
  begins: (bytes, at) => startsWith(bytes, at, '$AV,'),
  ends: [0x0a],
};

export const frame = (bytes: Uint8Array): FrameResult => cutSentence(bytes, SENTENCES);

const OPENING = /^\$AV,V\d[A-Z]{0,8},-?\d{1,20},/;
const OPENING_BYTES = 40;

export function identify(bytes: Uint8Array): Match {
  const verdict = bytes.length === 0 ? 'more' : startsWith(bytes, 0, '$AV,V');
  return verdict === 'yes' ? matchesOpening(bytes, OPENING, OPENING_BYTES, '\n') : verdict;
}
