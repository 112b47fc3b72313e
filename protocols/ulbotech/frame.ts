import { crc16Xmodem, Writer } from '#codec';
import { delimited, enclosed, escapes, firstOf, type Match } from '#codec/framing';

export const MARK = 0xf8;
const ESCAPE = 0xf7;
export const MAX_FRAME_BYTES = 4_096;
const MOST_TEXT = MAX_FRAME_BYTES;

const meanings = new Map([
  [0x00, ESCAPE],
  [0x0f, MARK],
]);
const { wire } = escapes([
  [ESCAPE, 0x00, ESCAPE],
  [ESCAPE, 0x0f, MARK],
]);

/** Messages of bytes between two marks, and of text. */
export const frame = firstOf(
  enclosed({ mark: MARK, escape: ESCAPE, meanings, maxBytes: MAX_FRAME_BYTES }),
  delimited({ starts: ['*TS'], ends: ['#'], maxBytes: MOST_TEXT }),
);

/** version, type, IMEI and time, between the marks and before the checksum */
const SMALLEST = 1 + 14 + 2 + 1;
export const CRC_BYTES = 2;

/** CRC-16/XMODEM of what stands between the marks. Text has no checksum. */
export function verify(bytes: Uint8Array): boolean {
  if (bytes[0] !== MARK) return true;
  const at = bytes.length - 1 - CRC_BYTES;
  return bytes.length >= SMALLEST && crc16Xmodem(bytes, 1, at) === ((bytes[at]! << 8) | bytes[at + 1]!);
}

/** Content with its checksum, between marks. */
export const seal = (content: Uint8Array): Uint8Array =>
  wire(new Writer().u8(MARK).raw(content).u16(crc16Xmodem(content)).u8(MARK).finish());

const TEXT = [0x2a, 0x54, 0x53] as const;

/** Mark, version and type; or `*TS`. */
export function identify(bytes: Uint8Array): Match {
  const opening = bytes[0] === TEXT[0] ? TEXT : [MARK, 0x01, 0x01];
  for (const [at, byte] of opening.entries()) {
    if (at >= bytes.length) return 'more';
    if (bytes[at] !== byte) return 'no';
  }
  return 'yes';
}
