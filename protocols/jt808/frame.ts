import type { DeviceOptions, FrameContext, FrameResult } from '#codec';
import type { Match } from '#codec/framing';
import { ESCAPES, STANDARD, type State, VARIANT } from './header.ts';
import { HANDLERS } from './messages/index.ts';
import { MAX_OPENING_BYTES, PADLOCK_BEGINNING, PADLOCK_TEXT, TEXT, TEXTS } from './texts.ts';
import { hasChecksum } from './wire.ts';

export const MAX_FRAME_BYTES = 4096;
/** delimiter, type, properties, id, serial of a padlock, checksum, delimiter */
const MIN_FRAME_BYTES = 14;

const isLenient = (options: DeviceOptions): boolean => options['lenientChecksum'] === true;
const isKnown = (bytes: Uint8Array): boolean => HANDLERS.has((bytes[1]! << 8) | bytes[2]!);

/**
 * A frame runs from 7E (E7) to the next one, a text from `(` to `)`. Two delimiters in a row end one frame and open
 * the next. A refused frame may have begun at a stray delimiter: the search goes on at the one that closed it.
 */
export function frame(bytes: Uint8Array, context: FrameContext<State>): FrameResult {
  const { state, options, scan } = context;
  const first = bytes[0]!;
  if (first === TEXT) return TEXTS(bytes, context);
  if (first !== STANDARD && first !== VARIANT) return skipToMarker(bytes);
  if (bytes.length < 2) return { type: 'wait', atLeast: 2 };
  if (bytes[1] === first) return { type: 'skip', bytes: 1 };
  if (state.terminal !== undefined && state.terminal.delimiter !== first) return skipToMarker(bytes);
  // An E7 is only a byte of noise, unless a message that is known follows.
  if (first === VARIANT && bytes.length < 3) return { type: 'wait', atLeast: 3 };
  if (first === VARIANT && !isKnown(bytes)) return skipToMarker(bytes);
  const escapes = ESCAPES[first]!;
  const at = bytes.indexOf(first, scan?.by === escapes ? scan.to : 1);
  if (at < 0 && bytes.length < MAX_FRAME_BYTES) return { type: 'wait', scan: { by: escapes, to: bytes.length } };
  if (at < 0 || at >= MAX_FRAME_BYTES) return { type: 'skip', bytes: 1 };
  const end = at + 1;
  if (end < MIN_FRAME_BYTES) return { type: 'skip', bytes: at };
  const wire = end === bytes.length ? bytes : bytes.subarray(0, end);
  const content = escapes.plain(wire, isLenient(options));
  return content === undefined ? { type: 'skip', bytes: at } : { type: 'frame', start: 0, end, content, resumeAt: at };
}

function skipToMarker(bytes: Uint8Array): FrameResult {
  let at = 1;
  while (at < bytes.length && bytes[at] !== STANDARD && bytes[at] !== VARIANT && bytes[at] !== TEXT) at++;
  return { type: 'skip', bytes: at };
}

export const verify = (content: Uint8Array): boolean => content[0] === TEXT || hasChecksum(content);

/** A known message with a header of digits (or a packed IMEI) and a length that is possible. */
export function identify(bytes: Uint8Array): Match {
  const first = bytes[0];
  if (first === undefined) return 'more';
  if (first === TEXT) return identifyText(String.fromCharCode(...bytes.subarray(0, MAX_OPENING_BYTES)));
  if (first !== STANDARD && first !== VARIANT) return 'no';
  if (bytes.length < 3) return 'more';
  if (!isKnown(bytes)) return 'no';
  const close = bytes.indexOf(first, 1);
  if (close < 0) return bytes.length < MAX_FRAME_BYTES ? 'more' : 'no';
  const content = ESCAPES[first]!.plain(bytes.subarray(0, close + 1));
  return content !== undefined && hasChecksum(content) ? 'yes' : 'no';
}

function identifyText(head: string): Match {
  if (PADLOCK_TEXT.test(head)) return 'yes';
  return head.length < MAX_OPENING_BYTES && PADLOCK_BEGINNING.test(head) ? 'more' : 'no';
}
