import { datagramsOr, delimited, enclosed, firstOf, type Match, matchesOpening, startsWith } from '#codec/framing';

export const MAX_FRAME_BYTES = 2_048;
export const STAR = 0x2a;
export const MARK = 0xf8;
const ESCAPE = 0x1b;
const ESCAPED_MARK = 0xe3;

const TEXT_HEAD = '*GS';

const text = delimited({ starts: [TEXT_HEAD], ends: ['#'], maxBytes: MAX_FRAME_BYTES });
/** 1B 00 stands for 1B, 1B E3 for F8; what else follows 1B is dropped with it. */
const binary = enclosed({
  mark: MARK,
  escape: ESCAPE,
  meanings: new Map([
    [0x00, ESCAPE],
    [ESCAPED_MARK, MARK],
  ]),
  maxBytes: MAX_FRAME_BYTES,
});

/** Text from *GS to #, or binary from mark to mark; a datagram is one frame. */
export const frame = datagramsOr(firstOf(text, binary));

const OPENING = /^\*GS\d{2},\d{15}(?:,|#)/;
const OPENING_BYTES = 22;
/** mark, version, type, id */
const BINARY_HEAD = 10;
const MAX_IMEI = 999_999_999_999_999;
const MIN_IMEI = 10_000_000_000_000;

const MAX_VERSION = 0x0f;

/** Others begin alike and have the IMEI as sixteen digits, the first a zero. */
const isPackedImei = (bytes: Uint8Array): boolean =>
  bytes[0]! <= 9 && bytes.every((byte) => byte <= 0x99 && (byte & 0x0f) <= 9);

export function identify(bytes: Uint8Array): Match {
  if (bytes.length === 0) return 'more';
  if (bytes[0] !== MARK) {
    const match = startsWith(bytes, 0, TEXT_HEAD);
    return match === 'yes' ? matchesOpening(bytes, OPENING, OPENING_BYTES, '#') : match;
  }
  if (bytes.length <= BINARY_HEAD) return 'more';
  if (bytes[1]! > MAX_VERSION || isPackedImei(bytes.subarray(3, BINARY_HEAD + 1))) return 'no';
  let imei = 0;
  for (let at = 3; at < BINARY_HEAD; at++) imei = imei * 256 + bytes[at]!;
  return imei >= MIN_IMEI && imei <= MAX_IMEI ? 'yes' : 'no';
}
