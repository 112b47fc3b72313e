import { crc16Xmodem, trailingCrc16, Writer } from '#codec';
import { delimited, enclosed, escapes, firstOf, type Match } from '#codec/framing';

export const MARK = 0xf8;
const ESCAPE = 0xf7;
export const MAX_FRAME_BYTES = 4_096;
const MAX_TEXT_BYTES = MAX_FRAME_BYTES;

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
  delimited({ starts: ['*TS'], ends: ['#'], maxBytes: MAX_TEXT_BYTES }),
);

/** version, type, IMEI and time, between the marks and before the checksum */
const MIN_FRAME_BYTES = 1 + 14 + 2 + 1;
export const CRC_BYTES = 2;

/** CRC-16/XMODEM of what stands between the marks. Text has no checksum. */
const isIntact = trailingCrc16(crc16Xmodem, 'big', { from: 1, behind: 1, minBytes: MIN_FRAME_BYTES });
export const verify = (bytes: Uint8Array): boolean => bytes[0] !== MARK || isIntact(bytes);

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
