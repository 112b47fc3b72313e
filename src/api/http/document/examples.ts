import { exampleValues } from './example-values.ts';

/** JSON Schema (2020-12) as it stands in the document. */
export interface Schema {
  readonly [keyword: string]: unknown;
}
type Components = Readonly<Record<string, Schema>>;

const DEEPEST = 8;
const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2026-05-01T08:30:00Z',
  date: '2026-05-01',
  email: 'carla@example.org',
  uri: 'https://example.org/hooks',
  uuid: '2f1e7a52-6d6a-4f0c-9a2b-3b1d5c1f8e90',
};
/** for patterns: the first that fits */
const TEXTS = ['text', 'AB123CD', 'v1', '2026-05-01', '2026-05', '1', 'IT', 'EUR', 'AA==', 'a'.repeat(22), 'spool-1'];

/** A value that the schema takes, the same each time; what may be left out is there too. */
export function exampleOf(schema: Schema, components: Components, name = '', depth = 0): unknown {
  const at = resolve(schema, components);
  const inner = (part: Schema, called: string): unknown => exampleOf(part, components, called, depth + 1);
  if ('const' in at) return at['const'];
  const named = (exampleValues[name] ?? []).find((word) => fits(word, at, components));
  if (named !== undefined) return named;
  for (const known of ['examples', 'enum'] as const) if (Array.isArray(at[known])) return (at[known] as unknown[])[0];
  if ('default' in at) return at['default'];
  const choices = (at['anyOf'] ?? at['oneOf']) as Schema[] | undefined;
  if (choices !== undefined) return inner(choices.find((each) => each['type'] !== 'null') ?? choices[0]!, name);
  if (Array.isArray(at['allOf'])) {
    return Object.assign({}, ...(at['allOf'] as Schema[]).map((each) => inner(each, name)));
  }
  switch (typeOf(at)) {
    case 'object':
      return depth > DEEPEST ? {} : exampleObject(at, inner);
    case 'array': {
      const count = Math.max(1, Number(at['minItems'] ?? 1));
      const item = (at['items'] ?? {}) as Schema;
      return depth > DEEPEST ? [] : Array.from({ length: count }, () => inner(item, singular(name)));
    }
    case 'string':
      return exampleText(at);
    case 'integer':
    case 'number':
      return exampleNumber(at);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return {};
  }
}

const singular = (name: string): string => name.replace(/s$/, '');

function exampleObject(at: Schema, inner: (part: Schema, name: string) => unknown): unknown {
  const properties = Object.entries((at['properties'] ?? {}) as Record<string, Schema>);
  const shown = properties.map(([name, part]) => [name, inner(part, name)] as const);
  if (shown.length > 0) return Object.fromEntries(shown);
  const more = at['additionalProperties'];
  if (more === null || typeof more !== 'object') return {};
  const names = (at['propertyNames'] as Schema | undefined)?.['enum'];
  const name = Array.isArray(names) ? String(names[0]) : 'ignition';
  return { [name]: inner(more as Schema, name) };
}

function exampleText(at: Schema): string {
  const format = FORMATS[String(at['format'])];
  if (format !== undefined) return format;
  const least = Number(at['minLength'] ?? 0);
  const pattern = typeof at['pattern'] === 'string' ? new RegExp(at['pattern']) : undefined;
  const candidates = [...TEXTS, 'a'.repeat(Math.max(1, least))];
  return candidates.find((text) => text.length >= least && (pattern?.test(text) ?? true)) ?? 'text';
}

function exampleNumber(at: Schema): number {
  const least = Math.max(Number(at['minimum'] ?? 0), Number(at['exclusiveMinimum'] ?? -1) + 1);
  const most = Math.min(Number(at['maximum'] ?? 60), Number(at['exclusiveMaximum'] ?? 61) - 1);
  return least > 0 ? least : Math.min(12, most);
}

function typeOf(at: Schema): unknown {
  const { type } = at as { type?: unknown };
  if (Array.isArray(type)) return type.find((each) => each !== 'null') ?? 'null';
  return type ?? ('properties' in at ? 'object' : undefined);
}

function resolve(schema: Schema, components: Components): Schema {
  const ref = schema['$ref'];
  if (typeof ref !== 'string') return schema;
  const found = components[ref.replace('#/components/schemas/', '')];
  return found === undefined ? {} : resolve(found, components);
}

/** Near enough for what `words` holds: a test holds every example to its schema. */
function fits(value: unknown, schema: Schema, components: Components): boolean {
  const at = resolve(schema, components);
  const choices = (at['anyOf'] ?? at['oneOf']) as Schema[] | undefined;
  if (choices !== undefined) return choices.some((each) => fits(value, each, components));
  if (Array.isArray(at['allOf'])) return (at['allOf'] as Schema[]).every((each) => fits(value, each, components));
  if (Array.isArray(at['enum'])) return at['enum'].includes(value);
  if ('const' in at) return at['const'] === value;
  const types = [at['type']].flat();
  if (value === null) return types.includes('null');
  if (Array.isArray(value)) return types.includes('array') && fitsList(value, at, components);
  if (typeof value === 'number') {
    const isKind = types.includes('number') || (types.includes('integer') && Number.isInteger(value));
    return isKind && value >= Number(at['minimum'] ?? -Infinity) && value <= Number(at['maximum'] ?? Infinity);
  }
  if (typeof value === 'string') return types.includes('string') && fitsText(value, at);
  return typeof value === 'object' && types.includes('object') && !('properties' in at);
}

function fitsList(value: readonly unknown[], at: Schema, components: Components): boolean {
  if (value.length < Number(at['minItems'] ?? 0) || value.length > Number(at['maxItems'] ?? Infinity)) return false;
  return value.every((each) => fits(each, (at['items'] ?? {}) as Schema, components));
}

function fitsText(value: string, at: Schema): boolean {
  if (value.length < Number(at['minLength'] ?? 0) || value.length > Number(at['maxLength'] ?? Infinity)) return false;
  if (typeof at['pattern'] === 'string' && !new RegExp(at['pattern']).test(value)) return false;
  const format = at['format'];
  if (format === 'date-time') return /^\d{4}-\d\d-\d\dT.*Z$/.test(value);
  return format === undefined || format === 'email'
    ? !format || value.includes('@')
    : FORMATS[String(format)] === value;
}
