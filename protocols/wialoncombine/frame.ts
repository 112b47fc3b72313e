import { crc16Arc, trailingCrc16 } from '#codec';
import { lengthPrefixed, type Match, NO_CONTEXT, startsOf } from '#codec/framing';

const MARK = 0x24;
/** A packet holds stored messages and parts of pictures. */
export const MAX_FRAME_BYTES = 131_072;
export const [LOGIN, DATA, KEEP_ALIVE] = [0, 1, 2];
const KEEP_ALIVE_BYTES = 5;
const LONG = 0x80;

/** $$, then the type */
const STARTS = startsOf([[MARK, MARK, [LOGIN, KEEP_ALIVE]]]);

/** Where the body begins: its length has two bytes, or four where the first bit is set. */
export const bodyStart = (bytes: Uint8Array): number => ((bytes[5]! & LONG) !== 0 ? 9 : 7);

function bodyLength(bytes: Uint8Array): number {
  const high = (bytes[5]! << 8) | bytes[6]!;
  return (bytes[5]! & LONG) === 0 ? high : (high & 0x7fff) * 0x1_0000 + ((bytes[7]! << 8) | bytes[8]!);
}

export const frame = lengthPrefixed({
  starts: STARTS,
  head: KEEP_ALIVE_BYTES,
  length: (bytes) => {
    if (bytes[2] === KEEP_ALIVE) return KEEP_ALIVE_BYTES;
    if (bytes.length < 7) return 7;
    const start = bodyStart(bytes);
    return bytes.length < start ? start : start + bodyLength(bytes) + 2;
  },
  minBytes: KEEP_ALIVE_BYTES,
  maxBytes: MAX_FRAME_BYTES,
  resumeAt: 1,
});

/** CRC-16/ARC over all before it. A keep-alive has none. */
const isIntact = trailingCrc16(crc16Arc, 'big', { minBytes: 9 });
export const verify = (bytes: Uint8Array): boolean =>
  bytes[2] === KEEP_ALIVE ? bytes.length === KEEP_ALIVE_BYTES : isIntact(bytes);

const MAX_LOGIN_BYTES = 160;

/** A login, by its checksum. */
export function identify(bytes: Uint8Array): Match {
  if (bytes.length === 0) return 'more';
  if (STARTS.begins(bytes, 0) === 'no' || (bytes[2] ?? LOGIN) !== LOGIN) return 'no';
  const cut = frame(bytes, NO_CONTEXT);
  if (cut.type === 'wait') return bytes.length > MAX_LOGIN_BYTES ? 'no' : 'more';
  return cut.type === 'frame' && verify(bytes.subarray(0, cut.end)) ? 'yes' : 'no';
}
