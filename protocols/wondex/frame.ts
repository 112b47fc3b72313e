import { datagramsOr, delimited, firstOf, fixed, identifyText } from '#codec/framing';

export const MAX_FRAME_BYTES = 512;
export const KEEP_ALIVE = 0xd0;
const KEEP_ALIVE_BYTES = 8;

const lines = delimited({
  // answers, and reports, which begin with the id of the device
  starts: ['$', ['digit']],
  ends: ['\n'],
  maxBytes: MAX_FRAME_BYTES,
  content: 'line',
  within: [0x0d, 0x7e],
});

export const frame = datagramsOr(firstOf(fixed(KEEP_ALIVE_BYTES, [[KEEP_ALIVE]]), lines));

const isReport = identifyText({
  start: (bytes, at) => (bytes[at]! >= 0x30 && bytes[at]! <= 0x39 ? 'yes' : 'no'),
  // behind the event a number with a decimal point, alone or behind one without: IntelliTrac sends two without
  opening: [
    /^\d{5,20},\d{14}(?:,-?\d{1,3}\.\d{1,8}){2},\d{1,5},\d{1,3},-?\d{1,5}(?:\.\d{1,3})?,\d{1,3},\d{1,5}(?:,?\r|,\d{1,7}\.\d|,\d{0,7}(?:\r|,,|,\d{1,6}\.))/,
    160,
  ],
});

export function identify(bytes: Uint8Array): 'yes' | 'no' | 'more' {
  if (bytes[0] !== KEEP_ALIVE) return isReport(bytes);
  return bytes.length < 2 ? 'more' : bytes[1] === 0xd7 ? 'yes' : 'no';
}
