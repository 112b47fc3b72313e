import type { Schema } from './examples.ts';

const isNull = (schema: Schema): boolean => schema['type'] === 'null';
const isWhole = (values: unknown): boolean => Array.isArray(values) && values.every(Number.isInteger);

/** Rewrites a schema to an equivalent form that client generators support. */
export const simplify = (schema: Schema): Schema => describeDefault(simplifyForm(schema));

/** Defaults that are objects or null break generated Go code: an object moves to the description, null is removed. */
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
    // `{}` already includes null
    if (Object.keys(value).length === 0) return rest;
    const { example, ...bare } = value;
    // zod does so itself, if there is no example
    if (example !== undefined && typeof bare['type'] === 'string' && Object.keys(bare).length === 1) {
      return { ...rest, type: [bare['type'], 'null'], example };
    }
    if (value['type'] === 'array') return { ...value, ...rest, type: ['array', 'null'] };
  }
  if (schema['type'] === 'number' && isWhole(schema['enum'])) return { ...schema, type: 'integer' };
  return schema;
}

/** Schema of a repeatable query parameter: "one value or a list" becomes a list. */
export function asRepeated(schema: Schema): Schema {
  const { anyOf, ...rest } = schema as Schema & { readonly anyOf?: readonly Schema[] };
  const list = anyOf?.find(({ type }) => type === 'array');
  return list === undefined || anyOf?.length !== 2 ? schema : { ...list, ...rest };
}
