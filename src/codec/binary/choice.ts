import { CodecError } from '../errors.ts';
import { type NumberType, readerOf } from './number-types.ts';
import { bytesLeft, type Field, type FieldList, inOrder, type LayoutTarget, type Scope } from './scope.ts';

/** Says what a part is before it is read: nothing has moved when it has been asked. */
export type Condition = (scope: Scope) => boolean;

/** The part has just as many bytes left. */
export const hasBytes =
  (...counts: readonly number[]): Condition =>
  (scope) =>
    counts.includes(bytesLeft(scope));

/** The part has at least as many bytes left. */
export const hasAtLeast =
  (bytes: number): Condition =>
  (scope) =>
    bytesLeft(scope) >= bytes;

/** Groups of so many bytes, at least one, and `before` bytes before them. */
export const hasWholeGroups =
  (bytes: number, before = 0): Condition =>
  (scope) => {
    const count = (bytesLeft(scope) - before) / bytes;
    return count >= 1 && Number.isInteger(count);
  };

/** The next bytes are this text. */
export function startsWithText(text: string): Condition {
  return ({ reader, end }) => {
    const { bytes, offset } = reader;
    if (offset + text.length > Math.min(end, reader.end)) return false;
    for (let at = 0; at < text.length; at++) if (bytes[offset + at] !== text.charCodeAt(at)) return false;
    return true;
  };
}

/** All that is left is ASCII text of one line or more. */
export const isAscii: Condition = ({ reader, end }) => {
  if (end > reader.end) return false;
  for (let at = reader.offset; at < end; at++) {
    const byte = reader.bytes[at]!;
    if ((byte < 0x20 && byte !== 0x0a && byte !== 0x0d) || byte > 0x7f) return false;
  }
  return true;
};

/** The next number, of which the mask's bits count, lies between these two. */
export function nextNumber(kind: NumberType, min: number, max = min, presenceMask?: number): Condition {
  const read = readerOf(kind);
  return ({ reader }) => {
    const at = reader.offset;
    const raw = read(reader);
    reader.offset = at;
    const value = presenceMask === undefined ? raw : (raw & presenceMask) >>> 0;
    return value >= min && value <= max;
  };
}

/** Both conditions hold. */
export const all =
  (first: Condition, second: Condition): Condition =>
  (scope) =>
    first(scope) && second(scope);

/** The fields of the first test that holds; `otherwise` if none does. */
export function choose<S extends LayoutTarget>(
  rows: readonly (readonly [test: Condition, fields: FieldList<S>])[],
  otherwise: FieldList<S> = [],
): Field<S> {
  const cases = rows.map(([test, fields]) => ({ test, read: inOrder(fields) }));
  const rest = inOrder(otherwise);
  return (scope) => {
    for (const { test, read } of cases) {
      if (!test(scope)) continue;
      read(scope);
      return;
    }
    rest(scope);
  };
}

/** Bytes that are not known, though what is before them is: CodecError with this text. */
export function throwUnknown(what: string): Field {
  return ({ reader }) => {
    throw new CodecError('unknown-type', what, reader.offset);
  };
}

/** Fields that are read if the test holds. */
export const when = <S extends LayoutTarget>(test: Condition, ...fields: readonly FieldList<S>[]): Field<S> =>
  choose([[test, fields]]);

/** A number, then what belongs to it. */
export function switchOn<S extends LayoutTarget>(
  kind: NumberType,
  table: Readonly<Record<number, FieldList<S> | undefined>>,
  otherwise: FieldList<S> = [],
): Field<S> {
  const read = readerOf(kind);
  const fieldOf = fieldsByNumber(table);
  const rest = inOrder(otherwise);
  return (scope) => {
    const number = read(scope.reader);
    (fieldOf(number) ?? rest)(scope);
  };
}

const MAX_TABLE_SIZE = 1024;

/** Fields by number: an array where the numbers are small, so that the hot path does no hashing. */
export function fieldsByNumber<S extends LayoutTarget>(
  table: Readonly<Record<number, FieldList<S> | undefined>>,
): (number: number) => Field<S> | undefined {
  const rows: [number, Field<S>][] = [];
  for (const [number, fields] of Object.entries(table))
    if (fields !== undefined) rows.push([Number(number), inOrder(fields)]);
  const switchOn = new Map(rows);
  const max = Math.max(0, ...switchOn.keys());
  if (max >= MAX_TABLE_SIZE) return (number) => switchOn.get(number);
  const dense = Array.from({ length: max + 1 }, (_, number) => switchOn.get(number));
  return (number) => dense[number];
}

/** A number whose bits say which of the fields that follow are present (`ifInMask`). */
export function presenceMask(kind: NumberType): Field {
  const read = readerOf(kind);
  return (scope) => {
    scope.mask = read(scope.reader);
  };
}

/** Fields that are present if any of these bits, such as 0x08, is set in the presence mask. */
export function ifInMask<S extends LayoutTarget>(bits: number, ...fields: readonly FieldList<S>[]): Field<S> {
  const read = inOrder(fields);
  return (scope) => {
    if ((scope.mask & bits) !== 0) read(scope);
  };
}
