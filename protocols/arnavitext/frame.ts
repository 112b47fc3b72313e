import { delimited, type Match, matchesOpening, startsWith } from '#codec/framing';

export const MAX_FRAME_BYTES = 1_024;

export const frame = delimited({ starts: ['$AV,'], ends: ['\n'], maxBytes: MAX_FRAME_BYTES, content: 'line' });

const OPENING = /^\$AV,V\d[A-Z]{0,8},-?\d{1,20},/;
const OPENING_BYTES = 40;

export function identify(bytes: Uint8Array): Match {
  const match = bytes.length === 0 ? 'more' : startsWith(bytes, 0, '$AV,V');
  return match === 'yes' ? matchesOpening(bytes, OPENING, OPENING_BYTES, '\n') : match;
}
