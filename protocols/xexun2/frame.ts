import { crc16CcittFalse, Reader, toLatin1, Writer } from '#codec';
import { delimited, firstOf, lengthPrefixed, type Match, startsOf } from '#codec/framing';

export const MAX_FRAME_BYTES = 4_096;

const MARK = '\xfa\xaf';
const MARK_BYTES = 2;
/** type, index, id, attributes, checksum */
const HEAD_BYTES = 16;
const SIZE = 0x03ff;
/** records of blocks, and commands, in a frame of marks or of version 3 */
export const BLOCKS = 0x20;
export const BLOCK_COMMAND = 0x21;

/** Frames of version 3: this byte, the length of head and body, head, body, CRC, and the last byte. */
const V3 = 0xfc;
const V3_END = 0xcf;
const VERSION = 3;
/** mark and length before what the CRC covers; CRC and last byte behind it */
const V3_BEFORE = 3;
const V3_BEHIND = 3;
/** version, type, index, id */
const V3_HEAD_BYTES = 11;
const V3_START = [V3, [0, MAX_FRAME_BYTES >> 8], 'any', VERSION, [BLOCKS, BLOCK_COMMAND]] as const;

/** Frames begin and end with the mark; behind an end that was taken for a start the next one is a start. */
export const frame = firstOf(
  delimited({
    starts: [MARK],
    ends: [MARK],
    maxBytes: MAX_FRAME_BYTES,
    resumeAt: MARK_BYTES,
  }),
  lengthPrefixed({
    starts: [V3_START],
    head: V3_BEFORE,
    length: { at: 1, bytes: 2, adds: V3_BEFORE + V3_BEHIND },
    minBytes: V3_BEFORE + V3_HEAD_BYTES + V3_BEHIND,
    maxBytes: MAX_FRAME_BYTES,
    tail: [V3_END],
    resumeAt: 1,
  }),
);

export const isV3 = (frame: Uint8Array): boolean => frame[0] === V3;

/** Which of the two escapes stands for a mark: the other one in messages of blocks. */
const markEscape = (type: number): number => (type === BLOCKS || type === BLOCK_COMMAND ? 2 : 1);

/** A frame whose `fb bf 01` and `fb bf 02` are the two bytes of marks and escapes again. */
export function contentOf(frame: Uint8Array): Uint8Array {
  const content = new Writer();
  for (let at = MARK_BYTES; at < frame.length - MARK_BYTES; ) {
    const byte = frame[at]!;
    const isEscape = byte === 0xfb && frame[at + 1] === 0xbf && (frame[at + 2] === 1 || frame[at + 2] === 2);
    if (isEscape) content.hex(frame[at + 2] === markEscape((frame[2]! << 8) | frame[3]!) ? 'faaf' : 'fbbf');
    else content.u8(byte);
    at += isEscape ? 3 : 1;
  }
  return content.finish();
}

const checksumOf = (payload: Uint8Array): number => {
  let sum = payload.reduce((total, byte) => total + byte, 0);
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16);
  return sum === 0xffff ? sum : ~sum & 0xffff;
};

export interface Head {
  /** of a frame of version 3 */
  readonly isV3?: true;
  readonly type: number;
  readonly index: number;
  /** fifteen digits */
  readonly id: string;
}

export function readHead(reader: Reader): Head {
  const head = { type: reader.u16(), index: reader.u16(), id: reader.hex(8).slice(0, 15) };
  reader.skip(4);
  return head;
}

/** The id has a zero before its digits here. */
export function readV3(frame: Uint8Array): readonly [Head, body: Reader] {
  const reader = new Reader(frame, V3_BEFORE + 1, frame.length - V3_BEHIND);
  const head = { isV3: true, type: reader.u8(), index: reader.u8(), id: reader.hex(8).slice(1) } as const;
  return [head, reader];
}

function verifyV3(frame: Uint8Array): boolean {
  const end = frame.length - V3_BEHIND;
  return crc16CcittFalse(frame, V3_BEFORE, end) === ((frame[end]! << 8) | frame[end + 1]!);
}

const V3_LEAST = V3_BEFORE + V3_HEAD_BYTES + V3_BEHIND;

/** Whether there is room for a head and a checksum. */
export const hasHead = (frame: Uint8Array): boolean =>
  isV3(frame) ? frame.length >= V3_LEAST : contentOf(frame).length >= HEAD_BYTES;

export function verify(frame: Uint8Array): boolean {
  if (frame.length < V3_LEAST) return false;
  if (isV3(frame)) return verifyV3(frame);
  const content = contentOf(frame);
  if (content.length < HEAD_BYTES) return false;
  const payload = content.subarray(HEAD_BYTES);
  const size = ((content[12]! << 8) | content[13]!) & SIZE;
  return size === (payload.length & SIZE) && checksumOf(payload) === ((content[14]! << 8) | content[15]!);
}

/** A whole frame; the last digit of the id is a filler. */
export function write({ type, index, id }: Head, payload: Uint8Array): Uint8Array {
  const content = new Writer()
    .u16(type)
    .u16(index)
    .hex(`${id.padStart(15, '0').slice(0, 15)}0`)
    .u16(payload.length & SIZE)
    .u16(checksumOf(payload))
    .raw(payload)
    .finish();
  const [ofMark, ofEscape] = markEscape(type) === 1 ? ['\x01', '\x02'] : ['\x02', '\x01'];
  const escaped = toLatin1(content).replaceAll('\xfb\xbf', `\xfb\xbf${ofEscape}`).replaceAll(MARK, `\xfb\xbf${ofMark}`);
  return new Writer().latin1(`${MARK}${escaped}${MARK}`).finish();
}

/** A whole frame of version 3. */
export function writeV3({ type, index, id }: Head, body: Uint8Array): Uint8Array {
  const content = new Writer().u8(VERSION).u8(type).u8(index).hex(id.padStart(16, '0').slice(-16)).raw(body).finish();
  return new Writer().u8(V3).u16(content.length).raw(content).u16(crc16CcittFalse(content)).u8(V3_END).finish();
}

const OPENINGS = startsOf([
  `${MARK}\0\x14`,
  `${MARK}\0\x20`,
  // the id begins with a zero
  [...V3_START, 'any', [0, 9], 'bcd', 'bcd', 'bcd', 'bcd', 'bcd', 'bcd', 'bcd'],
]);

export const identify = (bytes: Uint8Array): Match => OPENINGS.begins(bytes, 0);
