import { crc16CcittFalse, Reader, Writer } from '#codec';
import { lengthPrefixed, type Match } from '#codec/framing';

export const MAX_FRAME_BYTES = 260;

const MARK = 0xa5;
/** two marks and the length of the body */
const HEAD = 3;
const CRC = 2;

// TODO frame: how a message begins and ends.
/** Two marks, u8 length of the body, body, CRC of length and body. */
export const frame = lengthPrefixed({
  starts: [[MARK, MARK]],
  head: HEAD,
  length: { at: 2, bytes: 1, adds: HEAD + CRC },
  minBytes: HEAD + 1 + CRC,
  maxBytes: MAX_FRAME_BYTES,
  resumeAt: 1,
});

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
