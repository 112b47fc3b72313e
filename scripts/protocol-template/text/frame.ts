import { toLatin1, xor8 } from '#codec';
import { delimited, type Match, startsWith } from '#codec/framing';

export const MAX_FRAME_BYTES = 1_024;

/** `$acme,…*HH` and a line end. */
const HEAD = '$acme,';

// TODO frame: how a message begins and ends. `#codec/framing` has delimited (starts and ends), lengthPrefixed, fixed,
// countedText (a length in text), enclosed (marks and escapes) and firstOf, for protocols with several kinds.
export const frame = delimited({ starts: [HEAD], ends: ['\n'], maxBytes: MAX_FRAME_BYTES, content: 'line' });

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
