import { messagesOf, positionsIn } from './decoded.ts';
import { brief, difference, type FrameCase, frameCasesOf, type Rule, type Subject, ViolationList } from './subject.ts';

/** Items of each protocol that are shortened, and lengths of each. */
const [ITEMS, LENGTHS] = [60, 12];
const MAX_ITEM_BYTES = 200;
/** Keys that list or quote other parts of the frame. */
const COMPOSED = new Set(['alarm', 'result', 'raw', 'event']);

/** Text has separators in place of lengths. */
const isBinary = (frame: Uint8Array): boolean => {
  const printable = frame.reduce((count, byte) => count + (byte >= 0x20 && byte < 0x7f ? 1 : 0), 0);
  return printable < 0.7 * frame.length;
};

type Values = ReadonlyMap<string, unknown>;

/** What a frame says, by message and key. */
function valuesOf(subject: Subject, one: FrameCase, frame: Uint8Array): Values | undefined {
  const messages = messagesOf(subject, one, frame);
  if (messages === undefined || messages.length === 0) return undefined;
  const values = new Map<string, unknown>([['messages', messages.length]]);
  for (const [index, { attributes, network, ...fix }] of positionsIn(messages).entries()) {
    for (const [key, value] of Object.entries({ ...fix, ...attributes }))
      if (!COMPOSED.has(key)) values.set(`${index} ${key}`, value);
    for (const [kind, list] of Object.entries(network ?? {})) values.set(`${index} ${kind}`, list);
  }
  return values;
}

const isSame = (one: unknown, other: unknown): boolean => difference(one, other) === undefined;

interface Place {
  readonly frame: Uint8Array;
  /** of the low byte of its length */
  readonly at: number;
  /** of its first byte, behind a length of one byte, or of two whose high one is 0 */
  readonly start: number;
  readonly size: number;
}

/** An item: a length, and so many bytes behind it, without which only its own values are missing. */
interface Item extends Place {
  readonly one: FrameCase;
  /** keys of its values */
  readonly own: ReadonlySet<string>;
}

/** The frame with the item's first `size` bytes and that length. */
function shortened({ frame, at, start, size: whole }: Place, size: number): Uint8Array {
  const copy = new Uint8Array(frame.length - whole + size);
  copy.set(frame.subarray(0, start + size));
  copy[at] = size;
  copy.set(frame.subarray(start + whole), start + size);
  return copy;
}

/** The keys that only the item gives, whatever its length; undefined if other values change with it. */
function ownKeys(subject: Subject, one: FrameCase, place: Place, before: Values): Set<string> | undefined {
  const own = new Set(before.keys());
  for (let length = 0; length < place.size; length++) {
    const values = valuesOf(subject, one, shortened(place, length));
    if (values === undefined) return undefined;
    if (length === 0) for (const key of values.keys()) own.delete(key);
    if (own.size === 0) return undefined;
    for (const [key, value] of before) if (!own.has(key) && !isSame(values.get(key), value)) return undefined;
  }
  return own;
}

/** Whether other values come of the bytes behind the item: they show that it ends where its length says. */
function isFollowed(subject: Subject, { one, frame, start, size, own }: Item, before: Values): boolean {
  for (let behind = start + size; behind < frame.length; behind++) {
    const values = valuesOf(subject, one, frame.with(behind, frame[behind]! ^ 0x11));
    if (values === undefined) continue;
    for (const [key, value] of before)
      if (!own.has(key) && values.has(key) && !isSame(values.get(key), value)) return true;
  }
  return false;
}

/** Places where an item may begin whose length stands at `at`; the next item follows it. */
function placesAt(frame: Uint8Array, at: number): Place[] {
  const size = frame[at]!;
  if (size === 0 || size > MAX_ITEM_BYTES) return [];
  const starts = frame[at + 1] === 0 ? [at + 2, at + 1] : [at + 1];
  return starts.filter((start) => start + size + 2 <= frame.length).map((start) => ({ frame, at, start, size }));
}

function itemAt(subject: Subject, one: FrameCase, frame: Uint8Array, at: number, before: Values): Item | undefined {
  for (const place of placesAt(frame, at)) {
    const own = ownKeys(subject, one, place, before);
    if (own !== undefined && isFollowed(subject, { ...place, one, own }, before)) return { ...place, one, own };
  }
  return undefined;
}

export function* itemsOf(subject: Subject): Generator<Item> {
  const seen = new Set<string>();
  for (const one of frameCasesOf(subject)) {
    const frame = one.content ?? one.wire;
    const before = one.golden.messages === undefined || !isBinary(frame) ? undefined : valuesOf(subject, one, frame);
    if (before === undefined) continue;
    for (let at = 2; at < frame.length - 1 && seen.size < ITEMS; at++) {
      const kind = `${frame[at - 1]} ${frame[at]}`;
      const item = seen.has(kind) ? undefined : itemAt(subject, one, frame, at, before);
      if (item === undefined) continue;
      seen.add(kind);
      yield item;
    }
  }
}

/** A value of the shortened item that depends on the byte behind it. */
function leak(subject: Subject, item: Item, size: number): string | undefined {
  const bytes = shortened(item, size);
  const values = valuesOf(subject, item.one, bytes);
  if (values === undefined) return undefined;
  const behind = item.start + size;
  const others = [0x5a, 0xa5].map((mask) => valuesOf(subject, item.one, bytes.with(behind, bytes[behind]! ^ mask)));
  for (const key of item.own) {
    const value = values.get(key);
    if (value === undefined || others.some((other) => other === undefined || isSame(other.get(key), value))) continue;
    return `${key} ${brief(value)}`;
  }
  return undefined;
}

/** Every item is read within its length: what is shorter than its fields loses them, and takes nothing of the next one. */
export const items: Rule = {
  name: 'no item is read beyond its length',
  check(subject) {
    const found = new ViolationList();
    for (const item of itemsOf(subject)) {
      const step = Math.max(1, Math.floor(item.size / LENGTHS));
      for (let size = item.size - 1; size > 0; size -= step) {
        const value = leak(subject, item, size);
        if (value === undefined) continue;
        found.add(item.one.place, `the item at byte ${item.at}, shortened to ${size} bytes, gives ${value}`);
        break;
      }
      if (found.enough) break;
    }
    return found.violations;
  },
};
