import type { Cut, DeviceOptions, FrameContext } from '#codec';
import { isKnown } from './messages/index.ts';
import type { State } from './state.ts';
import { fromWire, hasChecksum, hasHeader, isLead, STANDARD, TEXT, TEXT_END, VARIANT } from './wire.ts';

export const MAX_FRAME_BYTES = 4096;
/** Texts of padlocks are short; what is longer was noise that held a bracket. */
const MAX_TEXT_BYTES = 1024;

const isLenient = (options: DeviceOptions): boolean => options['lenientChecksum'] === true;

/**
 * A frame runs from 7E (E7) to the next one, a text from `(` to `)`. Two delimiters in a row end one frame and open
 * the next. A refused frame may have begun at a stray delimiter: the search goes on at the one that closed it.
 */
export function frame(bytes: Uint8Array, { state, options }: FrameContext<State>): Cut {
  const first = bytes[0]!;
  if (first === TEXT) return cutText(bytes);
  if (first !== STANDARD && first !== VARIANT) return skipToMarker(bytes);
  if (bytes.length < 2) return { type: 'wait', atLeast: 2 };
  if (bytes[1] === first) return { type: 'skip', bytes: 1 };
  if (state.terminal !== undefined && state.terminal.delimiter !== first) return skipToMarker(bytes);
  if (first === VARIANT) {
    // Only a byte of noise, unless a message that is known follows.
    if (bytes.length < 3) return { type: 'wait', atLeast: 3 };
    if (!isKnown((bytes[1]! << 8) | bytes[2]!)) return skipToMarker(bytes);
  }
  let escaped = false;
  const most = Math.min(bytes.length, MAX_FRAME_BYTES);
  for (let at = 1; at < most; at++) {
    const byte = bytes[at]!;
    if (byte === first) return closed(bytes, at, escaped, isLenient(options));
    if (isLead(byte, first)) escaped = true;
  }
  return most === MAX_FRAME_BYTES ? { type: 'skip', bytes: 1 } : { type: 'wait' };
}

function closed(bytes: Uint8Array, at: number, escaped: boolean, lenient: boolean): Cut {
  const end = at + 1;
  if (!escaped) return { type: 'frame', start: 0, end, resumeAt: at };
  const content = fromWire(bytes.subarray(0, end), lenient);
  return content === undefined ? { type: 'skip', bytes: at } : { type: 'frame', start: 0, end, content, resumeAt: at };
}

function cutText(bytes: Uint8Array): Cut {
  const most = Math.min(bytes.length, MAX_TEXT_BYTES);
  for (let at = 1; at < most; at++) {
    const byte = bytes[at]!;
    if (byte === TEXT_END) return { type: 'frame', start: 0, end: at + 1 };
    if (byte < 0x20 || byte >= STANDARD) return { type: 'skip', bytes: at };
  }
  return most === MAX_TEXT_BYTES ? { type: 'skip', bytes: 1 } : { type: 'wait' };
}

function skipToMarker(bytes: Uint8Array): Cut {
  let at = 1;
  while (at < bytes.length && bytes[at] !== STANDARD && bytes[at] !== VARIANT && bytes[at] !== TEXT) at++;
  return { type: 'skip', bytes: at };
}

export function verify(content: Uint8Array, { options }: FrameContext<State>): boolean {
  if (content[0] === TEXT) return true;
  return isLenient(options) ? hasHeader(content) : hasChecksum(content);
}

/** Of texts, only those that a padlock opens with: `(id,1,001,…`. */
const PADLOCK_TEXT = /^\(\d{12},1,\d{3},[A-Z]/;
const LONGEST_OPENING = 21;

/** A known message with a header of digits (or a packed IMEI) and a length that is possible. */
export function identify(bytes: Uint8Array): 'yes' | 'no' | 'more' {
  const first = bytes[0];
  if (first === undefined) return 'more';
  if (first === TEXT) return identifyText(bytes);
  if (first !== STANDARD && first !== VARIANT) return 'no';
  if (bytes.length < 3) return 'more';
  if (!isKnown((bytes[1]! << 8) | bytes[2]!)) return 'no';
  const close = bytes.indexOf(first, 1);
  if (close < 0) return bytes.length < MAX_FRAME_BYTES ? 'more' : 'no';
  const content = fromWire(bytes.subarray(0, close + 1), false);
  return content !== undefined && hasChecksum(content) ? 'yes' : 'no';
}

function identifyText(bytes: Uint8Array): 'yes' | 'no' | 'more' {
  const head = String.fromCharCode(...bytes.subarray(0, LONGEST_OPENING));
  if (PADLOCK_TEXT.test(head)) return 'yes';
  return head.length < LONGEST_OPENING && /^\(\d{0,12}$|^\(\d{12},(?:1(?:,\d{0,3}|,\d{3},)?)?$/.test(head)
    ? 'more'
    : 'no';
}
