import { lengthPrefixed, startsOf } from '#codec/framing';

export const MAX_FRAME_BYTES = 300;
export const TYPE_AT = 3;
export const BODY_AT = 4;
const TAIL_BYTES = 2;
const TIME_BYTES = 6;
const ACCESS_POINT_BYTES = 7;
/** Area and cell of two bytes each, or of four, then the level. */
const [CELL_BYTES, LTE_CELL_BYTES] = [5, 9];
/** number of the cells, country, network */
const CELLS_HEAD = 4;
const LOGIN = 0x01;
const IMEI_BYTES = 8;
/** Messages of trackers for LTE networks. */
export const isOfLteCells = (type: number): boolean => type >= 0x18 && type <= 0x1b;
export const isOfCells = (type: number): boolean => type === 0x69 || type === 0x17 || isOfLteCells(type);
export const isOfPosition = (type: number): boolean => type === 0x10 || type === 0x11;

/** Whether the two bytes that end a message stand there; a byte may come before them. */
const endAt = (bytes: Uint8Array, at: number): number =>
  bytes[at] === 0x0d && bytes[at + 1] === 0x0a ? at + TAIL_BYTES : at + 1 + TAIL_BYTES;

/** The frame is as long as its length says, or a byte shorter or longer: trackers do not agree on what it counts. */
function sizeByLength(bytes: Uint8Array, end: number): number {
  for (const at of [end - 1, end]) {
    if (bytes.length < at + TAIL_BYTES) return at + TAIL_BYTES;
    if (bytes[at] === 0x0d && bytes[at + 1] === 0x0a) return at + TAIL_BYTES;
  }
  return end + 1 + TAIL_BYTES;
}

/** The length counts access points in one kind of message, includes the type in some, and is wrong in a login. */
function sizeOf(bytes: Uint8Array): number {
  const [length, type] = [bytes[2]!, bytes[TYPE_AT]!];
  if (isOfCells(type)) {
    const cellsAt = BODY_AT + TIME_BYTES + length * ACCESS_POINT_BYTES;
    if (bytes.length <= cellsAt) return cellsAt + CELLS_HEAD + TAIL_BYTES;
    const end = cellsAt + CELLS_HEAD + bytes[cellsAt]! * (isOfLteCells(type) ? LTE_CELL_BYTES : CELL_BYTES);
    return bytes.length < end + TAIL_BYTES ? end + TAIL_BYTES : endAt(bytes, end);
  }
  if (type === LOGIN) {
    const end = BODY_AT + IMEI_BYTES;
    return bytes.length < end + TAIL_BYTES ? end + TAIL_BYTES : endAt(bytes, end);
  }
  return sizeByLength(bytes, Math.max(BODY_AT + 1, BODY_AT + length + (isOfPosition(type) ? 0 : -1)));
}

export const frame = lengthPrefixed({
  // lengths in use are shorter: a row of marks does not begin a frame
  starts: [[0x78, 0x78, [0, 0x60]]],
  head: BODY_AT,
  length: sizeOf,
  minBytes: BODY_AT + TAIL_BYTES,
  maxBytes: MAX_FRAME_BYTES,
  tail: [0x0d, 0x0a],
});

/** A device logs in first: the IMEI, and a byte or none before the end, without the checksum of GT06. */
const logins = startsOf([
  [0x78, 0x78, 'any', LOGIN, [0, 9], 'bcd', 'bcd', 'bcd', 'bcd', 'bcd', 'bcd', 'bcd', 0x0d, 0x0a],
  [0x78, 0x78, 'any', LOGIN, [0, 9], 'bcd', 'bcd', 'bcd', 'bcd', 'bcd', 'bcd', 'bcd', 'any', 0x0d, 0x0a],
]);

export const identify = (bytes: Uint8Array): 'yes' | 'no' | 'more' => logins.begins(bytes, 0);
