import { type Framing, lengthPrefixed, type Match } from '#codec/framing';

export const MAX_FRAME_BYTES = 16_384;
const LONG_ID = 0x80;
const SELECTED = 0x40;
/** protocol, version, id of three bytes, length: what the shortest header has */
const HEAD_BYTES = 11;

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;

/** Bytes of the header, with its selector. */
export const headerBytes = (bytes: Uint8Array): number =>
  4 + ((bytes[1]! & LONG_ID) !== 0 ? 7 : 3) + ((bytes[1]! & SELECTED) !== 0 ? 3 : 0);

const packets = lengthPrefixed({
  head: HEAD_BYTES,
  length: (bytes) => {
    if (!isLetter(bytes[0])) return undefined;
    const header = headerBytes(bytes);
    const at = header - ((bytes[1]! & SELECTED) !== 0 ? 5 : 2);
    return bytes.length < at + 2 ? at + 2 : header + ((bytes[at]! << 8) | bytes[at + 1]!);
  },
  minBytes: HEAD_BYTES - 2,
  maxBytes: MAX_FRAME_BYTES,
});

/** Digits between frames keep the connection open. There is no marker: a header that cannot be ends the stream. */
export const frame: Framing = (bytes, context) => {
  let digits = 0;
  while (isDigit(bytes[digits])) digits++;
  return digits > 0 ? { type: 'skip', bytes: digits } : packets(bytes, context);
};

const isLetter = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x41 && byte <= 0x5a;

const LETTERS = 'CDEFH';
/** 01, or the version of long ids with or without a selector */
const VERSIONS: ReadonlySet<number> = new Set([0x01, 0x41, 0x81, 0xc1, 0xc2, 0xc3]);

/** Letter and version, then an IMEI in seven bytes where there is one. */
export function identify(bytes: Uint8Array): Match {
  if (bytes.length === 0) return 'more';
  if (!LETTERS.includes(String.fromCharCode(bytes[0]!))) return 'no';
  if (bytes.length > 1 && !VERSIONS.has(bytes[1]!)) return 'no';
  // Letters of text: no version is one.
  if (bytes.length < HEAD_BYTES) return 'more';
  if ((bytes[1]! & LONG_ID) !== 0) return bytes[2]! <= 3 && bytes[2] !== 0 ? 'yes' : 'no';
  const at = headerBytes(bytes) - ((bytes[1]! & SELECTED) !== 0 ? 5 : 2);
  const length = (bytes[at]! << 8) | bytes[at + 1]!;
  const end = headerBytes(bytes) + length;
  if (length < 2 || end > 1_024) return 'no';
  return bytes.length < end ? 'more' : 'yes';
}
