/** JSON text of flat attributes. */
export interface Span {
  readonly view: DataView;
  readonly start: number;
  readonly end: number;
}

/** Limits of the values that are kept besides those of the last fix. */
export interface KnownLimits {
  /** attributes of a device; those with the newest values */
  readonly attributes: number;
  /** of a value as JSON text; longer ones are not kept */
  readonly valueBytes: number;
}

/** Collects values from the newest record to the oldest, so that the first value of an attribute stays. */
export class KnownValues {
  readonly #keys = new Set<string>();
  readonly #limits: KnownLimits;
  #count = 0;
  #text = '';

  constructor(limits: KnownLimits) {
    this.#limits = limits;
  }

  /** `attributes`: JSON text of an object; other text is left to the database to refuse. */
  add(attributes: string, time: number): void {
    const values = parse(attributes);
    for (const key in values) {
      if (this.#count === this.#limits.attributes) return;
      if (this.#keys.has(key)) continue;
      const value = JSON.stringify(values[key]);
      if (Buffer.byteLength(value) > this.#limits.valueBytes) continue;
      this.#keys.add(key);
      this.#count++;
      const separator = this.#text === '' ? '' : ',';
      this.#text += `${separator}${JSON.stringify(key)}:[${value},${time}]`;
    }
  }

  /** Values of these attributes that are older are not collected. */
  exclude(attributes: string): void {
    for (const key in parse(attributes)) this.#keys.add(key);
  }

  /** JSON text `{"key":[value, epoch ms]}`; undefined if nothing was collected. */
  take(): string | undefined {
    return this.#text === '' ? undefined : `{${this.#text}}`;
  }
}

function parse(attributes: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(attributes) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];

/** Where each name begins and ends, with its quotation marks and colon: from, to, from, to … */
export function nameRanges({ view, start, end }: Span): number[] {
  const ranges: number[] = [];
  let at = start + 1;
  while (at < end - 1) {
    ranges.push(at);
    at = Math.min(endOfString(view, at, end) + 1, end);
    ranges.push(at);
    at = endOfValue(view, at, end) + 1;
  }
  return ranges;
}

/** Does a text have the names of another one, whose names are at `ranges`, in the same order? Values are not read. */
export function hasNames({ view, start, end }: Span, other: DataView, ranges: readonly number[]): boolean {
  let at = start + 1;
  for (let n = 0; n < ranges.length; n += 2) {
    const from = ranges[n]!;
    const length = ranges[n + 1]! - from;
    if (at + length > end) return false;
    let i = 0;
    for (; i + 4 <= length; i += 4) if (view.getUint32(at + i) !== other.getUint32(from + i)) return false;
    for (; i < length; i++) if (view.getUint8(at + i) !== other.getUint8(from + i)) return false;
    at = endOfValue(view, at + length, end) + 1;
  }
  return at >= end - 1;
}

/** FNV-1a, and beside it a second hash for the upper bits. */
const PRIME = 0x0100_0193;
const OTHER_PRIME = 0x85eb_ca6b;
const UPPER_BITS = 0x1f_ffff;

/** A hash of the names at `ranges`: an integer of 53 bits. */
export function hashOfNames(view: DataView, ranges: readonly number[]): number {
  let lower = 0x811c_9dc5;
  let upper = 0;
  for (let n = 0; n < ranges.length; n += 2) {
    const end = ranges[n + 1]!;
    for (let at = ranges[n]!; at < end; at++) {
      const byte = view.getUint8(at);
      lower = Math.imul(lower ^ byte, PRIME);
      upper = Math.imul(upper ^ byte, OTHER_PRIME) ^ (upper >>> 15);
    }
  }
  return (upper & UPPER_BITS) * 0x1_0000_0000 + (lower >>> 0);
}

/** After the closing quotation mark of a string that begins at `start`. */
function endOfString(view: DataView, start: number, end: number): number {
  let at = start + 1;
  while (at < end) {
    const byte = view.getUint8(at);
    if (byte === QUOTE) return at + 1;
    at += byte === BACKSLASH ? 2 : 1;
  }
  return end;
}

/** Position of the comma after a value, or `end`. */
function endOfValue(view: DataView, start: number, end: number): number {
  let at = start;
  if (at < end && view.getUint8(at) === QUOTE) at = endOfString(view, at, end);
  while (at < end && view.getUint8(at) !== COMMA) at++;
  return Math.min(at, end);
}
