import { datagramsOr, delimited, type Match, matchesOpening, startsWith } from '#codec/framing';

export const MAX_FRAME_BYTES = 2_048;
/** A message ends in ##; a datagram is one message. */
export const frame = datagramsOr(delimited({ starts: ['$$'], ends: ['##'], maxBytes: MAX_FRAME_BYTES }));

const OPENING = /^\$\$\d{6,16},(?:6115,[A-Za-z0-9]|\d{4},(?:\d{4}\/\d\d\/\d\d|\d\d\/\d\d\/\d{4}),)/;
const OPENING_BYTES = 35;

export function identify(bytes: Uint8Array): Match {
  const match = bytes.length === 0 ? 'more' : startsWith(bytes, 0, '$$');
  return match === 'yes' ? matchesOpening(bytes, OPENING, OPENING_BYTES, '##') : match;
}
