import { lengthPrefixed, type Match } from '#codec/framing';

/** The size is a byte, and an IMEI may stand before the message. */
export const MAX_FRAME_BYTES = 270;
const IMEI_BYTES = 15;
/** device number, size, type */
export const MIN_MESSAGE_BYTES = 4;

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;

/**
 * Where the message begins: behind an IMEI, if fifteen digits are there. Fewer bytes that are all digits are the beginning
 * of one, or of a message that is longer than that by its size; a device number may have the bytes of digits.
 */
export function messageStart(bytes: Uint8Array): number {
  for (let at = 0; at < IMEI_BYTES && at < bytes.length; at++) if (!isDigit(bytes[at])) return 0;
  return IMEI_BYTES;
}

/** There is no marker: a size that cannot be ends the stream. */
export const frame = lengthPrefixed({
  head: 3,
  length: (bytes) => {
    const start = messageStart(bytes);
    if (bytes.length < start + 3) return start + 3;
    const size = bytes[start + 2]!;
    return size < MIN_MESSAGE_BYTES ? undefined : start + size;
  },
  minBytes: MIN_MESSAGE_BYTES,
  maxBytes: MAX_FRAME_BYTES,
});

/** Behind fifteen digits others send text. */
const isText = (bytes: Uint8Array, from: number): boolean =>
  bytes.subarray(from, from + MIN_MESSAGE_BYTES).every((byte) => byte >= 0x20 && byte <= 0x7e);

const LOGIN_SIZE = 0x42;
const LOGIN = 3;

/** A conversation begins with a login: its size, its type and the fifteen digits of the IMEI. */
export function identify(bytes: Uint8Array): Match {
  const start = messageStart(bytes);
  const head = start + MIN_MESSAGE_BYTES;
  if (start > 0)
    return bytes.length < head
      ? 'more'
      : bytes[start + 2]! >= MIN_MESSAGE_BYTES && (bytes[start + 3]! & 3) === 0 && !isText(bytes, start)
        ? 'yes'
        : 'no';
  for (let at = 2; at < head + IMEI_BYTES; at++) {
    const byte = bytes[at];
    if (byte === undefined) return 'more';
    if (!(at === 2 ? byte === LOGIN_SIZE : at === 3 ? byte === LOGIN : isDigit(byte))) return 'no';
  }
  return 'yes';
}
