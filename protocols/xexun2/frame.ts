import { type Reader, toLatin1, Writer } from '#codec';
import { delimited, type Match, startsWith } from '#codec/framing';

export const MAX_FRAME_BYTES = 4_096;

const MARK = '\xfa\xaf';
const MARK_BYTES = 2;
/** type, index, id, attributes, checksum */
const HEAD_BYTES = 16;
const SIZE = 0x03ff;

/** Frames begin and end with the mark; behind an end that was taken for a start the next one is a start. */
export const frame = delimited({
  starts: [MARK],
  ends: [MARK],
  maxBytes: MAX_FRAME_BYTES,
  resumeAt: MARK_BYTES,
});

/** A frame whose `fb bf 01` and `fb bf 02` are the two bytes of marks and escapes again. */
export function contentOf(frame: Uint8Array): Uint8Array {
  const content = new Writer();
  for (let at = MARK_BYTES; at < frame.length - MARK_BYTES; ) {
    const isEscape = frame[at] === 0xfb && frame[at + 1] === 0xbf && (frame[at + 2] === 1 || frame[at + 2] === 2);
    if (isEscape) content.hex(frame[at + 2] === 1 ? 'faaf' : 'fbbf');
    else content.u8(frame[at]!);
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

export function verify(frame: Uint8Array): boolean {
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
  const escaped = toLatin1(content).replaceAll('\xfb\xbf', '\xfb\xbf\x02').replaceAll(MARK, '\xfb\xbf\x01');
  return new Writer().latin1(`${MARK}${escaped}${MARK}`).finish();
}

export const identify = (bytes: Uint8Array): Match => startsWith(bytes, 0, `${MARK}\0\x14`);
