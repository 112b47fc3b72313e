import { lengthPrefixed, type Match } from '#codec/framing';

/** The size is a byte, and an IMEI may stand before the message. */
export const MAX_FRAME_BYTES = 270;
const IMEI_BYTES = 15;
/** device number, size, type */
export const SMALLEST_MESSAGE = 4;

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;

/** Where the message begins: behind an IMEI in digits, if one is there. */
export const messageStart = (bytes: Uint8Array): number => (isDigit(bytes[0]) ? IMEI_BYTES : 0);

/** There is no marker: a size that cannot be ends the stream. */
export const frame = lengthPrefixed({
  head: 3,
  length: (bytes) => {
    const start = messageStart(bytes);
    if (bytes.length < start + 3) return start + 3;
    const size = bytes[start + 2]!;
    return size < SMALLEST_MESSAGE ? undefined : start + size;
  },
  minBytes: SMALLEST_MESSAGE,
  maxBytes: MAX_FRAME_BYTES,
});

/** Behind fifteen digits others send text. */
const isText = (bytes: Uint8Array, from: number): boolean =>
  bytes.subarray(from, from + SMALLEST_MESSAGE).every((byte) => byte >= 0x20 && byte <= 0x7e);

const LOGIN_SIZE = 0x42;
const LOGIN = 3;

/** A conversation begins with a login: its size, its type and the fifteen digits of the IMEI. */
export function identify(bytes: Uint8Array): Match {
  const start = messageStart(bytes);
  for (let at = 0; at < start; at++) {
    if (at >= bytes.length) return 'more';
    if (!isDigit(bytes[at])) return 'no';
  }
  const head = start + SMALLEST_MESSAGE;
  if (start > 0)
    return bytes.length < head
      ? 'more'
      : bytes[start + 2]! >= SMALLEST_MESSAGE && (bytes[start + 3]! & 3) === 0 && !isText(bytes, start)
        ? 'yes'
        : 'no';
  for (let at = 2; at < head + IMEI_BYTES; at++) {
    const byte = bytes[at];
    if (byte === undefined) return 'more';
    if (!(at === 2 ? byte === LOGIN_SIZE : at === 3 ? byte === LOGIN : isDigit(byte))) return 'no';
  }
  return 'yes';
}
