import { Fields } from '../fields.ts';
import type { AttributeValue } from '../messages.ts';
import type { Piece } from './grammar.ts';
import type { Told } from './told.ts';
import { setter, type Value, value } from './values.ts';

/** Something that takes fields from where they stand. False where it had to stop; the fields stand there then. */
export interface Item {
  readonly kind: 'item';
  readonly walk: (fields: Fields, told: Told) => boolean;
}

/** What a layout is written of: a value takes one field, an item as many as it says. */
export type Part = Value | Item;

/** The fields of a message in their order, made into a reader once. */
export type Layout = Item;

type Walk = Item['walk'];

export const item = (walk: Walk): Item => ({ kind: 'item', walk });

/** A field that is not what it should be stays, so that it counts as unread; so does all behind it. */
const walkOf = (part: Part): Walk =>
  part.kind === 'item'
    ? part.walk
    : (fields, told) => {
        const text = fields.all[fields.at];
        if (text === undefined) return false;
        if (text === '') part.empty?.(told);
        else if (!part.tell(text, told)) return false;
        fields.at += 1;
        return true;
      };

/**
 * Parts one after another. Reading never throws: where the fields end, or one is not what it should be, what was told
 * before stays told, and `fields.at` is where the unread begins.
 */
export function layout(...parts: readonly Part[]): Layout {
  const walks = parts.map(walkOf);
  return item((fields, told) => {
    for (const walk of walks) if (!walk(fields, told)) return false;
    return true;
  });
}

/** Parts that stand together: where they are not read whole, all of them count as unread. */
export function whole(...parts: readonly Part[]): Item {
  const { walk } = layout(...parts);
  return item((fields, told) => {
    const { at } = fields;
    if (walk(fields, told)) return true;
    fields.at = at;
    return false;
  });
}

/** Fields that tell nothing. */
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

/** Told without a field. */
export const always = (key: string, said: AttributeValue): Item => {
  const set = setter(key);
  return item((_, told) => set(told, said));
};

/** Done once what stands before it is told; in a grammar also where that was missing. */
export const after = (act: (told: Told) => void): Item & Piece => ({
  ...item((_, told) => {
    act(told);
    return true;
  }),
  source: '',
  acts: [act],
});

export type Condition = (fields: Fields, told: Told) => boolean;

/** One or the other, by what is known when it is reached. */
export function when(condition: Condition, parts: readonly Part[], others: readonly Part[] = []): Item {
  const [yes, no] = [layout(...parts), layout(...others)];
  return item((fields, told) => (condition(fields, told) ? yes : no).walk(fields, told));
}

/** The parts that belong to what a fact says, such as the type of the message. */
export function byFact(name: string, table: Readonly<Record<string, readonly Part[]>>): Item {
  const layouts = new Map(Object.entries(table).map(([said, parts]) => [said, layout(...parts)]));
  return item((fields, told) => layouts.get(String(told.facts[name]))?.walk(fields, told) ?? true);
}

const numberOf = (told: Told, name: string): number => Number(told.facts[name] ?? 0);
const isSet = (mask: number, bit: number): boolean => ((mask >>> bit) & 1) !== 0;

/** Whether a bit of a mask that was read is set. */
export const hasBit =
  (mask: string, bit: number): Condition =>
  (_, told) =>
    isSet(numberOf(told, mask), bit);

/** Whether a fact is one of these; a star at either end of a name stands for any text. */
export function is(name: string, ...names: readonly string[]): Condition {
  const pattern = new RegExp(`^(?:${names.map((known) => known.replaceAll('*', '.*')).join('|')})$`);
  const known = new Map<string, boolean>();
  return (_, told) => {
    const said = String(told.facts[name] ?? '');
    let isOne = known.get(said);
    if (isOne === undefined) {
      isOne = pattern.test(said);
      // What devices say is without end; what is known is only there to be fast.
      if (known.size >= MOST_KNOWN) known.clear();
      known.set(said, isOne);
    }
    return isOne;
  };
}
const MOST_KNOWN = 256;

