import type { Attributes, AttributeValue, NamedValue } from '#codec';
import type { Meaning } from './meanings.ts';

/** How the raw value of an element is read; `hex` and `text` stay as they are. */
export type NameForm = 'u8' | 'i8' | 'u16' | 'i16' | 'u32' | 'i32' | 'u64' | 'i64' | 'hex' | 'text';

/** Id, the vendor's name, form, factor of a raw number, unit behind the factor. */
export type ElementName = readonly [id: number, name: string, form: NameForm, scale?: number, unit?: string];

/** Names of elements whose ids follow each other; `#` in the name counts from `from`. */
export const elementNames = (
  first: number,
  count: number,
  name: string,
  from: number,
  form: NameForm,
  scale = 1,
  unit = '',
): ElementName[] =>
  Array.from({ length: count }, (_, n) => [first + n, name.replace('#', String(from + n)), form, scale, unit] as const);

export type Names = ReadonlyMap<number, ElementName>;

/** Names by id; a later list's stand for an earlier one's. */
export const namesById = (...lists: readonly (readonly ElementName[])[]): Names =>
  new Map(lists.flatMap((list) => list.map((name) => [name[0], name] as const)));

const BITS: Readonly<Record<string, number>> = { i8: 8, i16: 16, i32: 32 };
const UNNAMED = /^io(\d{1,5})$/;

/**
 * The vendor's name, the scaled value and its unit for each element that the attributes hold, by its name: of those
 * that attributes keep as `io<id>`, and of those that have a meaning.
 */
export function namedValues(
  attributes: Attributes,
  names: Names,
  meanings: readonly (Meaning | undefined)[],
): Readonly<Record<string, NamedValue>> {
  const found: Record<string, NamedValue> = {};
  for (const [key, value] of Object.entries(attributes)) {
    const id = UNNAMED.exec(key)?.[1];
    if (id !== undefined) add(found, names.get(Number(id)), value);
  }
  for (const [id, meaning] of meanings.entries()) {
    const value = meaning === undefined ? undefined : attributes[meaning.key];
    // The vocabulary's unit is not always the vendor's: back to the raw value, then to what the vendor's scale makes.
    if (value !== undefined) add(found, names.get(id), typeof value === 'number' ? value * meaning!.divide : value);
  }
  return found;
}

function add(found: Record<string, NamedValue>, element: ElementName | undefined, value: AttributeValue): void {
  if (element === undefined) return;
  const [id, name, form, scale = 1, unit = ''] = element;
  const raw = typeof value === 'boolean' ? Number(value) : value;
  const scaled = typeof raw === 'number' ? tidy(signed(raw, form) * scale) : raw;
  found[name in found ? `${name} (${id})` : name] = unit === '' ? { id, value: scaled } : { id, value: scaled, unit };
}

/** Attributes hold a raw number unsigned. */
function signed(raw: number, form: string): number {
  const bits = BITS[form];
  return bits !== undefined && raw >= 2 ** (bits - 1) && raw < 2 ** bits ? raw - 2 ** bits : raw;
}

/** Without the last bits of a product of fractions: 12.601, not 12.601000000000001. */
const tidy = (value: number): number => Number(value.toPrecision(12));
