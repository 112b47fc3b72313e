import type { Schema } from './examples.ts';

const isNull = (schema: Schema): boolean => schema['type'] === 'null';
const isWhole = (values: unknown): boolean => Array.isArray(values) && values.every(Number.isInteger);

/** The same schema in the form that generators of clients understand: of equal forms they fail at some. */
export function simplify(schema: Schema): Schema {
  const { anyOf, ...rest } = schema as Schema & { readonly anyOf?: readonly Schema[] };
  if (anyOf?.length === 2 && isNull(anyOf[1]!)) {
    const [value] = anyOf as [Schema];
    // null is any value too
    if (Object.keys(value).length === 0) return rest;
    if (value['type'] === 'array') return { ...value, ...rest, type: ['array', 'null'] };
  }
  if (schema['type'] === 'number' && isWhole(schema['enum'])) return { ...schema, type: 'integer' };
  return schema;
}

/** Of a query parameter: one value, or several, is a list. */
export function asRepeated(schema: Schema): Schema {
  const { anyOf, ...rest } = schema as Schema & { readonly anyOf?: readonly Schema[] };
  const list = anyOf?.find(({ type }) => type === 'array');
  return list === undefined || anyOf?.length !== 2 ? schema : { ...list, ...rest };
}
