import { lengthPrefixed, startsOf } from '#codec/framing';

export const MAX_FRAME_BYTES = 1_030;
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
/** A message begins with two of one, a piece of a recording with two of the other. */
const [MESSAGE_MARK, MARK] = [0x78, 0x68];
export const RECORDED = 0x65;
const MAX_NAME_BYTES = 40;
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

/** The length does not count the name, which is text. */
function sizeOfName(bytes: Uint8Array): number | undefined {
  let at = BODY_AT;
  while (bytes[at]! > 0x1f && bytes[at]! < 0x7f && at < BODY_AT + MAX_NAME_BYTES) at += 1;
  return at === bytes.length ? at + TAIL_BYTES : bytes[at] === 0x0d ? at + TAIL_BYTES : undefined;
}

/** The length counts access points in one kind of message, includes the type in some, and is wrong in a login. */
function sizeOf(bytes: Uint8Array): number | undefined {
  const [length, type] = [bytes[2]!, bytes[TYPE_AT]!];
  if (type === MESSAGE_MARK) return undefined;
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
  if (type === RECORDED) return sizeOfName(bytes);
  return sizeByLength(bytes, Math.max(BODY_AT + 1, BODY_AT + length + (isOfPosition(type) ? 0 : -1)));
}

export const isPiece = (frame: Uint8Array): boolean => frame[0] === MARK;

/** A piece of a sound recording: 68 68, number of pieces, number of this one, its length in two bytes. */
const PIECE_HEAD_BYTES = 6;
function sizeOfPiece(bytes: Uint8Array): number | undefined {
  if (bytes.length < PIECE_HEAD_BYTES) return PIECE_HEAD_BYTES + 1;
  return bytes[3]! > 0 && bytes[3]! <= bytes[2]! ? PIECE_HEAD_BYTES + bytes[4]! * 256 + bytes[5]! : undefined;
}

/** Messages, and the pieces of sound recordings between them. */
export const frame = lengthPrefixed({
  // lengths in use are shorter: a row of marks does not begin a frame
  starts: [
    [MESSAGE_MARK, MESSAGE_MARK, [0, 0x60]],
    [MARK, MARK, [1, MARK - 1]],
    [MARK, MARK, [MARK + 1, 0xff]],
  ],
  head: BODY_AT,
  length: (bytes) => (isPiece(bytes) ? sizeOfPiece(bytes) : sizeOf(bytes)),
  minBytes: BODY_AT + TAIL_BYTES,
  maxBytes: MAX_FRAME_BYTES,
  tail: (bytes, end) => isPiece(bytes) || (bytes[end - 2] === 0x0d && bytes[end - 1] === 0x0a),
});

/** A device logs in first: the IMEI, and a byte or none before the end, without the checksum of GT06. */
const logins = startsOf([
  [0x78, 0x78, 'any', LOGIN, [0, 9], 'bcd', 'bcd', 'bcd', 'bcd', 'bcd', 'bcd', 'bcd', 0x0d, 0x0a],
  [0x78, 0x78, 'any', LOGIN, [0, 9], 'bcd', 'bcd', 'bcd', 'bcd', 'bcd', 'bcd', 'bcd', 'any', 0x0d, 0x0a],
]);

export const identify = (bytes: Uint8Array): 'yes' | 'no' | 'more' => logins.begins(bytes, 0);
