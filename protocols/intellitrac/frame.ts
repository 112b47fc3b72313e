import { delimited, firstOf, fixed, identifyText } from '#codec/framing';

export const MAX_FRAME_BYTES = 512;
export const SYNC = [0xfa, 0xf8] as const;

const lines = delimited({
  // answers and reports with a head, and the id of a device
  starts: ['$', ['digit']],
  ends: ['\n'],
  maxBytes: MAX_FRAME_BYTES,
  content: 'line',
  within: [0x0d, 0x7e],
});

/** Lines, and before them packets of eight bytes by which a device asks whether the server is there. */
export const frame = firstOf(fixed(8, [[...SYNC]]), lines);

const isLine = identifyText({
  start: (bytes, at) => (bytes[at] === 0x24 || (bytes[at]! >= 0x30 && bytes[at]! <= 0x39) ? 'yes' : 'no'),
  opening: [
    /^(?:\$(?:OK|ERR):|(?:\$RP:\d{1,10},|\d{1,10},)?\d{5,15},20\d{12}(?:,-?\d{1,3}\.\d{1,8}){2},\d{1,5},\d{1,3},-?\d{1,5}(?:,\d{1,5}){4}[,\r\n])/,
    140,
  ],
});

export const identify = (bytes: Uint8Array): 'yes' | 'no' | 'more' => {
  if (bytes[0] !== SYNC[0]) return isLine(bytes);
  return bytes.length < 2 ? 'more' : bytes[1] === SYNC[1] ? 'yes' : 'no';
};
