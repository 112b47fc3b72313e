import { asPropertyName } from '#codec';
import type { NumberUse } from '#codec/binary';

/** How an element's raw value lies on the wire, big endian where `LE` does not stand behind it. */
export type Wire = 'u8' | 'i8' | 'u16' | 'i16' | 'u32' | 'i32' | 'i64' | 'u64LE';

/**
 * What an element says, compiled. One shape for all, so that the loop over a record's elements stays monomorphic. A
 * number or flag is set as it is; what is more is done by `use`, or by the protocol under the name `own`.
 */
export interface Meaning {
  readonly key: string;
  /** bytes that the value has by the vendor's list */
  readonly width: number;
  readonly isSigned: boolean;
  readonly isFlag: boolean;
  /** a number is raw ÷ this */
  readonly divide: number;
  /** numbers that stand for an error or for no sensor, as they are sent */
  readonly noValue: readonly number[] | undefined;
  readonly use: NumberUse | undefined;
  readonly custom: string | undefined;
}

/** An element by its number in the products that number it so. */
export interface Element {
  readonly id: number;
  readonly products: readonly string[];
  readonly meaning: Meaning;
}

const widthOf = (wire: Wire): number => Number.parseInt(wire.slice(1), 10) / 8;
const meaning = (wire: Wire, more: Partial<Meaning>): Meaning => ({
  key: '',
  width: widthOf(wire),
  isSigned: wire.startsWith('i'),
  isFlag: false,
  divide: 1,
  noValue: undefined,
  use: undefined,
  custom: undefined,
  ...more,
});

/** raw · `times` ÷ `divide`, under a key. `#` in the key counts in `elementRow`. A raw number of `noValue` has no meaning. */
export const elementNumber = (
  wire: Wire,
  key: string,
  divide = 1,
  times = 1,
  noValue: readonly number[] | undefined = undefined,
): Meaning => meaning(wire, { key, divide: divide / times, noValue });
/** Whether the value is above zero. */
export const elementFlag = (key: string): Meaning => meaning('u8', { key, isFlag: true });
/** What a layout's use makes of the value. */
export const elementWith = (wire: Wire, use: NumberUse): Meaning => meaning(wire, { use });
/** What the protocol itself makes of the value, under a key where it has one. */
export const elementCustom = (wire: Wire, custom: string, key = ''): Meaning => meaning(wire, { custom, key });

/** An element of one product or of several. */
export const element = (id: number, products: string | readonly string[], is: Meaning): Element => ({
  id,
  products: typeof products === 'string' ? [products] : products,
  meaning: is,
});

/** Elements whose ids follow each other; `#` in the key counts from 1. */
export const elementRow = (first: number, count: number, products: string, is: Meaning): Element[] =>
  Array.from({ length: count }, (_, at) =>
    element(first + at, products, { ...is, key: asPropertyName(is.key.replace('#', String(at + 1))) }),
  );

/** Meanings by id for a device of some products; nothing: not named. */
export function meaningsFor(
  elements: readonly Element[],
  products: readonly string[],
): readonly (Meaning | undefined)[] {
  const rows = new Array<Meaning | undefined>(Math.max(...elements.map(({ id }) => id)) + 1).fill(undefined);
  for (const { id, products: of, meaning: is } of elements)
    if (of.some((product) => products.includes(product))) rows[id] = is;
  return rows;
}

/** The products of a model: those whose pattern it matches, and no `except`. */
export interface Product {
  readonly product: string;
  readonly models: RegExp;
  readonly except?: RegExp;
}

/** Names of the products to which a model belongs. */
export const productsFor = (products: readonly Product[], model: string): string[] =>
  products.flatMap(({ product, models, except }) => (models.test(model) && !except?.test(model) ? [product] : []));

const MAX_CACHED = 1_000;

/** What belongs to a model, made once for those that come to the same `key`; a bounded memory of models. */
export function cacheByModel<T>(keyOf: (model: string) => string, make: (model: string) => T): (model: unknown) => T {
  const made = new Map<string, T>();
  const known = new Map<string, T>();
  return (option) => {
    const model = typeof option === 'string' ? option.trim().toUpperCase() : '';
    let found = known.get(model);
    if (found !== undefined) return found;
    const key = keyOf(model);
    found = made.get(key) ?? make(model);
    made.set(key, found);
    if (known.size >= MAX_CACHED) known.clear();
    known.set(model, found);
    return found;
  };
}
