import type { AttributeValue } from '../messages.ts';
import { Fields } from './fields.ts';
import type { Pattern } from './grammar.ts';
import type { TextRecord } from './record.ts';
import { attributeSetter, type Value, value } from './values.ts';

/** Reads fields from the current one on. False if a field cannot be read; `fields.at` is its index then. */
export interface Item {
  readonly kind: 'item';
  readonly walk: (fields: Fields, record: TextRecord) => boolean;
}

/** What a layout is written of: a value takes one field, an item as many as it says. */
export type Part = Value | Item;

/** The fields of a message in their order, made into a reader once. */
export type Layout = Item;

type Walk = Item['walk'];

/** An item by a function of its own. */
export const item = (walk: Walk): Item => ({ kind: 'item', walk });

/** A field that its value refuses, and all fields after it, count as unread. */
const walkOf = (part: Part): Walk =>
  part.kind === 'item'
    ? part.walk
    : (fields, record) => {
        const text = fields.all[fields.at];
        if (text === undefined) return false;
        if (text === '') part.empty?.(record);
        else if (!part.set(text, record)) return false;
        fields.at += 1;
        return true;
      };

/**
 * Parts one after another. Reading never throws: where the fields end, or one is not what it should be, what was set
 * before remains, and `fields.at` is the first field that was not read.
 */
export function layout(...parts: readonly Part[]): Layout {
  const walks = parts.map(walkOf);
  return item((fields, record) => {
    for (const walk of walks) if (!walk(fields, record)) return false;
    return true;
  });
}

/** Parts that belong together: if one of them cannot be read, all count as unread. */
export function allOrNone(...parts: readonly Part[]): Item {
  const { walk } = layout(...parts);
  return item((fields, record) => {
    const { at } = fields;
    if (walk(fields, record)) return true;
    fields.at = at;
    return false;
  });
}

/** Fields that are not used. */
export const skip = (count = 1): Item =>
  item((fields) => {
    fields.at += Math.min(count, fields.left);
    return true;
  });

/** As many empty fields as there are. */
export const skipEmpty: Item = item((fields) => {
  while (fields.peek() === '') fields.at += 1;
  return true;
});

/** Sets an attribute to a constant, without reading a field. */
export const constant = (key: string, actual: AttributeValue): Item => {
  const set = attributeSetter(key);
  return item((_, record) => set(record, actual));
};

/** Runs after the parts before it have been read; in a grammar also if they were missing. */
export const afterFields = (act: (record: TextRecord) => void): Item & Pattern => ({
  ...item((_, record) => {
    act(record);
    return true;
  }),
  source: '',
  actions: [act],
});

export type Condition = (fields: Fields, record: TextRecord) => boolean;

/** `parts` if the condition holds when it is reached, otherwise `others`. */
export function when(condition: Condition, parts: readonly Part[], others: readonly Part[] = []): Item {
  const [yes, no] = [layout(...parts), layout(...others)];
  return item((fields, record) => (condition(fields, record) ? yes : no).walk(fields, record));
}

/** The parts for the value of a variable, such as the type of the message. */
export function byVariable(name: string, table: Readonly<Record<string, readonly Part[]>>): Item {
  const layouts = new Map(Object.entries(table).map(([actual, parts]) => [actual, layout(...parts)]));
  return item((fields, record) => layouts.get(String(record.variables[name]))?.walk(fields, record) ?? true);
}

const numberOf = (record: TextRecord, name: string): number => Number(record.variables[name] ?? 0);
const isSet = (mask: number, bit: number): boolean => ((mask >>> bit) & 1) !== 0;

/** Whether a bit of a mask that was read is set. */
export const hasBit =
  (mask: string, bit: number): Condition =>
  (_, record) =>
    isSet(numberOf(record, mask), bit);

/** Whether a variable has one of these values; a star at either end stands for any text. */
export function variableIs(name: string, ...names: readonly string[]): Condition {
  const pattern = new RegExp(`^(?:${names.map((known) => known.replaceAll('*', '.*')).join('|')})$`);
  const known = new Map<string, boolean>();
  return (_, record) => {
    const actual = String(record.variables[name] ?? '');
    let isOne = known.get(actual);
    if (isOne === undefined) {
      isOne = pattern.test(actual);
      // What devices say is without end; what is known is only there to be fast.
      if (known.size >= MAX_CACHED_RESULTS) known.clear();
      known.set(actual, isOne);
    }
    return isOne;
  };
}
const MAX_CACHED_RESULTS = 256;

