import type { Schema } from './examples.ts';

const isNull = (schema: Schema): boolean => schema['type'] === 'null';
const isWhole = (values: unknown): boolean => Array.isArray(values) && values.every(Number.isInteger);

/** The same schema in the form that generators of clients understand: of equal forms they fail at some. */
export const simplify = (schema: Schema): Schema => describeDefault(simplifyForm(schema));

/** A default that is an object or null does not compile in generated Go: an object is described, null means absent. */
function describeDefault(schema: Schema): Schema {
  const { default: value, ...rest } = schema as Schema & { readonly default?: unknown; readonly description?: string };
  const isSchema = typeof rest['type'] === 'string' || Array.isArray(rest['type'] ?? rest['anyOf']);
  if (!isSchema || typeof value !== 'object' || Array.isArray(value)) return schema;
  if (value === undefined) return schema;
  const text = value === null ? [] : [`default: \`${JSON.stringify(value)}\``];
  const description = [rest.description ?? [], text].flat().join('; ');
  return { ...rest, ...(description === '' ? {} : { description }), examples: [value] };
}

function simplifyForm(schema: Schema): Schema {
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
