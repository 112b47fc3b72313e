import { CodecError, Writer } from '#codec';
import type { Header, Terminal } from './header.ts';
import { message } from './wire.ts';

/** A message of which parts are missing. */
export interface Pending {
  readonly id: string;
  readonly type: number;
  /** serial of part 1 */
  readonly first: number;
  readonly parts: readonly (Uint8Array | undefined)[];
  readonly missing: number;
  readonly bytes: number;
}

export const DEFAULT_PART_BYTES = 262_144;
/** Each part takes room of its own, also while it is missing. */
const MOST_PARTS = 1_024;
const MOST_PENDING = 4;

export interface Collected {
  readonly pending: readonly Pending[];
  /** body of a message that is whole */
  readonly body?: Uint8Array;
  /** numbers that are missing although the last part has come */
  readonly missing?: readonly number[];
  readonly first: number;
}

/**
 * Takes a part in. Parts are told by device, message id and the serial of part 1 and come in any order; a repeated
 * one changes nothing. The oldest messages give way where there are too many or too large ones. Throws CodecError
 * `frame-too-large` for a message that is larger than `most` bytes by itself.
 */
export function collect(
  pending: readonly Pending[],
  frame: Uint8Array,
  header: Header,
  id: string,
  most: number,
): Collected {
  const { total, index } = header.part!;
  const first = (header.serial - index + 1) & 0xffff;
  if (total > MOST_PARTS) throw new CodecError('frame-too-large', `a message of ${total} parts`, header.bodyAt - 4);
  const isSame = (p: Pending) => p.id === id && p.type === header.type && p.first === first && p.parts.length === total;
  const known = pending.find(isSame);
  if (known?.parts[index - 1] !== undefined) return { pending, first };
  const bytes = frame.slice(header.bodyAt, header.bodyEnd);
  const parts: (Uint8Array | undefined)[] = known?.parts.slice() ?? new Array(total).fill(undefined);
  parts[index - 1] = bytes;
  const grown: Pending = {
    id,
    type: header.type,
    first,
    parts,
    missing: (known?.missing ?? total) - 1,
    bytes: (known?.bytes ?? 0) + bytes.length,
  };
  if (grown.bytes > most)
    throw new CodecError('frame-too-large', `a message of more than ${most} bytes`, header.bodyAt);
  const others = pending.filter((p) => p !== known);
  if (grown.missing === 0) return { pending: others, body: join(grown), first };
  const missing = index === total ? { missing: parts.flatMap((part, n) => (part === undefined ? [n + 1] : [])) } : {};
  return { pending: bounded([...others, grown], most), first, ...missing };
}

function join({ parts, bytes }: Pending): Uint8Array {
  const writer = new Writer(bytes);
  for (const part of parts) writer.raw(part!);
  return writer.finish();
}

function bounded(pending: readonly Pending[], most: number): readonly Pending[] {
  let bytes = pending.reduce((sum, p) => sum + p.bytes, 0);
  let from = 0;
  while (pending.length - from > MOST_PENDING || bytes > most) bytes -= pending[from++]!.bytes;
  return from === 0 ? pending : pending.slice(from);
}

/** 8003: asks for parts again. A 2019 terminal counts them in two bytes. */
export function askAgain(terminal: Terminal, first: number, missing: readonly number[]): Uint8Array {
  const versioned = terminal.version !== undefined;
  const asked = missing.slice(0, 255);
  const writer = new Writer(4 + 2 * asked.length).u16(first);
  if (versioned) writer.u16(asked.length);
  else writer.u8(asked.length);
  for (const number of asked) writer.u16(number);
  return message(terminal, 0x8003, 0, writer.finish());
}
