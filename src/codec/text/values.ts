import { numberedKey } from '../keys.ts';
import type { Attributes, AttributeValue } from '../messages.ts';
import { addAlarm } from '../position.ts';
import { fromHex, toLatin1 } from '../reader.ts';
import { parseDecimal } from './digits.ts';
import type { TextRecord } from './record.ts';

/**
 * What the text of one field sets. Returns false, and sets nothing, if the text is not such a value. It is not called
 * for empty fields.
 */
export interface Value {
  readonly kind: 'value';
  readonly set: (text: string, record: TextRecord) => boolean;
  /** called for an empty field, if that has a meaning */
  readonly empty?: (record: TextRecord) => void;
}

/** A value by a function of its own, which returns false for a text that is not such a value. */
export const value = (set: Value['set']): Value => ({ kind: 'value', set });

/** The key of an attribute; a `#` in it stands for the number of a repeated group. */
type Key = string;
const MAX_GROUPS = 1_000;

/** Sets an attribute; numbered keys are written once. */
export function attributeSetter(key: Key): (record: TextRecord, set: AttributeValue) => true {
  if (!key.includes('#')) {
    return (record, set) => {
      record.draft.attributes[key] = set;
      return true;
    };
  }
  const keyOf = numberedKey(key);
  return (record, set) => {
    record.draft.attributes[keyOf(Math.min(record.groupNumber, MAX_GROUPS))] = set;
    return true;
  };
}

/** What becomes of a number: `(n × factor ÷ divisor) + add`, then rounded, or truncated towards zero. */
export interface Scale {
  readonly factor?: number;
  readonly divisor?: number;
  readonly add?: number;
  readonly round?: boolean;
  readonly truncate?: boolean;
  /** raw numbers up to this one mean that there is no value */
  readonly noValueUpTo?: number;
}

const itself = (n: number): number => n;

function scaling({ factor = 1, divisor = 1, add = 0, round = false, truncate = false }: Scale): (n: number) => number {
  const whole = round ? Math.round : truncate ? Math.trunc : itself;
  if (factor === 1 && divisor === 1 && add === 0) return whole;
  return (n) => whole((n * factor) / divisor + add);
}

type Parse = (text: string) => number | undefined;
type SetNumber = (record: TextRecord, n: number) => boolean;

/** A value whose text is parsed to a number first. */
export function numeric(parse: Parse, set: SetNumber): Value {
  return value((text, record) => {
    const n = parse(text);
    return n !== undefined && set(record, n);
  });
}

function scaled(parse: Parse, key: Key, scale: Scale): Value {
  const set = attributeSetter(key);
  const of = scaling(scale);
  const { noValueUpTo = Number.NEGATIVE_INFINITY } = scale;
  return numeric(parse, (record, n) => (n > noValueUpTo ? set(record, of(n)) : true));
}

const MAX_HEX_DIGITS = 12;

/** A hexadecimal number of 1 to 12 digits; undefined if the text is not one. */
export function parseHex(text: string): number | undefined {
  if (text.length === 0 || text.length > MAX_HEX_DIGITS) return undefined;
  let n = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const letter = code | 0x20;
    if (code >= 48 && code <= 57) n = n * 16 + code - 48;
    else if (letter >= 97 && letter <= 102) n = n * 16 + letter - 87;
    else return undefined;
  }
  return n;
}

/** A decimal number, spaces around it allowed. */
export const parseDecimalField: Parse = (text) => parseDecimal(text) ?? parseDecimal(text.trim());
const integerOf: Parse = (text) => {
  const n = parseDecimalField(text);
  return n !== undefined && Number.isInteger(n) ? n : undefined;
};
const signed =
  (bits: number): Parse =>
  (text) => {
    const n = parseHex(text);
    return n === undefined ? undefined : (n << (32 - bits)) >> (32 - bits);
  };

/** Text as it is. */
export function textValue(key: Key): Value {
  const set = attributeSetter(key);
  return value((text, record) => set(record, text));
}

/** A decimal number. */
export const number = (key: Key, scale: Scale = {}): Value => scaled(parseDecimalField, key, scale);

/** A whole number. */
export const integer = (key: Key, scale: Scale = {}): Value => scaled(integerOf, key, scale);

interface HexForm extends Scale {
  /** a signed number of so many bits */
  readonly bits?: number;
  /** set as text of its decimal digits: an id */
  readonly asText?: boolean;
}

/** A hexadecimal number. */
export function hex(key: Key, { bits, asText = false, ...scale }: HexForm = {}): Value {
  if (!asText) return scaled(bits === undefined ? parseHex : signed(bits), key, scale);
  const set = attributeSetter(key);
  return numeric(parseHex, (record, n) => set(record, String(n)));
}

/** Whether a number is above 0. */
export function flag(key: Key): Value {
  const set = attributeSetter(key);
  return numeric(parseDecimalField, (record, n) => set(record, n > 0));
}

/** Whether the text is this one. */
export function textEquals(key: Key, expected: string): Value {
  const set = attributeSetter(key);
  return value((text, record) => set(record, text === expected));
}

/** The entry of a text in the table; case and leading zeros of numbers are ignored. */
function lookup<T>(table: Readonly<Record<string, T>>): (text: string) => T | undefined {
  const known = new Map(Object.entries(table));
  return (text) =>
    known.get(text) ?? (AS_IN_TABLES.test(text) ? undefined : known.get(text.toUpperCase().replace(ZEROS, '')));
}

