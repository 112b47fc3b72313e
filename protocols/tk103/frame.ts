import { datagramsOr, delimited, type Match, matchesOpening } from '#codec/framing';

export const MAX_FRAME_BYTES = 2_048;

const OPEN = 0x28;

/** From bracket to bracket; text between two dollars may hold brackets. A datagram is one sentence. */
export const frame = datagramsOr(
  delimited({
    starts: ['('],
    ends: [')'],
    maxBytes: MAX_FRAME_BYTES,
    inner: 'restarts-at-once',
    quote: '$',
    resumeAt: 1,
  }),
);

const OPENING =
  /^\((?:(?:\d{11,12}|\d{11}\0|\d{10}\0{2}|\d{9}\0{3}|\d{8}\0{4}|\d{15}|[0-9A-Z]{12})B[A-Z]\d\d|\d{10,15},(?:BP|BR|BO|BZ|ZC|DW)[0-9A-F]{2},)/;
const OPENING_BYTES = 23;

/** The id, then a type of two letters and two digits. */
export function identify(bytes: Uint8Array): Match {
  if (bytes.length === 0) return 'more';
  return bytes[0] === OPEN ? matchesOpening(bytes, OPENING, OPENING_BYTES, ')') : 'no';
}
