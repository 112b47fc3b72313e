import type { FrameContext, FrameResult } from '../contract.ts';
import { CodecError } from '../errors.ts';
import { type Framing, framingWith } from './framing.ts';
import { type Pattern, type Starts, startsOf, toStarts } from './starts.ts';

/** A number in the header from which the size of the frame follows. */
interface LengthField {
  /** offset of its first byte */
  readonly at: number;
  /** its size in bytes */
  readonly bytes: 1 | 2 | 4;
  /** default: big endian */
  readonly order?: 'big' | 'little';
  /** bits of it that count; default: all */
  readonly mask?: number;
  /** bytes of the frame that it does not count; default: 0, it counts the whole frame */
  readonly adds?: number;
}

// biome-ignore lint/suspicious/noExplicitAny: a framing serves protocols of every state
type AnyContext = FrameContext<any>;

/**
 * The size of the frame that the header describes. More than `bytes.length` where so many bytes are needed to decide;
 * undefined if the header describes no frame.
 */
type SizeOf = (bytes: Uint8Array, context: AnyContext) => number | undefined;

/** Frames that begin with a header from which their size follows. All sizes in bytes. */
interface LengthPrefixed {
  /** first bytes of a frame; without them a header that describes no frame ends the stream (`stream-lost`) */
  readonly starts?: readonly Pattern[] | Starts;
  /** bytes that are needed before the size is read */
  readonly head: number;
  readonly length: LengthField | SizeOf;
  /** smallest frame; default: what is needed to read the size, and what a length field does not count */
  readonly minBytes?: number;
  /** largest frame */
  readonly maxBytes: number;
  /** last bytes of a frame: what ends otherwise is not one */
  readonly tail?: Pattern | ((bytes: Uint8Array, end: number) => boolean);
  /** what a start inside of a frame means: nothing (default), or that the frame was cut off and another begins there */
  readonly inner?: 'part' | 'restarts';
  /** offset at which the search continues behind a frame whose checksum is wrong; default: behind the frame */
  readonly resumeAt?: number;
}

function sizeBy({ at, bytes: size, order = 'big', mask, adds = 0 }: LengthField): SizeOf {
  const places = Array.from({ length: size }, (_, i) => at + (order === 'big' ? i : size - 1 - i));
  return (bytes) => {
    let length = 0;
    for (const place of places) length = length * 256 + bytes[place]!;
    return (mask === undefined ? length : length & mask) + adds;
  };
}

/** The largest pattern of a tail is a few bytes long. */
function tailOf(tail: LengthPrefixed['tail']): (bytes: Uint8Array, end: number) => boolean {
  if (tail === undefined) return () => true;
  if (typeof tail === 'function') return tail;
  const pattern = startsOf([tail]);
  return (bytes, end) => pattern.begins(bytes, end - pattern.bytes) === 'yes';
}

/** Frames by the length in their header. */
export function lengthPrefixed(table: LengthPrefixed): Framing {
  const { maxBytes, resumeAt } = table;
  const restarts = table.inner === 'restarts';
  const sizeOf = typeof table.length === 'function' ? table.length : sizeBy(table.length);
  const hasTail = tailOf(table.tail);
  const starts = table.starts && toStarts(table.starts);
  const head = Math.max(table.head, starts?.bytes ?? 0);
  const notCounted = typeof table.length === 'function' ? 0 : (table.length.adds ?? 0);
  const minBytes = table.minBytes ?? Math.max(head, notCounted);
  const noFrame = (bytes: Uint8Array, size: number | undefined): FrameResult => {
    if (starts !== undefined) {
      const next = starts.find(bytes, 1);
      if (next + starts.bytes > bytes.length) return { type: 'skip', bytes: next };
      return { type: 'skip', bytes: next, scan: { by: table, to: starts.bytes, begun: true } };
    }
    throw new CodecError('stream-lost', size === undefined ? 'no frame begins so' : `no frame is of ${size} bytes`, 0);
  };
  const frame: Framing = (bytes, context) => {
    const begun = context.scan?.by === table;
    if (!begun && starts !== undefined && starts.begins(bytes, 0) === 'no') return noFrame(bytes, undefined);
    if (bytes.length < head)
      return begun ? { type: 'wait', atLeast: head, scan: context.scan! } : { type: 'wait', atLeast: head };
    const end = sizeOf(bytes, context);
    if (end === undefined || end < minBytes || end > maxBytes) return noFrame(bytes, end);
    if (bytes.length < end) return { type: 'wait', atLeast: end };
    const inner = restarts ? starts!.find(end === bytes.length ? bytes : bytes.subarray(0, end), 1) : end;
    if (inner < end && starts!.begins(bytes, inner) === 'yes') return { type: 'skip', bytes: inner };
    if (!hasTail(bytes, end)) return noFrame(bytes, end);
    return resumeAt === undefined ? { type: 'frame', start: 0, end } : { type: 'frame', start: 0, end, resumeAt };
  };
  return starts === undefined ? frame : framingWith(starts, frame);
}

/** Frames of one size, with or without starts. */
export const fixed = (size: number, starts?: readonly Pattern[]): Framing =>
  lengthPrefixed({ ...(starts && { starts }), head: size, length: () => size, minBytes: size, maxBytes: size });
