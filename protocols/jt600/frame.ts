import {
  delimited,
  framingWith,
  lengthPrefixed,
  type Match,
  matchesOpening,
  type Pattern,
  startsBy,
  startsOf,
} from '#codec/framing';

export const MAX_FRAME_BYTES = 1_024;
const [OPEN, DOLLAR, ZERO] = [0x28, 0x24, 0x00] as const;
/** Here a long message has the first byte of its length, which is zero, and a short one the second. */
const LENGTH_AT = 8;

const ID = Array.from({ length: 5 }, () => 'bcd' as const);
const DATE: Pattern = ['bcd', 'bcd', 'bcd', 'bcd', 'bcd', 'bcd'];
/** A length below 1,024 and the date that follows it. */
const messages = startsOf([
  [DOLLAR, ...ID, 'any', 'any', ZERO, 'any', ...DATE],
  [DOLLAR, ...ID, 'any', [0, 3], [1, 0xff], ...DATE],
]);

/** Two dollars begin other protocols: ids of devices do not begin with 24. */
const starts = startsBy(messages.bytes, (bytes, at) => {
  const first = bytes[at];
  if (first === OPEN) return 'yes';
  if (first !== DOLLAR || bytes[at + 1] === DOLLAR) return first === undefined ? 'more' : 'no';
  const low = bytes[at + LENGTH_AT];
  return low !== undefined && low !== ZERO && bytes[at + LENGTH_AT - 1]! > 3 ? 'no' : messages.begins(bytes, at);
});

const binary = lengthPrefixed({
  starts,
  head: LENGTH_AT + 2,
  // the byte behind the records is not counted in a short message
  length: (bytes) => 10 + (bytes[LENGTH_AT] === ZERO ? bytes[9]! : bytes[7]! * 256 + bytes[8]!),
  minBytes: 27,
  maxBytes: MAX_FRAME_BYTES,
});

const text = delimited({ starts, ends: [')'], maxBytes: MAX_FRAME_BYTES, inner: 'restarts' });

export const frame = framingWith(starts, (bytes, context) => (bytes[0] === OPEN ? text : binary)(bytes, context));

const OPENING = /^\(\d{10},(?:[UPWS]\d\d[,)]|@JT\)|\d{1,3},)/;
const OPENING_BYTES = 16;

export const identify = (bytes: Uint8Array): Match =>
  bytes[0] === OPEN ? matchesOpening(bytes, OPENING, OPENING_BYTES, ')') : starts.begins(bytes, 0);
