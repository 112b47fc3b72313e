import { crc16CcittFalse, type FrameResult, Reader, Writer } from '#codec';
import type { Match } from '#codec/framing';

export const MAX_FRAME_BYTES = 260;

const MARK = 0xa5;
/** two marks and the length of the body */
const HEAD = 3;
const CRC = 2;

// TODO frame: how a message begins and ends.
/** two marks, u8 length of the body, body, CRC of length and body. */
export function frame(bytes: Uint8Array): FrameResult {
  if (bytes[0] !== MARK || (bytes[1] ?? MARK) !== MARK) return { type: 'skip', bytes: 1 };
  if (bytes.length < HEAD) return { type: 'wait', atLeast: HEAD };
  const end = HEAD + bytes[2]! + CRC;
  return bytes.length < end ? { type: 'wait', atLeast: end } : { type: 'frame', start: 0, end, resumeAt: 1 };
}

// TODO verify: the checksum only. Delete it where the protocol has none.
export const verify = (bytes: Uint8Array): boolean =>
  bytes.length > HEAD + CRC &&
  new Reader(bytes, bytes.length - CRC).u16() === crc16CcittFalse(bytes, 2, bytes.length - CRC);

/** A frame in either direction. */
export function packet(type: number, body: Uint8Array): Uint8Array {
  const content = new Writer()
    .u8(body.length + 1)
    .u8(type)
    .raw(body)
    .finish();
  return new Writer().u8(MARK).u8(MARK).raw(content).u16(crc16CcittFalse(content)).finish();
}

// TODO identify: the shortest first bytes that only this protocol sends.
export function identify(bytes: Uint8Array): Match {
  if (bytes.some((byte, at) => at < 2 && byte !== MARK)) return 'no';
  return bytes.length < 4 ? 'more' : bytes[3]! <= 4 ? 'yes' : 'no';
}
