import type { FrameContext, FrameResult, Transport } from '#codec';

export const MAX_FRAME_BYTES = 2_048;

const PLUS = 0x2b;
const DOLLAR = 0x24;
const NUL = 0;
const HEADS: readonly Uint8Array[] = ['+RESP:GT', '+BUFF:GT', '+ACK:GT'].map((text) =>
  Uint8Array.from(text, (character) => character.charCodeAt(0)),
);

type Match = 'no' | 'more' | 'yes';

/**
 * A message runs from `+RESP:GT`, `+BUFF:GT` or `+ACK:GT` to its `$`, or to a NUL where a device closes with that.
 * Binary messages on the same connection begin otherwise, and are passed over here. A datagram is one message.
 */
export function frame(bytes: Uint8Array, context: FrameContext<unknown>): FrameResult {
  if (context.transport === 'udp') return { type: 'frame', start: 0, end: bytes.length };
  const at = findHead(bytes, 0);
  if (at < 0) return { type: 'skip', bytes: bytes.length };
  if (at > 0) return { type: 'skip', bytes: at };
  if (looksLikeHead(bytes, 0) === 'more') return { type: 'wait' };
  const end = findEnd(bytes);
  if (end < 0) return withoutEnd(bytes);
  const inner = findInner(bytes, end);
  return inner > 0 ? { type: 'skip', bytes: inner } : { type: 'frame', start: 0, end: end + 1 };
}

/** The first `$` or NUL of what a message may have; -1 where there is none. */
function findEnd(bytes: Uint8Array): number {
  const most = bytes.length > MAX_FRAME_BYTES ? bytes.subarray(0, MAX_FRAME_BYTES) : bytes;
  const dollar = most.indexOf(DOLLAR);
  const nul = (dollar < 0 ? most : most.subarray(0, dollar)).indexOf(NUL);
  return nul < 0 ? dollar : nul;
}

function withoutEnd(bytes: Uint8Array): FrameResult {
  if (bytes.length < MAX_FRAME_BYTES) return { type: 'wait' };
  const next = bytes.indexOf(PLUS, 1);
  return { type: 'skip', bytes: next < 0 || next > MAX_FRAME_BYTES ? MAX_FRAME_BYTES : next };
}

/** A message that was cut off is followed by a whole one: the last head before the end, or -1. */
function findInner(bytes: Uint8Array, end: number): number {
  let at = bytes.lastIndexOf(PLUS, end);
  while (at > 0 && looksLikeHead(bytes, at) !== 'yes') at = bytes.lastIndexOf(PLUS, at - 1);
  return at;
}

/** First place that is not known to be no head; -1 where there is none. */
function findHead(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(PLUS, from); at >= 0; at = bytes.indexOf(PLUS, at + 1)) {
    if (looksLikeHead(bytes, at) !== 'no') return at;
  }
  return -1;
}

function looksLikeHead(bytes: Uint8Array, at: number): Match {
  let verdict: Match = 'no';
  for (const head of HEADS) {
    const match = matches(bytes, at, head);
    if (match === 'yes') return 'yes';
    if (match === 'more') verdict = 'more';
  }
  return verdict;
}

function matches(bytes: Uint8Array, at: number, head: Uint8Array): Match {
  for (let i = 0; i < head.length; i++) {
    const byte = bytes[at + i];
    if (byte === undefined) return 'more';
    if (byte !== head[i]) return 'no';
  }
  return 'yes';
}

const OPENING = /^\+(?:RESP|BUFF|ACK):GT[A-Z]{3},(?:[0-9A-F]{6}|[0-9A-F]{10})?,(?:\d{15}|[0-9A-F]{14})[,$]/;
/** the longest that OPENING reads */
const OPENING_BYTES = 39;

/** Version and id tell these devices from others that use the same words. */
export function identify(bytes: Uint8Array, _transport: Transport): Match {
  const verdict = bytes.length === 0 ? 'more' : looksLikeHead(bytes, 0);
  if (verdict !== 'yes') return verdict;
  const text = String.fromCharCode(...bytes.subarray(0, OPENING_BYTES));
  if (OPENING.test(text)) return 'yes';
  return bytes.length < OPENING_BYTES && !text.includes('$') ? 'more' : 'no';
}