/** Whether the text of a field is found by a pattern: the next, or one so many behind it. */
export const looks =
  (pattern: RegExp, ahead = 0): Condition =>
  (fields) => {
    const text = fields.peek(ahead);
    return text !== undefined && pattern.test(text);
  };

/** Whether there are so many fields more. */
export const hasLeft =
  (count: number): Condition =>
  (fields) =>
    fields.left >= count;

export const not =
  (condition: Condition): Condition =>
  (fields, told) =>
    !condition(fields, told);
export const all =
  (...conditions: readonly Condition[]): Condition =>
  (fields, told) =>
    conditions.every((condition) => condition(fields, told));
export const any =
  (...conditions: readonly Condition[]): Condition =>
  (fields, told) =>
    conditions.some((condition) => condition(fields, told));

/** Parts that are there where their bit of a mask is set, in the order of the table. */
export function masked(mask: string, table: readonly (readonly [bit: number, part: Part])[]): Item {
  const entries = table.map(([bit, part]) => [bit, walkOf(part)] as const);
  return item((fields, told) => {
    const bits = numberOf(told, mask);
    for (const [bit, walk] of entries) if (isSet(bits, bit) && !walk(fields, told)) return false;
    return true;
  });
}

/** Bits of a mask, from one to another, whose fields tell nothing. */
export const skippedBits = (from: number, to: number): readonly (readonly [bit: number, part: Part])[] =>
  Array.from({ length: to - from + 1 }, (_, i) => [from + i, skip()] as const);

/** Bits of a mask whose fields are of one kind; the `#` of its key counts the bits from 1. */
export function numberedBits(from: number, to: number, part: Part): readonly (readonly [bit: number, part: Part])[] {
  const walk = walkOf(part);
  return Array.from({ length: to - from + 1 }, (_, i) => {
    const one = item((fields, told) => {
      told.turn = i + 1;
      return walk(fields, told);
    });
    return [from + i, one] as const;
  });
}

/**
 * Parts again and again: so often, or as often as a fact says. The turn, from 1, stands for the `#` of their keys. Ends
 * with the fields.
 */
export function times(count: number | string, ...parts: readonly Part[]): Item {
  const { walk } = layout(...parts);
  return item((fields, told) => {
    const most = typeof count === 'number' ? count : numberOf(told, count);
    const { turn } = told;
    let isWhole = true;
    for (told.turn = 1; isWhole && told.turn <= most && fields.left > 0; told.turn++) {
      const { at } = fields;
      isWhole = walk(fields, told);
      // A turn that takes nothing would go on for as long as the count says.
      if (fields.at === at) break;
    }
    told.turn = turn;
    return isWhole;
  });
}

/** A field that holds fields of its own; what is left of them, or cannot be read, stands in `unread`. */
export const inner = (separator: string, ...parts: readonly Part[]): Value => {
  const { walk } = layout(...parts);
  return value((text, told) => {
    const fields = new Fields(text.split(separator));
    walk(fields, told);
    const rest = fields.all.slice(fields.at);
    if (rest.some((left) => left !== '')) told.unread.push(rest.join(separator));
    return true;
  });
};

type NamedReader = (texts: readonly string[], told: Told) => void;

/** Fields whose order a format gives by their names; what a value refuses stands in `unread`, and none holds up the others. */
export function named(table: Readonly<Record<string, Value>>): (names: readonly string[]) => NamedReader {
  const known = new Map(Object.entries(table));
  return (names) => {
    const values = names.map((name) => known.get(name));
    return (texts, told) => {
      const most = Math.min(values.length, texts.length);
      for (let at = 0; at < most; at++) {
        const text = texts[at]!;
        if (text !== '' && values[at]?.tell(text, told) === false) told.unread.push(text);
      }
    };
  };
}
