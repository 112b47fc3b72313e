import { exampleOf, type Schema } from './examples.ts';
import { headersOfProblem, type OperationHeaders } from './headers.ts';
import { asRepeated, simplify } from './simplify.ts';

interface Content {
  schema?: Schema;
  example?: unknown;
  examples?: Readonly<Record<string, unknown>>;
}
interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema?: Schema;
  example?: unknown;
}
interface Response {
  $ref?: string;
  description?: string;
  headers?: object;
  content?: Record<string, Content>;
}
interface Operation {
  operationId?: string;
  'x-optional-body'?: boolean;
  'x-headers'?: OperationHeaders;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content?: Record<string, Content> };
  responses?: Record<string, Response>;
}
export interface OpenApiDocument {
  paths?: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, Schema>; responses?: Record<string, Response> };
}

/**
 * Post-processes the OpenAPI document: tuples become lists of fixed length, requests and responses get examples,
 * optional bodies are marked, patterns that repeat a format are removed, and problem responses become shared
 * components.
 */
export function finishDocument<T>(given: T): T {
  const document = tidy(given) as OpenApiDocument;
  const components = document.components?.schemas ?? {};
  const shared: Record<string, Response> = {};
  const illustrate = (content: Content): void => {
    if (content.schema === undefined || content.examples !== undefined) return;
    content.example ??= exampleOf(content.schema, components);
  };
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const names = new Set<string>();
  for (const { path, method, operation } of operations) {
    operation.operationId = distinctName(nameOf(method, path), names);
    for (const parameter of operation.parameters ?? []) {
      if (parameter.in === 'query' && parameter.schema !== undefined) parameter.schema = asRepeated(parameter.schema);
      // optional query parameters have no example
      if (parameter.in !== 'path' && parameter.required !== true) continue;
      illustrate(parameter);
    }
    const body = operation.requestBody;
    if (body !== undefined) {
      body.required = operation['x-optional-body'] !== true;
      for (const content of Object.values(body.content ?? {})) illustrate(content);
    }
    delete operation['x-optional-body'];
    addHeaders(operation);
    for (const [status, response] of Object.entries(operation.responses ?? {})) {
      for (const each of Object.values(response.content ?? {})) illustrate(each);
      if (!/^[45]/.test(status)) continue;
      const headers = headersOfProblem(status, codesOf(response));
      if (headers !== undefined) response.headers = headers;
      const name = nameOfProblem(status, response);
      shared[name] ??= response;
      // share a response only if the route has not described it differently
      if (JSON.stringify(shared[name]) === JSON.stringify(response)) {
        operation.responses![status] = { $ref: `#/components/responses/${name}` };
      }
    }
  }
  if (document.components !== undefined) {
    document.components.responses = shared;
    // schemas are registered in the order in which modules are loaded, which differs between processes
    document.components.schemas = Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1)));
  }
  return document as T;
}

const codesOf = ({ content = {} }: Response): string[] =>
  Object.values(content).flatMap(({ examples = {} }) => Object.keys(examples));

/** Adds the headers that follow from the route configuration. */
function addHeaders(operation: Operation): void {
  const headers = operation['x-headers'];
  delete operation['x-headers'];
  if (headers === undefined) return;
  if (headers.parameters.length > 0) operation.parameters = [...(operation.parameters ?? []), ...headers.parameters];
  const responses = operation.responses ?? {};
  if (Object.keys(headers.success).length > 0 && responses['200'] !== undefined) {
    responses['200'].headers = headers.success;
  }
  if (headers.notModified !== undefined) responses['304'] = headers.notModified;
}

/** Component name by status and codes, so that operations with the same errors share it. */
function nameOfProblem(status: string, response: Response): string {
  return ['Problem', status, ...codesOf(response)].join('.').replace('.', '');
}

/** `getVehiclesByImeiPosition` of GET /v1/vehicles/{imei}/position: what generated clients call it. */
function nameOf(method: string, path: string): string {
  const words = path
    .replace(/^\/v1\//, '')
    .split('/')
    .flatMap((part) => (part.startsWith('{') ? ['by', part.slice(1, -1)] : [part]))
    .flatMap((part) => part.split(/[^A-Za-z0-9]+/));
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** Generated clients change the case of names: `/v1/app/me` and its alias `/v1/app/ME` need different names. */
function distinctName(name: string, taken: Set<string>): string {
  const distinct = taken.has(name.toLowerCase()) ? `${name}Alias` : name;
  taken.add(distinct.toLowerCase());
  return distinct;
}

const FORMATS = new Set(['date-time', 'date', 'email', 'uuid']);

function tidy(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(tidy);
  if (node === null || typeof node !== 'object') return node;
  const entries = Object.entries(simplify(node as Schema))
    .filter(([key]) => !(key === 'pattern' && FORMATS.has((node as { format?: string }).format ?? '')))
    // the bounds of safe integers are omitted
    .filter(([, value]) => Math.abs(value as number) !== Number.MAX_SAFE_INTEGER)
    .map(([key, value]) => [key, tidy(value)] as const);
  const { items, prefixItems = items, ...rest } = Object.fromEntries(entries);
  if (!Array.isArray(prefixItems)) return Object.fromEntries(entries);
  return { ...rest, items: anyOf(prefixItems as Schema[]), minItems: prefixItems.length, maxItems: prefixItems.length };
}

/** One schema for all items of a tuple: client generators do not support `prefixItems`. */
function anyOf(places: readonly Schema[]): Schema {
  const distinct = [...new Map(places.map((place) => [JSON.stringify(place), place])).values()];
  if (distinct.length === 1) return distinct[0]!;
  if (distinct.some(({ type }) => type !== 'number')) return { anyOf: distinct };
  const bound = (name: 'minimum' | 'maximum', of: (...values: number[]) => number): Schema => {
    const values = distinct.map((place) => place[name]);
    return values.every((value) => typeof value === 'number') ? { [name]: of(...(values as number[])) } : {};
  };
  return { type: 'number', ...bound('minimum', Math.min), ...bound('maximum', Math.max) };
}
