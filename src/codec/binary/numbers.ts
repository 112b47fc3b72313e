import type { AttributeValue } from '../messages.ts';
import { dividesDecimals, type Form, meaningOf } from './form.ts';
import { isFloat, type NumberType, type ReadNumber, readerOf } from './number-types.ts';
import { type Field, nameIn, nameOf, type Scope } from './scope.ts';

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

/** Sets an attribute to whether any bit of the mask is set, such as 0x08; with `not` to whether none is. */
export function flagByMask(mask: number, key: string, not?: 'not'): NumberUse {
  const name = nameOf(key);
  const wanted = not === undefined;
  return (raw, scope) => {
    scope.into.attributes[nameIn(name, scope)] = ((raw & mask) !== 0) === wanted;
  };
}

/** Alarms in this order, each if any bit of its mask is set; with `not` if none is. */
export function alarmsByMask(rows: readonly (readonly [mask: number, name: string])[], not?: 'not'): NumberUse {
  const invert = not === undefined ? 0 : -1;
  return (raw, { into }) => {
    const number = raw ^ invert;
    if (number === 0) return;
    for (const [mask, name] of rows) if ((number & mask) !== 0) into.addAlarm(name);
  };
}

/** The alarm of a number; a number without an alarm is kept under `key`, if given. */
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

/** The fix is valid if any of the bits is set; with `not` if none is. */
export function validIf(mask: number, not?: 'not'): NumberUse {
  const wanted = not === undefined;
  return (raw, { into }) => {
    into.valid = ((raw & mask) !== 0) === wanted;
  };
}

/** Sets whether the fix is valid. */
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

/** Undefined if the form says more than a divisor of decimal numbers. */
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

/** Numbers under a key: u is without sign, i with one, m with sign and size; LE is little endian. */
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
export const u32LE = numberField('u32LE');
export const i32LE = numberField('i32LE');

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

/** The rest of the part as an unsigned number of 1, 2 or 4 bytes; with `hex` as text of hex digits if it has another size. */
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
