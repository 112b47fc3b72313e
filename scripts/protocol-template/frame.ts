import { type FrameResult, toLatin1, xor8 } from '#codec';
import { cutSentence, type Match, type Sentences, startsWith } from '#codec/framing';

export const MAX_FRAME_BYTES = 1_024;

// TODO frame: how a message begins and ends. The kit has cutSentence (marks and ends), cutCounted (a length in text);
// binary protocols write `frame` with Reader: see protocols/cellocator (length), protocols/gt06 (marks), eelink.
/** `$acme,…*HH` and a line end. */
const HEAD = '$acme,';
const RULES: Sentences = {
  mostBytes: MAX_FRAME_BYTES,
  begins: (bytes, at) => startsWith(bytes, at, HEAD),
  ends: [0x0a],
};

export const frame = (bytes: Uint8Array): FrameResult => cutSentence(bytes, RULES);

const DOLLAR = 1;
/** star and two hex digits */
const TAIL = 3;

const digitsOf = (sum: number): string => sum.toString(16).toUpperCase().padStart(2, '0');

// TODO verify: the checksum alone. Leave it out where there is none.
/** The exclusive or of what stands between `$` and `*`, as two hex digits. */
export function verify(bytes: Uint8Array): boolean {
  const star = bytes.length - TAIL;
  return star > DOLLAR && toLatin1(bytes, star) === `*${digitsOf(xor8(bytes, DOLLAR, star))}`;
}

/** A sentence of either side. */
export function sentence(text: string): string {
  const body = `acme,${text}`;
  return `$${body}*${digitsOf(xor8(Uint8Array.from(body, (letter) => letter.charCodeAt(0))))}\r\n`;
}

// TODO identify: the shortest first bytes that are surely this protocol's and no other's.
export const identify = (bytes: Uint8Array): Match => (bytes.length === 0 ? 'more' : startsWith(bytes, 0, HEAD));
