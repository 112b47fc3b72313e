import { datagramsOr, delimited, identifyText } from '#codec/framing';

export const MAX_FRAME_BYTES = 2_048;
/** A message ends in ##; a datagram is one message. */
export const frame = datagramsOr(delimited({ starts: ['$$'], ends: ['##'], maxBytes: MAX_FRAME_BYTES }));

export const identify = identifyText({
  start: '$$',
  opening: [/^\$\$\d{6,16},(?:6115,[A-Za-z0-9]|\d{4},(?:\d{4}\/\d\d\/\d\d|\d\d\/\d\d\/\d{4}),)/, 35],
  end: '##',
});
