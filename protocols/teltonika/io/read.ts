import type { Attributes } from '#codec';
import { asPropertyName, Draft, i32At, Reader, u16At, u32At } from '#codec';
import type { NumberUse, Scope } from '#codec/binary';
import type { Meaning } from './meanings.ts';

/** Keys of elements without a meaning, made once each. */
const ioKeys: (string | undefined)[] = [];

function ioKey(id: number): string {
  const known = ioKeys[id];
  if (known !== undefined) return known;
  const key = asPropertyName(`io${id}`);
  ioKeys[id] = key;
  return key;
}

/** Where the elements of a record go. */
export interface ElementTarget {
  attributes: Attributes;
  /** km/h; some elements say it better than the receiver */
  speed: number;
  /** An element that the protocol itself gives its meaning: the raw value, and where it stands. */
  custom(custom: string, key: string, raw: number, at: number): void;
  /** An element of 8 bytes without a meaning, at `at`, which is set as a number too. */
  wide?(id: number, at: number): void;
}

/**
 * Sets `count` elements from `at` on, each an id of `idBytes` and a value of `size` bytes (1, 2, 4 or 8; big endian),
 * which the caller knows to be there; returns where they end. What has no meaning is set as `io<id>`, without sign. So
 * is a value that is wider than its meaning has it, for then the number is that of another product's element; a
 * narrower one is taken as it is.
 */
export function readElements(
  bytes: Uint8Array,
  start: number,
  count: number,
  idBytes: number,
  size: number,
  meanings: readonly (Meaning | undefined)[],
  target: ElementTarget,
): number {
  let at = start;
  for (let n = 0; n < count; n++) {
    const id = idBytes === 1 ? bytes[at]! : u16At(bytes, at);
    at += idBytes;
    const meaning = id < meanings.length ? meanings[id] : undefined;
    if (meaning === undefined || meaning.width < size || (meaning.width === 8 && size !== 8))
      setUnnamed(bytes, at, id, size, target);
    else setNamed(bytes, at, id, size, meaning, target);
    at += size;
  }
  return at;
}

function setUnnamed(b: Uint8Array, at: number, id: number, size: number, target: ElementTarget): void {
  const { attributes } = target;
  const key = ioKey(id);
  if (size === 1) attributes[key] = b[at]!;
  else if (size === 2) attributes[key] = u16At(b, at);
  else if (size === 4) attributes[key] = u32At(b, at);
  else {
    attributes[key] = i32At(b, at) * 0x1_0000_0000 + u32At(b, at + 4);
    target.wide?.(id, at);
  }
}

function setNamed(b: Uint8Array, at: number, id: number, size: number, meaning: Meaning, target: ElementTarget): void {
  const raw = size === 1 ? b[at]! : size === 2 ? u16At(b, at) : u32At(b, at);
  if (meaning.isFlag) target.attributes[meaning.key] = raw > 0;
  else if (meaning.custom !== undefined) target.custom(meaning.custom, meaning.key, raw, at);
  else if (meaning.use !== undefined) use(meaning.use, raw, target);
  else {
    const shift = 32 - 8 * size;
    const value = meaning.isSigned ? (raw << shift) >> shift : raw;
    if (meaning.noValue?.includes(value)) setUnnamed(b, at, id, size, target);
    else target.attributes[meaning.key] = meaning.divide === 1 ? value : value / meaning.divide;
  }
}

const NOTHING = new Reader(new Uint8Array(0));

/** What a layout's use says of the attributes, and of the speed. */
function use(make: NumberUse, raw: number, target: ElementTarget): void {
  const into = new Draft(target.attributes);
  into.speed = target.speed;
  const place = { start: 0, end: 0, outerEnd: 0 };
  const scope: Scope = { reader: NOTHING, into, ...place, number: 0, mask: 0, mcc: 0, mnc: 0, zone: 'UTC' };
  make(raw, scope);
  target.speed = into.speed ?? target.speed;
}
