import { crc16CcittFalse } from '#codec';
import { lengthPrefixed, type Match } from '#codec/framing';

export const BINARY = 0x04;
export const TEXT = 0x80;
export const HEADER_BYTES = 20;
export const MAX_FRAME_BYTES = 2_048;
/** Offset of the length, which counts the whole frame, by the first byte. */
const LENGTH_AT: Readonly<Record<number, number>> = { [BINARY]: 1, [TEXT]: 6 };

const sizeOf = (bytes: Uint8Array): number | undefined => {
  const at = LENGTH_AT[bytes[0]!];
  return at === undefined ? undefined : bytes[at]! | (bytes[at + 1]! << 8);
};

export const frame = lengthPrefixed({
  head: HEADER_BYTES,
  length: sizeOf,
  minBytes: HEADER_BYTES,
  maxBytes: MAX_FRAME_BYTES,
});

export const CHECKSUM_AT = 3;

/** CRC-16 of the frame with zeros in its place. */
export function checksumOf(bytes: Uint8Array): number {
  const copy = bytes.slice();
  copy.fill(0, CHECKSUM_AT, CHECKSUM_AT + 2);
  return crc16CcittFalse(copy);
}

/** The rule of the checksum of texts is not known. */
export const verify = (bytes: Uint8Array): boolean =>
  bytes[0] !== BINARY || checksumOf(bytes) === (bytes[CHECKSUM_AT]! | (bytes[CHECKSUM_AT + 1]! << 8));

const LETTER = /^[A-Za-z]$/;
/** First byte of a text, and those of a binary report's time, which are of this century. */
const isText = (bytes: Uint8Array): boolean =>
  bytes[1] === 0 && bytes[5] === 0 && bytes[8] === 1 && bytes[9] === 1 && LETTER.test(String.fromCharCode(bytes[20]!));

/** Eight digits of an IMEI, then seven. */
function isBinary(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const first = view.getUint32(7, true);
  return first >= 10_000_000 && first < 100_000_000 && view.getUint32(11, true) < 10_000_000;
}

export function identify(bytes: Uint8Array): Match {
  const [first] = bytes;
  if (first === undefined) return 'more';
  if (first !== BINARY && first !== TEXT) return 'no';
  if (bytes.length <= HEADER_BYTES) return 'more';
  const size = sizeOf(bytes)!;
  if (size < HEADER_BYTES || size > MAX_FRAME_BYTES) return 'no';
  return (first === BINARY ? isBinary(bytes) : isText(bytes)) ? 'yes' : 'no';
}
