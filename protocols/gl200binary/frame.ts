import { toLatin1 } from '#codec';
import { lengthPrefixed, type Match, NO_CONTEXT, type Pattern, startsOf } from '#codec/framing';

export const MAX_FRAME_BYTES = 8_192;
/** bytes that determine the length of any kind */
export const HEAD_BYTES = 11;
/** behind which what is live stands, and what was kept in memory */
const [PLUS, MINUS] = [0x2b, 0x2d];
const [BEAT, BEAT_BYTES] = [0x10, 0x18];
const COLON = 0x3a;

/** Header → where its length stands, and in how many bytes. Source: @Track HEX protocol, message headers. */
const LENGTHS: ReadonlyMap<string, readonly [at: number, bytes: 1 | 2]> = new Map([
  ['+ACK', [6, 1]],
  ['+HBD', [5, 1]],
  ['+CRD', [6, 2]],
  ['+BRD', [6, 2]],
  ['+LGN', [6, 2]],
  ['+INF', [7, 2]],
  ['+BNF', [7, 2]],
  ['+RSP', [9, 2]],
  ['+BSP', [9, 2]],
  ['+EVT', [9, 2]],
  ['+BVT', [9, 2]],
]);

/** A message of records: + or - and a zero. */
export const isRecords = (bytes: Uint8Array): boolean => bytes[1] === 0;
/** The heartbeat of devices that send records. */
export const isBeat = (bytes: Uint8Array): boolean => bytes[1] === BEAT;
/** Records from the device's memory. */
export const isStored = (bytes: Uint8Array): boolean => bytes[0] === MINUS;

const asPattern = (text: string): Pattern => Array.from(text, (character) => character.charCodeAt(0));

/** The text form has a colon behind its acknowledgement. */
const patternsOf = (head: string): Pattern[] =>
  head === '+ACK'
    ? [[...asPattern(head), [0, COLON - 1]] as Pattern, [...asPattern(head), [COLON + 1, 0xff]] as Pattern]
    : [head];

const STARTS = startsOf([[PLUS, 0], [MINUS, 0], [PLUS, BEAT, BEAT_BYTES], ...[...LENGTHS.keys()].flatMap(patternsOf)]);

/** Reports with a mask of sensors have it before the length, and information whose mask is longer the rest of it. */
const [SENSORS, SENSORS_MASK_BYTES] = [18, 4];
const [LONGER_MASK, MORE_MASK_BYTES] = [0x80, 2];

function masksBefore(header: string, bytes: Uint8Array): number {
  if (header.endsWith('SP')) return bytes[4] === SENSORS ? SENSORS_MASK_BYTES : 0;
  return header.endsWith('NF') && (bytes[6]! & LONGER_MASK) !== 0 ? MORE_MASK_BYTES : 0;
}

function placeOfLength(bytes: Uint8Array): readonly [at: number, bytes: 1 | 2] {
  if (isRecords(bytes)) return [2, 2];
  if (isBeat(bytes)) return [2, 1];
  const header = toLatin1(bytes, 0, 4);
  const [at, size] = LENGTHS.get(header)!;
  return [at + masksBefore(header, bytes), size];
}

const lengthOf = (bytes: Uint8Array): number => {
  const [at, size] = placeOfLength(bytes);
  if (at + size > bytes.length) return at + size;
  return size === 1 ? bytes[at]! : (bytes[at]! << 8) | bytes[at + 1]!;
};

/** A message ends in CR LF, one of records and its heartbeat in $. */
const hasTail = (bytes: Uint8Array, end: number): boolean =>
  isRecords(bytes) || isBeat(bytes) ? bytes[end - 1] === 0x24 : bytes[end - 2] === 0x0d && bytes[end - 1] === 0x0a;

export const frame = lengthPrefixed({
  starts: STARTS,
  head: HEAD_BYTES,
  length: lengthOf,
  minBytes: HEAD_BYTES,
  maxBytes: MAX_FRAME_BYTES,
  tail: hasTail,
});

/** The head, a length, and the tail where this says. */
export function identify(bytes: Uint8Array): Match {
  const result = STARTS.begins(bytes, 0);
  if (result !== 'yes') return result;
  const cut = frame(bytes, NO_CONTEXT);
  if (cut.type === 'wait') return 'more';
  return cut.type === 'frame' ? 'yes' : 'no';
}
