import { CodecError } from './errors.ts';
import { Writer } from './writer.ts';

/** A part of a message that comes in several frames. */
export interface Part {
  /** what all parts of the message share, such as device and type */
  readonly of: string;
  /** serial of part 1: distinguishes it from other messages like it */
  readonly first: number;
  readonly total: number;
  /** from 1 */
  readonly index: number;
  readonly bytes: Uint8Array;
}

/** A message of which parts are missing. */
export interface Pending extends Pick<Part, 'of' | 'first'> {
  readonly parts: readonly (Uint8Array | undefined)[];
  readonly missing: number;
  readonly bytes: number;
}

export interface PartLimits {
  /** of one message, and of all that are pending */
  readonly bytes: number;
  /** of one message: each takes room of its own, also while it is missing */
  readonly parts: number;
  /** that are pending */
  readonly messages: number;
}

interface Collected {
  /** oldest first */
  readonly pending: readonly Pending[];
  /** the message, if all parts have arrived */
  readonly whole?: Uint8Array;
  /** numbers of the parts that are missing although the last one has come */
  readonly missing?: readonly number[];
}

/**
 * Takes a part in. Parts come in any order; one that comes again changes nothing. The oldest messages give way where
 * there are too many, or too large ones. Throws CodecError `frame-too-large` for one that is too large by itself.
 */
export function collect(pending: readonly Pending[], part: Part, limits: PartLimits): Collected {
  const { of, first, total, index, bytes } = part;
  if (total > limits.parts) throw new CodecError('frame-too-large', `a message of ${total} parts`);
  const known = pending.find((p) => p.of === of && p.first === first && p.parts.length === total);
  if (known?.parts[index - 1] !== undefined) return { pending };
  const parts: (Uint8Array | undefined)[] = known?.parts.slice() ?? new Array(total).fill(undefined);
  // A copy: the frame belongs to the stream.
  parts[index - 1] = bytes.slice();
  const missing = (known?.missing ?? total) - 1;
  const grown: Pending = { of, first, parts, missing, bytes: (known?.bytes ?? 0) + bytes.length };
  if (grown.bytes > limits.bytes) {
    throw new CodecError('frame-too-large', `a message of more than ${limits.bytes} bytes`);
  }
  const others = pending.filter((p) => p !== known);
  if (missing === 0) return { pending: others, whole: join(grown) };
  const bound = bounded([...others, grown], limits);
  if (index < total) return { pending: bound };
  return { pending: bound, missing: parts.flatMap((held, n) => (held === undefined ? [n + 1] : [])) };
}

function join({ parts, bytes }: Pending): Uint8Array {
  const writer = new Writer(bytes);
  for (const part of parts) writer.raw(part!);
  return writer.finish();
}

function bounded(pending: readonly Pending[], limits: PartLimits): readonly Pending[] {
  let bytes = pending.reduce((sum, p) => sum + p.bytes, 0);
  let from = 0;
  while (pending.length - from > limits.messages || bytes > limits.bytes) bytes -= pending[from++]!.bytes;
  return from === 0 ? pending : pending.slice(from);
}
