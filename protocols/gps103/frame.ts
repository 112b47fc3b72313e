import type { FrameContext, FrameResult, Scan } from '#codec';
import { datagramsOr, delimited, identifyText, type Match, type Starts, startsWith } from '#codec/framing';

export const MAX_FRAME_BYTES = 4_096;

/** A photo that has been announced, and is coming part by part. */
export interface Gps103State {
  readonly photo?: {
    readonly name: string;
    readonly parts: number;
    readonly next: number;
    readonly received: number;
  };
}

const LF = 0x0a;
const SEMICOLON = 0x3b;
const STAR = 0x2a;
const ID_DIGITS = 15;

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;

function begins(bytes: Uint8Array, at: number): Match {
  const head = bytes[at]!;
  return isDigit(head) ? isBareId(bytes, at) : beginsText(bytes, at, head);
}

function beginsText(bytes: Uint8Array, at: number, head: number): Match {
  if (head === 0x23) return startsWith(bytes, at, '##,imei:');
  return head === 0x69 ? startsWith(bytes, at, 'imei:') : 'no';
}

/** The id alone is a heartbeat; a sentence may follow it at once. */
function isBareId(bytes: Uint8Array, at: number): Match {
  for (let i = 0; i < ID_DIGITS; i++) {
    if (bytes[at + i] === undefined) return 'more';
    if (!isDigit(bytes[at + i])) return 'no';
  }
  const next = bytes[at + ID_DIGITS];
  if (next === undefined) return 'more';
  return isBehindId(next) ? 'yes' : 'no';
}

const isBehindId = (byte: number): boolean =>
  byte === SEMICOLON || byte === STAR || byte === 0x0d || byte === LF || byte === 0x69;

/** The last digits of a run are its id. */
const STARTS: Starts = {
  bytes: ID_DIGITS + 1,
  begins,
  find: (bytes, from) => {
    for (let at = from; at < bytes.length; ) {
      const byte = bytes[at]!;
      if (!isDigit(byte)) {
        if (beginsText(bytes, at, byte) !== 'no') return at;
        at += 1;
        continue;
      }
      let end = at + 1;
      while (isDigit(bytes[end])) end += 1;
      if (end === bytes.length) return Math.max(at, end - ID_DIGITS);
      if (end - at >= ID_DIGITS && isBehindId(bytes[end]!)) return end - ID_DIGITS;
      at = end;
    }
    return bytes.length;
  },
};

const sentences = delimited({ starts: STARTS, ends: [';', '*', '\n'], maxBytes: MAX_FRAME_BYTES });

/**
 * A sentence ends at `;`, `*` or the end of the line; its end belongs to it. A datagram is one sentence. Of a long run
 * of digits the last ones are kept as a possible id, and not read again.
 */
export const frame = datagramsOr((bytes, context) => {
  if (context.scan?.by === STARTS) return behindDigits(bytes, context);
  const result = sentences(bytes, context);
  const next = result.type === 'skip' ? result.bytes : 0;
  const mayBeId = result.type !== 'frame' && bytes.length - next === ID_DIGITS && isDigit(bytes[next]);
  return mayBeId ? { ...result, scan: { by: STARTS, to: ID_DIGITS } } : result;
});

/** The first fifteen bytes are digits. */
function behindDigits(bytes: Uint8Array, context: FrameContext<Gps103State>): FrameResult {
  let end = ID_DIGITS;
  while (isDigit(bytes[end])) end += 1;
  const scan: Scan = { by: STARTS, to: ID_DIGITS };
  const skipped = end - ID_DIGITS;
  if (end === bytes.length) return skipped === 0 ? { type: 'wait', scan } : { type: 'skip', bytes: skipped, scan };
  if (!isBehindId(bytes[end]!)) return { type: 'skip', bytes: end };
  return skipped === 0 ? sentences(bytes, { ...context, scan: undefined }) : { type: 'skip', bytes: skipped };
}

export const identify = identifyText({
  start: begins,
  opening: [/^(?:##,imei:\d{15},|imei:\d{15},|\d{15}(?:;|imei:\d{15},))/, 36],
});
