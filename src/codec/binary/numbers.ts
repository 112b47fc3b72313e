import { ninePlaces } from '../degrees.ts';
import type { AttributeValue } from '../messages.ts';
import { exactReaderOf, isFloat, type NumberType, type ReadNumber, readerOf } from './number-types.ts';
import { type Field, nameIn, nameOf, type Scope } from './scope.ts';

/** What a raw number means, in this order of steps. */
export interface Form {
  /** bits that count; with `shift` moved down by so many */
  readonly mask?: number;
  readonly shift?: number;
  /** raw numbers that mean "no value" */
  readonly noValue?: number | readonly number[];
  /** raw numbers beyond which there is no value */
  readonly min?: number;
  readonly max?: number;
  /** values by raw number; others are not set */
  readonly lookup?: Readonly<Record<number, AttributeValue>>;
  /** true if it is this number */
  readonly equals?: number;
  /** true if it is above zero */
  readonly isPositive?: true;
  /** (raw - subtract) · factor / divisor + add */
  readonly subtract?: number;
  readonly factor?: number;
  readonly divisor?: number;
  readonly add?: number;
  /** rounded towards zero */
  readonly truncate?: true;
  /** as text of decimal digits */
  readonly text?: true;
}

type Meaning = (raw: number) => AttributeValue | undefined;

/** Whether a whole number has a decimal form once it is divided. */
function dividesDecimals(divisor: number): boolean {
  let left = divisor;
  while (left > 1 && left % 2 === 0) left /= 2;
  while (left > 1 && left % 5 === 0) left /= 5;
  return left === 1;
}

/** How a raw number is scaled, without digits of the arithmetic where it has no decimal form. */
function scaled(form: Form): (raw: number) => number {
  const scale = unrounded(form);
  const { divisor = 1 } = form;
  return form.truncate || !Number.isInteger(divisor) || dividesDecimals(divisor)
    ? scale
    : (raw) => ninePlaces(scale(raw));
}

const unrounded = ({ subtract = 0, factor = 1, divisor = 1, add = 0, truncate }: Form): ((raw: number) => number) => {
  if (subtract !== 0) {
    const scale = unrounded({ factor, divisor, add, ...(truncate ? { truncate } : {}) });
    return (raw) => scale(raw - subtract);
  }
  if (truncate) return (raw) => Math.trunc((raw * factor) / divisor + add);
  if (factor === 1 && add === 0) return (raw) => raw / divisor;
  if (divisor === 1 && add === 0) return (raw) => raw * factor + 0;
  return (raw) => (raw * factor) / divisor + add;
};

function within({ noValue, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY }: Form) {
  const absent = noValue === undefined ? [] : typeof noValue === 'number' ? [noValue] : noValue;
  return (raw: number): boolean => raw >= min && raw <= max && !absent.includes(raw);
}

/** Undefined where the raw number is the value. */
function meaningOf(form: Form): Meaning | undefined {
  const { mask, shift = 0, lookup, equals, isPositive, text } = form;
  const isPlain =
    form.subtract === undefined &&
    form.factor === undefined &&
    form.divisor === undefined &&
    form.add === undefined &&
    !form.truncate;
  const scale = scaled(form);
  let meaning: Meaning | undefined = isPlain ? undefined : scale;
  if (lookup !== undefined) meaning = (raw) => lookup[raw];
  if (equals !== undefined) meaning = (raw) => raw === equals;
  if (isPositive) meaning = (raw) => raw > 0;
  if (text) meaning = (raw) => String(scale(raw));
  if (form.noValue !== undefined || form.min !== undefined || form.max !== undefined) {
    const [inner, isValue] = [meaning, within(form)];
    meaning = (raw) => (isValue(raw) ? (inner === undefined ? raw : inner(raw)) : undefined);
  }
  if (mask === undefined) return meaning;
  const inner = meaning;
  return (raw) => {
    const bits = (raw & mask) >>> shift;
    return inner === undefined ? bits : inner(bits);
  };
}

/** What is done with a number that has been read. */
export type NumberUse = (raw: number, scope: Scope) => void;

/** Sets an attribute. `#` in the key is the number of the tag or group. */
export function attr(key: string, form: Form = {}): NumberUse {
  const meaning = meaningOf(form);
  const name = nameOf(key);
  if (meaning === undefined) {
    if (typeof name === 'string')
      return (raw, { into }) => {
        into.attributes[name] = raw;
      };
    return (raw, scope) => {
      scope.into.attributes[nameIn(name, scope)] = raw;
    };
  }
  return (raw, scope) => {
    const value = meaning(raw);
    if (value !== undefined) scope.into.attributes[nameIn(name, scope)] = value;
  };
}

/** Sets an attribute to whether any of the bits is set; with `not` to whether none is. */
export function bit(mask: number, key: string, not?: 'not'): NumberUse {
  const name = nameOf(key);
  const wanted = not === undefined;
  return (raw, scope) => {
    scope.into.attributes[nameIn(name, scope)] = ((raw & mask) !== 0) === wanted;
  };
}

/** Alarms in this order, each where any bit of its mask is set; with `not` where none is. */
export function alarmBits(rows: readonly (readonly [mask: number, name: string])[], not?: 'not'): NumberUse {
  const invert = not === undefined ? 0 : -1;
  return (raw, { into }) => {
    const number = raw ^ invert;
    if (number === 0) return;
    for (const [mask, name] of rows) if ((number & mask) !== 0) into.addAlarm(name);
  };
}

