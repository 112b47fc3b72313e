import { delimited, identifyText } from '#codec/framing';

export const MAX_FRAME_BYTES = 256;

// TODO frame: where a message begins and ends. `verify` compares a checksum, if there is one.
export const frame = delimited({ starts: ['*AC,'], ends: ['#'], maxBytes: MAX_FRAME_BYTES, inner: 'restarts' });

// TODO identify: what the first message of a connection looks like, and how many characters decide.
export const identify = identifyText({ start: '*AC,', opening: [/^\*AC,\d{15},[A-Z],?/, 22], end: '#' });
