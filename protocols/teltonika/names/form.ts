/** How the raw value of an element is read; `hex` and `text` stay as they are. */
export type Form = 'u8' | 'i8' | 'u16' | 'i16' | 'u32' | 'i32' | 'u64' | 'i64' | 'hex' | 'text';

/** Id, the vendor's name, form, factor of a raw number, unit behind the factor. */
export type ElementName = readonly [id: number, name: string, form: Form, scale?: number, unit?: string];

/** Elements whose ids follow each other; `#` in the name counts from `from`. */
export const numbered = (
  first: number,
  count: number,
  name: string,
  from: number,
  form: Form,
  scale = 1,
  unit = '',
): ElementName[] =>
  Array.from({ length: count }, (_, n) => [first + n, name.replace('#', String(from + n)), form, scale, unit] as const);