/** The alarm of a number; where it has none, it is kept under `key` if there is one. */
export function alarmOf(names: Readonly<Record<number, string | undefined>>, key?: string): NumberUse {
  return (raw, { into }) => {
    const name = names[raw];
    if (name !== undefined) into.addAlarm(name);
    else if (key !== undefined) into.attributes[key] = raw;
  };
}

/** What these bits of the number, moved down, say. */
export function bits(mask: number, shift: number, ...uses: readonly NumberUse[]): NumberUse {
  return (raw, scope) => {
    for (const use of uses) use((raw & mask) >>> shift, scope);
  };
}

/** Sets a number of the fix: degrees, m, km/h. */
export function fixField(
  property: 'latitude' | 'longitude' | 'altitude' | 'speed' | 'course' | 'accuracy',
  form: Form = {},
): NumberUse {
  const scale = scaled(form);
  return (raw, { into }) => {
    into[property] = scale(raw);
  };
}

/** The fix is valid if any of the bits is set; with `not` if none is. */
export function validIf(mask: number, not?: 'not'): NumberUse {
  const wanted = not === undefined;
  return (raw, { into }) => {
    into.valid = ((raw & mask) !== 0) === wanted;
  };
}

/** Latitude, then longitude: degrees once divided. Both must be there. What is no number is no place either. */
export function coordinates(kind: NumberType, divisor = 1): Field {
  const read = exactReaderOf(kind);
  const isDouble = kind.startsWith('f64');
  const degrees = (sent: number): number => (isDouble ? sent / divisor : ninePlaces(sent / divisor));
  return ({ reader, into }) => {
    const latitude = degrees(read(reader));
    into.longitude = degrees(read(reader));
    into.latitude = latitude;
  };
}

/** The fix is a valid one, or not. */
export function setValid(isValid: boolean): Field {
  return ({ into }) => {
    into.valid = isValid;
  };
}

/** One number, and all that it says. */
export function number(kind: NumberType, ...uses: readonly NumberUse[]): Field {
  const read = readerOf(kind);
  const guarded = isFloat(kind);
  const [only] = uses;
  if (only !== undefined && uses.length === 1 && !guarded) return (scope) => only(read(scope.reader), scope);
  return (scope) => {
    const raw = read(scope.reader);
    if (guarded && !Number.isFinite(raw)) return;
    for (const use of uses) use(raw, scope);
  };
}

/** Undefined where the form says more than a divisor of decimal numbers. */
function divisorOf(form: Form): number | undefined {
  const { divisor = 1, ...others } = form;
  return Object.keys(others).length === 0 && dividesDecimals(divisor) ? divisor : undefined;
}

/** A whole number under a constant key, as it is or divided: the most usual fields, in one function each. */
function plainNumber(kind: NumberType, key: string, divisor: number): Field {
  const read = readerOf(kind);
  if (divisor === 1)
    return ({ reader, into }) => {
      into.attributes[key] = read(reader);
    };
  return ({ reader, into }) => {
    into.attributes[key] = read(reader) / divisor;
  };
}

type NumberField = (key: string, form?: Form) => Field;
const numberField =
  (kind: NumberType): NumberField =>
  (key, form = {}) => {
    const divisor = divisorOf(form);
    return divisor === undefined || isFloat(kind) || key.includes('#')
      ? number(kind, attr(key, form))
      : plainNumber(kind, key, divisor);
  };

/** Numbers under a key: u is without sign, i with one, m with sign and size, f a float; LE is little endian. */
export const u8 = numberField('u8');
export const i8 = numberField('i8');
export const u16 = numberField('u16');
export const i16 = numberField('i16');
export const m8 = numberField('m8');
export const m16 = numberField('m16');
export const u24 = numberField('u24');
export const u32 = numberField('u32');
export const i32 = numberField('i32');
export const u16LE = numberField('u16LE');
export const i16LE = numberField('i16LE');
export const u24LE = numberField('u24LE');
export const u32LE = numberField('u32LE');
export const i32LE = numberField('i32LE');
export const f32 = numberField('f32');
export const f32LE = numberField('f32LE');

/** Moves past bytes that say nothing. */
export function skip(bytes: number): Field {
  return ({ reader }) => reader.skip(bytes);
}

/** Sets an attribute to a constant: that the part is there says it. */
export function constant(key: string, value: AttributeValue): Field {
  const name = nameOf(key);
  return (scope) => {
    scope.into.attributes[nameIn(name, scope)] = value;
  };
}

/** An alarm because the part is there. */
export function alarm(name: string): Field {
  return ({ into }) => into.addAlarm(name);
}

const BIG: Readonly<Record<number, ReadNumber>> = { 1: readerOf('u8'), 2: readerOf('u16'), 4: readerOf('u32') };
const LITTLE: typeof BIG = { 1: readerOf('u8'), 2: readerOf('u16LE'), 4: readerOf('u32LE') };

/** A number of as many bytes as the part has left: 1, 2 or 4, without sign; other sizes as hex, where that is asked for. */
export function restAsNumber(key: string, otherwise?: 'hex', order?: 'LE'): Field {
  const name = nameOf(key);
  const readers = order === 'LE' ? LITTLE : BIG;
  return (scope) => {
    const { reader, into, end } = scope;
    const bytes = Math.min(end, reader.end) - reader.offset;
    const read = readers[bytes];
    if (read !== undefined) into.attributes[nameIn(name, scope)] = read(reader);
    else if (otherwise === 'hex' && bytes > 0) into.attributes[nameIn(name, scope)] = reader.hex(bytes);
  };
}
