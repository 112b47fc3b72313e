/** JSON Schema (2020-12) of the OpenAPI document. */
export interface Schema {
  readonly [keyword: string]: unknown;
}
type Components = Readonly<Record<string, Schema>>;

/** Members of recursive schemas are left out below this depth. */
const MAX_DEPTH = 8;
const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2026-05-01T08:30:00Z',
  date: '2026-05-01',
  email: 'carla@example.org',
  uri: 'https://example.org/hooks',
  uuid: '2f1e7a52-6d6a-4f0c-9a2b-3b1d5c1f8e90',
};

/** The example of the schema, otherwise one that consists of the examples of its members. */
export function exampleOf(schema: Schema, components: Components, depth = 0): unknown {
  const at = resolve(schema, components);
  const inner = (part: Schema): unknown => exampleOf(part, components, depth + 1);
  for (const known of ['example', 'const'] as const) if (known in at) return at[known];
  for (const known of ['examples', 'enum'] as const) if (Array.isArray(at[known])) return (at[known] as unknown[])[0];
  if ('default' in at) return at['default'];
  const choices = (at['anyOf'] ?? at['oneOf']) as Schema[] | undefined;
  if (choices !== undefined) return inner(choices.find((each) => each['type'] !== 'null') ?? choices[0]!);
  if (Array.isArray(at['allOf'])) return Object.assign({}, ...(at['allOf'] as Schema[]).map(inner));
  switch (typeOf(at)) {
    case 'object':
      return depth > MAX_DEPTH ? {} : exampleObject(at, inner);
    case 'array': {
      const item = (at['items'] ?? {}) as Schema;
      const count = Math.max(1, Number(at['minItems'] ?? 1));
      return depth > MAX_DEPTH ? [] : Array.from({ length: count }, () => inner(item));
    }
    case 'string':
      return FORMATS[String(at['format'])] ?? 'text';
    case 'integer':
    case 'number':
      return Math.min(Math.max(12, Number(at['minimum'] ?? 12)), Number(at['maximum'] ?? Infinity));
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return {};
  }
}

function typeOf(at: Schema): unknown {
  const [first] = [at['type']].flat();
  return first ?? ('properties' in at ? 'object' : undefined);
}

function exampleObject(at: Schema, inner: (part: Schema) => unknown): unknown {
  const properties = Object.entries((at['properties'] ?? {}) as Record<string, Schema>);
  if (properties.length > 0) return Object.fromEntries(properties.map(([name, part]) => [name, inner(part)]));
  const more = at['additionalProperties'];
  if (more === null || typeof more !== 'object') return {};
  const name = inner((at['propertyNames'] ?? {}) as Schema);
  return { [typeof name === 'string' && name !== 'text' ? name : 'ignition']: inner(more as Schema) };
}

function resolve(schema: Schema, components: Components): Schema {
  const ref = schema['$ref'];
  if (typeof ref !== 'string') return schema;
  const found = components[ref.replace('#/components/schemas/', '')];
  return found === undefined ? {} : resolve(found, components);
}