const ZEROS = /^0+(?=\d)/;
/** upper case, without a zero before it */
const AS_IN_TABLES = /^[1-9A-Z][0-9A-Z]{0,15}$/;

/** What each text says; others say nothing. */
export function attributesByText(table: Readonly<Record<string, Attributes>>): Value {
  const find = lookup(table);
  return value((text, record) => {
    const found = find(text);
    if (found !== undefined) Object.assign(record.draft.attributes, found);
    return true;
  });
}

/** Adds the alarm of each text. */
export function alarmsByText(table: Readonly<Record<string, string>>): Value {
  const find = lookup(table);
  return value((text, record) => {
    addAlarm(record.draft.attributes, find(text));
    return true;
  });
}

/** An alarm if the number is above 0. */
export const alarm = (name: string): Value =>
  numeric(parseDecimalField, (record, n) => {
    if (n > 0) addAlarm(record.draft.attributes, name);
    return true;
  });

const HOUR_METER = /^(\d{1,7}):(\d\d):(\d\d)$/;

/** `h:mm:ss` in ms. */
export function hourMeter(key: Key): Value {
  const set = attributeSetter(key);
  return value((text, record) => {
    const m = HOUR_METER.exec(text);
    return m !== null && set(record, (Number(m[1]) * 3600 + Number(m[2]) * 60 + Number(m[3])) * 1000);
  });
}

/** A part of a word of bits: one of them as a flag, or so many of them as a number. */
export interface BitFieldPart {
  readonly key: string;
  readonly bit: number;
  readonly width?: number;
  /** a bit that means false, tested first; if neither bit is set, the attribute is absent */
  readonly falseBit?: number;
}

const isSet = (bitField: number, bit: number): boolean => ((bitField >>> bit) & 1) !== 0;

function setPart({ key, bit, width, falseBit }: BitFieldPart, bitField: number, attributes: Attributes): void {
  if (width !== undefined) attributes[key] = (bitField >>> bit) & (2 ** width - 1);
  else if (falseBit === undefined) attributes[key] = isSet(bitField, bit);
  else if (isSet(bitField, falseBit)) attributes[key] = false;
  else if (isSet(bitField, bit)) attributes[key] = true;
}

/** A word of bits, hexadecimal or decimal; its lower 32 count. */
export function bitField(radix: 10 | 16, ...parts: readonly BitFieldPart[]): Value {
  return numeric(radix === 16 ? parseHex : integerOf, (record, n) => {
    for (const part of parts) setPart(part, n | 0, record.draft.attributes);
    return true;
  });
}

/** The value of the first of these whose pattern finds something in the text; false if none does. */
export function matchFirst(...cases: readonly (readonly [look: RegExp, value: Value])[]): Value {
  return value((text, record) => {
    for (const [pattern, { set }] of cases) if (pattern.test(text)) return set(text, record);
    return false;
  });
}

/** The value of the text after so many characters; sets nothing if that is empty. */
export const afterChars = (letters: number, { set }: Value): Value =>
  value((text, record) => text.length <= letters || set(text.slice(letters), record));

/** The value of the text after a separator; of the whole text if there is none. */
export const afterSeparator = (mark: string, { set }: Value): Value =>
  value((text, record) => set(text.slice(text.indexOf(mark) + 1), record));

/** Lines as ones and zeros, one after another; further ones say nothing, nor does a text that is too short. */
export const digitFlags = (...keys: readonly string[]): Value =>
  value((text, { draft }) => {
    if (text.length >= keys.length)
      for (let at = 0; at < keys.length; at++) draft.attributes[keys[at]!] = text[at] === '1';
    return true;
  });

/** Lines as binary digits, as one number; digits above 1, which some makers send for lines that are not there, are 0. */
export const binaryDigits = (key: Key): Value => {
  const set = attributeSetter(key);
  return value(
    (text, record) => /^\d{1,32}$/.test(text) && set(record, Number.parseInt(text.replace(/[2-9]/g, '0'), 2)),
  );
};

/** Not used. */
export const ignored: Value = value(() => true);

/** A number for later conditions and groups, such as a mask or a count; 0 if the field is empty. */
export const numberVariable = (name: string, radix: 10 | 16 = 16): Value => ({
  ...numeric(radix === 16 ? parseHex : integerOf, (record, n) => {
    record.variables[name] = n;
    return true;
  }),
  empty: (record) => {
    record.variables[name] = 0;
  },
});

/** A text for later conditions. */
export const textVariable = (name: string): Value =>
  value((text, record) => {
    record.variables[name] = text;
    return true;
  });

/** Reads a variable instead of this field; sets nothing if the variable is absent. */
export const fromVariable = (name: string, { set }: Value): Value =>
  value((_, record) => record.variables[name] === undefined || set(String(record.variables[name]), record));

/** Bytes in hex that are text, one character a byte. */
export const hexText = ({ set }: Value): Value =>
  value((text, record) => PAIRS.test(text) && set(toLatin1(fromHex(text)), record));

const PAIRS = /^(?:[0-9A-Fa-f]{2})*$/;

/** Several values of one text, up to the first that refuses it. */
export const all = (...ways: readonly Value[]): Value =>
  value((text, record) => {
    for (const { set } of ways) if (!set(text, record)) return false;
    return true;
  });
