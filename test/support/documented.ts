import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

// benchmarks run from the build
const above = join(import.meta.dirname, '..', '..');
const ROOT = basename(above) === 'dist' ? join(above, '..') : above;

interface Content {
  readonly schema?: object;
  readonly examples?: Readonly<Record<string, unknown>>;
}
interface Response {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, Content>>;
}
interface Operation {
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
  readonly responses: Readonly<Record<string, Response>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly responses: Readonly<Record<string, Response>> };
}

/** What a test has received. */
export interface ReceivedAnswer {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly contentType: string;
  readonly body: unknown;
  readonly headers?: Headers;
  /** what the test has sent */
  readonly sent?: Readonly<Record<string, string>>;
}

let document: Document | undefined;
const read = (): Document => {
  document ??= JSON.parse(readFileSync(join(ROOT, 'docs', 'openapi.json'), 'utf8')) as Document;
  return document;
};

/**
 * Throws if docs/openapi.json describes the operation and the answer does not match it: an undocumented status, media
 * type or error code, a JSON body that does not match its schema, or a header of `HEADERS` that it does not list.
 */
export function demandDocumented(answer: ReceivedAnswer): void {
  const { method, url, status, contentType, body } = answer;
  const { paths } = read();
  const template = templateOf(url.split('?', 1)[0]!);
  const operation = template === undefined ? undefined : paths[template]![method.toLowerCase()];
  // operations that answer any request with the same problem document only their class of status
  if (operation === undefined || operation.responses['4XX'] !== undefined) return;
  const name = `${method} ${template} ${status}`;
  const response = resolved(operation.responses[status]);
  if (response === undefined) throw new Error(`${name} is not a status that docs/openapi.json lists`);
  demandHeaders(name, operation, response, answer);
  const { content = {} } = response;
  const mediaType = contentType.split(';', 1)[0]!.trim();
  // an empty body has no media type
  if (mediaType === '' && body === '') return;
  const documented = content[mediaType];
  if (documented === undefined) throw new Error(`${name} answered ${mediaType}, which docs/openapi.json does not list`);
  if (mediaType === 'application/problem+json') {
    const { code } = body as { readonly code: string };
    if (documented.examples?.[code] === undefined) {
      throw new Error(`${name} answered ${code}, which docs/openapi.json does not list`);
    }
  }
  demandNextPage(name, answer);
  if (/[/+]json$/.test(mediaType) && documented.schema !== undefined) {
    const validate = validatorOf(documented.schema);
    if (!validate(body)) {
      throw new Error(`${name} does not match its schema: ${ajv.errorsText(validate.errors)}: ${shorten(body)}`);
    }
  }
}

/** A page that has a next one names it in a Link too. */
function demandNextPage(name: string, { status, body, headers }: ReceivedAnswer): void {
  const { nextCursor } = (body ?? {}) as { readonly nextCursor?: unknown };
  if (status !== 200 || headers === undefined || nextCursor === undefined) return;
  const cursor = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]?.match(/[?&]cursor=([^&]+)/)?.[1];
  if (nextCursor !== (cursor === undefined ? null : decodeURIComponent(cursor)))
    throw new Error(`${name} has nextCursor ${nextCursor} and the header Link ${headers.get('link')}`);
}

const resolved = (response: Response | undefined): Response | undefined =>
  response?.$ref === undefined ? response : read().components.responses[response.$ref.split('/').at(-1)!];

/** Headers that clients rely on. */
const HEADERS = ['ETag', 'Link', 'Retry-After', 'Idempotency-Replayed'];
/** Headers of requests, by the statuses that show that the server has read them. */
const READ_HEADERS: Readonly<Record<string, (status: number) => boolean>> = {
  'If-None-Match': (status) => status === 304,
  'If-Match': (status) => status === 412,
  'Idempotency-Key': (status) => status < 400,
  'Last-Event-ID': (status) => status < 400,
};

function demandHeaders(name: string, { parameters = [] }: Operation, response: Response, answer: ReceivedAnswer): void {
  for (const header of HEADERS) {
    if (answer.headers?.has(header) && response.headers?.[header] === undefined) {
      throw new Error(`${name} has the header ${header}, which docs/openapi.json does not list`);
    }
  }
  for (const [header, isRead] of Object.entries(READ_HEADERS)) {
    const isSent = Object.keys(answer.sent ?? {}).some((each) => each.toLowerCase() === header.toLowerCase());
    if (!isSent || !isRead(answer.status)) continue;
    if (!parameters.some((parameter) => parameter.in === 'header' && parameter.name === header)) {
      throw new Error(`${name} reads the header ${header}, which docs/openapi.json does not list`);
    }
  }
}

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
const validators = new Map<object, ValidateFunction>();

function validatorOf(schema: object): ValidateFunction {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  if (validators.size === 0) ajv.addSchema({ $id: 'document', components: read().components });
  const local = JSON.stringify(schema).replaceAll('"#/components', '"document#/components');
  const made = ajv.compile(JSON.parse(local) as object);
  validators.set(schema, made);
  return made;
}

const shorten = (body: unknown): string => JSON.stringify(body).slice(0, 1_000);

interface Template {
  readonly path: string;
  readonly parts: readonly string[];
  /** a literal segment comes before a parameter */
  readonly rank: string;
}

const partsOf = (path: string): string[] => path.split('/').filter((part) => part !== '');

let templates: readonly Template[] | undefined;
/** Every path of the document, the one that is preferred first. */
const allTemplates = (): readonly Template[] => {
  templates ??= Object.keys(read().paths)
    .map((path) => {
      const parts = partsOf(path);
      return { path, parts, rank: parts.map((part) => (part.startsWith('{') ? 1 : 0)).join('') };
    })
    .sort((a, b) => (a.rank < b.rank ? -1 : 1));
  return templates;
};

/** The path of the document that matches a request. */
function templateOf(path: string): string | undefined {
  const asked = partsOf(path);
  const fits = ({ parts }: Template): boolean =>
    parts.length === asked.length && parts.every((part, i) => part.startsWith('{') || part === asked[i]);
  return allTemplates().find(fits)?.path;
}
