import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}
interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly required?: boolean }[];
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { schema?: object }>> }>>;
}

/**
 * The document that Traccar publishes (Apache-2.0, github.com/traccar/traccar), cut down to its parameters and
 * answers. It does not say which members may be null, and its server writes null where it has no value.
 */
const text = readFileSync(join(import.meta.dirname, 'traccar.json'), 'utf8');
const document = JSON.parse(text) as Described;
const ajv = new Ajv2020({ strict: false, allErrors: true });
(formats as unknown as (of: Ajv2020) => void)(ajv);
ajv.addSchema(JSON.parse(text.replaceAll('#/components', 'traccar#/components')) as object, 'traccar');

const matchers = Object.keys(document.paths).map((template) => ({
  template,
  pattern: new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}));

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) => (each === null ? [] : [[name, withoutNulls(each)]])),
  );
}

/** Why an answer is not as the document says; empty where it is, or where the document does not say. */
export function problemsOf(method: string, url: string, status: number, body: unknown): string[] {
  const path = url.split('?', 1)[0]!;
  const template = (
    matchers.find((each) => each.template === path) ?? matchers.find(({ pattern }) => pattern.test(path))
  )?.template;
  const response = document.paths[template ?? '']?.[method.toLowerCase()]?.responses[status];
  if (response === undefined) return [`${method} ${path}: ${status} is not documented`];
  const schema = response.content?.['application/json']?.schema;
  if (schema === undefined) return [];
  const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('#/components', 'traccar#/components')));
  return validate(withoutNulls(body)) ? [] : [`${method} ${path}: ${ajv.errorsText(validate.errors)}`];
}

/** All operations with their query parameters: `GET /devices/{id}`. */
export const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { parameters = [] }]) => ({
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    required: parameters.filter(({ required }) => required === true).map(({ name }) => name),
    optional: parameters.filter(({ required }) => required !== true).map(({ name }) => name),
  })),
);
