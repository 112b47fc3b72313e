import { CodecError } from '../errors.ts';
import { numberedKey } from '../keys.ts';
import type { Attributes, Cell } from '../messages.ts';
import type { Reader } from '../reader.ts';

/** What a layout fills in: the kit's `Draft`, or a protocol's own. */
export interface LayoutTarget {
  readonly attributes: Attributes;
  deviceTime: number | undefined;
  fixTime: number | undefined;
  hasFix?: boolean;
  valid: boolean;
  latitude: number;
  longitude: number;
  altitude: number | undefined;
  speed: number | undefined;
  course: number | undefined;
  accuracy: number | undefined;
  addAlarm(name: string | undefined): void;
  addCell(cell: Cell): void;
  addAccessPoint(mac: string, rssi?: number): void;
}

/** State of a layout while it reads a message; fields of nested parts change it and restore it. */
export interface Scope<S extends LayoutTarget = LayoutTarget> {
  readonly reader: Reader;
  readonly into: S;
  /** first byte of the part (message, tag, block) that is being read, and the one behind its last */
  start: number;
  end: number;
  /** end of what holds the part, which `extendBeyondLength` goes on to */
  outerEnd: number;
  /** of the tag or group that is being read: it stands for `#` in keys */
  number: number;
  /** what `presenceMask` has read: which of the fields that follow are there */
  mask: number;
  mcc: number;
  mnc: number;
  /** time zone of the device's clock */
  readonly zone: string;
}

/** One step of a layout: reads at the reader's place and moves past it. Throws CodecError `truncated`. */
export type Field<S extends LayoutTarget = LayoutTarget> = (scope: Scope<S>) => void;
/** Fields in the order of their bytes. */
export type FieldList<S extends LayoutTarget = LayoutTarget> = Field<S> | readonly FieldList<S>[];

/** One field that reads all of them in their order. */
export function inOrder<S extends LayoutTarget>(fields: FieldList<S>): Field<S> {
  if (typeof fields === 'function') return fields;
  const all = fields.map((field) => inOrder(field));
  const [first, second, third] = all;
  if (first === undefined) return () => {};
  if (second === undefined) return first;
  if (all.length === 2)
    return (scope) => {
      first(scope);
      second(scope);
    };
  if (third !== undefined && all.length === 3)
    return (scope) => {
      first(scope);
      second(scope);
      third(scope);
    };
  return (scope) => {
    for (let at = 0; at < all.length; at++) all[at]!(scope);
  };
}

/** Reads a message, or what is left of one, into `into`. `zone` is that of the device's clock. */
export type Layout<S extends LayoutTarget = LayoutTarget> = (reader: Reader, into: S, zone?: string) => void;

/**
 * The fields of a message as one function. Where the bytes end early it throws CodecError `truncated`; the fields
 * before are kept. `optionalTail` and `tags` do not throw for what is missing within them.
 */
export function layout<S extends LayoutTarget = LayoutTarget>(fields: FieldList<S>): Layout<S> {
  const read = inOrder(fields);
  return (reader, into, zone = 'UTC') =>
    read({
      reader,
      into,
      start: reader.offset,
      end: reader.end,
      outerEnd: reader.end,
      number: 0,
      mask: 0,
      mcc: 0,
      mnc: 0,
      zone,
    });
}

/** Runs a field; false if it throws CodecError. What it has read until then is kept. */
export function readAsFarAsItGoes<S extends LayoutTarget>(field: Field<S>, scope: Scope<S>): boolean {
  try {
    field(scope);
    return true;
  } catch (error) {
    if (!(error instanceof CodecError)) throw error;
    return false;
  }
}

/** Fields that may be missing: those that are present are kept. */
export function optionalTail<S extends LayoutTarget>(fields: FieldList<S>): Field<S> {
  const read = inOrder(fields);
  return (scope) => {
    readAsFarAsItGoes(read, scope);
  };
}

/** Moves to so many bytes before the end of the part. */
export function seekFromEnd(bytes: number): Field {
  return ({ reader, start, end }) => {
    reader.offset = Math.max(start, end - bytes);
  };
}

/** Bytes of the part that have not been read. */
export const bytesLeft = ({ reader, end }: Scope): number => end - reader.offset;

type Name = (number: number) => string;

/** A key in which `#` stands for the number of the tag or group. */
export const nameOf = (key: string): string | Name => (key.includes('#') ? numberedKey(key) : key);

export const nameIn = (name: string | Name, { number }: Scope): string =>
  typeof name === 'string' ? name : name(number);