/** Whether the text of a field is found by a pattern: the next, or one so many behind it. */
export const matches =
  (pattern: RegExp, ahead = 0): Condition =>
  (fields) => {
    const text = fields.peek(ahead);
    return text !== undefined && pattern.test(text);
  };

/** Whether there are so many fields more. */
export const hasFieldsLeft =
  (count: number): Condition =>
  (fields) =>
    fields.left >= count;

/** The condition does not hold. */
export const not =
  (condition: Condition): Condition =>
  (fields, record) =>
    !condition(fields, record);
/** All conditions hold. */
export const allOf =
  (...conditions: readonly Condition[]): Condition =>
  (fields, record) => {
    for (const condition of conditions) if (!condition(fields, record)) return false;
    return true;
  };
/** At least one of the conditions holds. */
export const anyOf =
  (...conditions: readonly Condition[]): Condition =>
  (fields, record) => {
    for (const condition of conditions) if (condition(fields, record)) return true;
    return false;
  };

/** Parts that are there where their bit of a mask is set, in the order of the table. */
export function ifBits(mask: string, table: readonly (readonly [bit: number, part: Part])[]): Item {
  const entries = table.map(([bit, part]) => ({ bit, walk: walkOf(part) }));
  return item((fields, record) => {
    const bits = numberOf(record, mask);
    for (const { bit, walk } of entries) if (isSet(bits, bit) && !walk(fields, record)) return false;
    return true;
  });
}

/** Bits of a mask, from one to another, whose fields are not used. */
export const skippedBits = (from: number, to: number): readonly (readonly [bit: number, part: Part])[] =>
  Array.from({ length: to - from + 1 }, (_, i) => [from + i, skip()] as const);

/** Bits of a mask whose fields are of one kind; the `#` of its key counts the bits from 1. */
export function numberedBits(from: number, to: number, part: Part): readonly (readonly [bit: number, part: Part])[] {
  const walk = walkOf(part);
  return Array.from({ length: to - from + 1 }, (_, i) => {
    const one = item((fields, record) => {
      record.groupNumber = i + 1;
      return walk(fields, record);
    });
    return [from + i, one] as const;
  });
}

/**
 * Parts again and again: so often, or as often as a variable says. The turn, from 1, stands for the `#` of their keys. Ends
 * with the fields.
 */
export function repeat(count: number | string, ...parts: readonly Part[]): Item {
  const { walk } = layout(...parts);
  return item((fields, record) => {
    const most = typeof count === 'number' ? count : numberOf(record, count);
    const { groupNumber: outerNumber } = record;
    let isWhole = true;
    for (record.groupNumber = 1; isWhole && record.groupNumber <= most && fields.left > 0; record.groupNumber++) {
      const { at } = fields;
      isWhole = walk(fields, record);
      // A turn that takes nothing would go on for as long as the count says.
      if (fields.at === at) break;
    }
    record.groupNumber = outerNumber;
    return isWhole;
  });
}

/** A field that contains fields; those that are left or cannot be read are added to `unread`. */
export const nested = (separator: string, ...parts: readonly Part[]): Value => {
  const { walk } = layout(...parts);
  return value((text, record) => {
    const fields = new Fields(text.split(separator));
    walk(fields, record);
    const rest = fields.all.slice(fields.at);
    if (rest.some((left) => left !== '')) record.unread.push(rest.join(separator));
    return true;
  });
};

type NamedReader = (texts: readonly string[], record: TextRecord) => void;

/** Fields in the order of a list of names. Text that a value refuses is added to `unread`; the other fields are still read. */
export function byName(table: Readonly<Record<string, Value>>): (names: readonly string[]) => NamedReader {
  const known = new Map(Object.entries(table));
  return (names) => {
    const values = names.map((name) => known.get(name));
    return (texts, record) => {
      const most = Math.min(values.length, texts.length);
      for (let at = 0; at < most; at++) {
        const text = texts[at]!;
        if (text !== '' && values[at]?.set(text, record) === false) record.unread.push(text);
      }
    };
  };
}
