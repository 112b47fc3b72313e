import { datagramsOr, delimited, identifyText } from '#codec/framing';

export const MAX_FRAME_BYTES = 1_024;

/**
 * A message ends with two marks. An empty field within one is two marks as well: the message then comes in two parts
 * (see `decode`), of which the second begins with a digit.
 */
export const frame = datagramsOr(
  delimited({ starts: ['#', ['digit']], ends: ['##'], maxBytes: MAX_FRAME_BYTES, within: [0x20, 0x7e] }),
);

export const identify = identifyText({ start: '#', opening: [/^#\d{14,15}#/, 17], end: '\n' });
