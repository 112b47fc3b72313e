import type { FrameSpan } from '../server/index.ts';

/** Longer frames are not analysed. */
const MAX_BYTES = 1_024;
/** between two pauses for other requests */
const SLICE_BYTES = 32;
/** A byte that changes more values is part of the structure: a count, a length, a mask. */
const MAX_VALUES = 6;

type Decode = (bytes: Uint8Array) => readonly Record<string, unknown>[] | undefined;
type Values = ReadonlyMap<string, string>;

/** JSON pointers and values of what was decoded. */
function valuesOf(messages: readonly Record<string, unknown>[]): Values {
  const values = new Map<string, string>();
  const visit = (value: unknown, pointer: string): void => {
    if (value !== null && typeof value === 'object') {
      for (const [key, member] of Object.entries(value))
        visit(member, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
    } else values.set(pointer, JSON.stringify(value) ?? '');
  };
  visit(messages, '');
  return values;
}

/** Other bytes in place of one: a digit stays a digit, a letter a letter, so that texts can still be read. */
function othersOf(byte: number): readonly number[] {
  if (byte >= 0x30 && byte <= 0x39) return [0x30 + ((byte - 0x30 + 1) % 10), 0x30 + ((byte - 0x30 + 4) % 10)];
  const letter = byte | 0x20;
  if (letter >= 0x61 && letter <= 0x7a) return [(byte & 0x20) | 0x40 | (((letter - 0x61 + 1) % 26) + 1)];
  return [byte ^ 0x01, byte ^ 0x40];
}

/**
 * Which values of a frame each byte determines: those that change when the byte is changed. It is measured with the
 * decoder and needs no description of the frame. Undefined for frames that are too long.
 *
 * @param decode messages of a frame, whatever its checksum; undefined: it is refused
 */
export async function spansOf(bytes: Uint8Array, decode: Decode): Promise<FrameSpan[] | undefined> {
  const decoded = bytes.length > MAX_BYTES ? undefined : decode(bytes);
  if (decoded === undefined || decoded.length === 0) return undefined;
  const values = valuesOf(decoded);
  const changed = Uint8Array.from(bytes);
  const spans: { from: number; to: number; kind: FrameSpan['kind']; values: string[] }[] = [];
  for (let at = 0; at < bytes.length; at++) {
    const found = new Set<string>();
    let isStructure = false;
    for (const other of othersOf(bytes[at]!)) {
      changed[at] = other;
      const messages = decode(changed);
      const pointers = messages?.length === decoded.length ? differences(values, valuesOf(messages)) : undefined;
      // another byte in its place may be a value that is refused, such as a latitude of 120°
      if (pointers === undefined || pointers.length > MAX_VALUES) isStructure = true;
      // values that only the other frame has are ignored
      else for (const pointer of pointers) if (values.has(pointer)) found.add(pointer);
      if (pointers?.length !== 0) isStructure = true;
    }
    changed[at] = bytes[at]!;
    const kind = found.size > 0 ? 'value' : isStructure ? 'structure' : 'other';
    const pointers = [...found].sort();
    const last = spans.at(-1);
    if (last !== undefined && last.kind === kind && last.values.join() === pointers.join()) last.to = at + 1;
    else spans.push({ from: at, to: at + 1, kind, values: pointers });
    if (at % SLICE_BYTES === SLICE_BYTES - 1) await new Promise((resolve) => setImmediate(resolve));
  }
  return spans;
}

const differences = (before: Values, after: Values): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter((pointer) => before.get(pointer) !== after.get(pointer));
