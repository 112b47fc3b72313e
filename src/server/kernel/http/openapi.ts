import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { createJsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { type ErrorCode, errorTable } from '../../../platform/errors.ts';
import type { Access } from './access.ts';
import { finishDocument } from './document/finish.ts';
import { type HeaderRoute, headersOf } from './document/headers.ts';
import { type FailingRoute, type FailingSchema, problemsOf } from './document/problem-codes.ts';
import { BYTES } from './negotiation.ts';
import { PROBLEM_MEDIA_TYPE } from './problems.ts';

/** A request body without a zod schema. One media type, since generated clients support one. */
export interface TakenBody {
  readonly mediaType: string;
  /** JSON Schema; binary parts have `format: 'binary'` */
  readonly schema: object;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** media types of response files, if not given by `produces` */
    files?: readonly string[];
    /** error codes besides those that document/problem-codes.ts derives */
    errors?: readonly ErrorCode[];
    /** codes for missing records that the body refers to: answered with 422 instead of 404 */
    refersTo?: readonly ErrorCode[];
    /** request body that is a file or a form */
    takes?: TakenBody;
    /** responses have an ETag */
    isTagged?: boolean;
    /** responses have Retry-After */
    isPolled?: boolean;
    /** the body is optional */
    bodyIsOptional?: boolean;
    /** can answer with any error status */
    answersAnyError?: boolean;
  }
}

interface RouteConfig extends FailingRoute, HeaderRoute {
  readonly access?: Access;
  readonly isRepeatable?: boolean;
  readonly errors?: readonly ErrorCode[];
  readonly produces?: string;
  readonly files?: readonly string[];
  readonly takes?: TakenBody;
  readonly bodyIsOptional?: boolean;
  readonly answersAnyError?: boolean;
}
type Transformed = ReturnType<ReturnType<typeof createJsonSchemaTransform>>;

const REQUEST_ID = '2f1e7a52-6d6a-4f0c-9a2b-3b1d5c1f8e90';
/** the schema of problems.ts, by its id */
const PROBLEM = { $ref: '#/components/schemas/Problem' };
/** OpenAPI 3.1 from the schemas of the routes, at /openapi.json, and a page to try them on at /docs. */
export async function addOpenApi(app: FastifyInstance, version: string): Promise<void> {
  const transform = createJsonSchemaTransform({});
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Fleetgate',
        version,
        description: 'Positions of trackers, and what lies between a device and the service that wants it.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/' }],
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    },
    transformObject: (document) => finishDocument(jsonSchemaTransformObject(document)),
    transform: (input) => {
      const transformed = transform(input as Parameters<typeof transform>[0]) as Transformed;
      if (transformed.schema?.hide === true) return transformed;
      return describe(transformed, [input.route.method].flat(), (input.route.config ?? {}) as RouteConfig);
    },
  });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    uiConfig: { persistAuthorization: true },
  });
}

function describe({ schema, url }: Transformed, methods: readonly string[], config: RouteConfig): Transformed {
  const { access = 'public', bodyIsOptional = false, takes } = config;
  const json = (schema as { response?: Record<string, unknown> }).response;
  const hasPages = (schema as FailingSchema).querystring?.properties?.['cursor'] !== undefined;
  const own = { ...json, ...filesOf(config, json?.[200]) };
  const problems = [...problemsOf(methods, schema as FailingSchema, config)]
    .filter(([status]) => !(status in own))
    .map(([status, codes]) => [status, problemResponse(status, codes)] as const);
  const headers = { 'x-headers': headersOf(methods, config, hasPages) };
  return {
    url,
    schema: {
      ...schema,
      ...headers,
      ...(takes === undefined ? {} : { consumes: [takes.mediaType], body: takes.schema }),
      response: { ...own, ...Object.fromEntries(problems), ...(config.answersAnyError ? anyError : {}) },
      ...(bodyIsOptional ? { 'x-optional-body': true } : {}),
      ...(access === 'public' ? {} : { security: [{ bearer: [...access] }] }),
    },
  };
}

/** Schema of a file: object for JSON formats, otherwise text or bytes. */
const schemaOfFile = (type: string): object =>
  type.endsWith('+json') ? { type: 'object', additionalProperties: {} } : { type: 'string', ...encodingOf(type) };

/** Response content of files, by status, in addition to JSON. */
function filesOf({ produces, files }: RouteConfig, json: unknown): Record<number, unknown> {
  const types = files ?? (produces === undefined || produces === '*/*' ? [] : [produces]);
  if (types.length === 0) return {};
  const content = types.map((type) => [type, { schema: schemaOfFile(type) }] as const);
  // a string schema describes a text file
  const isObject = json !== undefined && (json as { type?: unknown }).type !== 'string';
  const beside = isObject ? { 'application/json': { schema: json } } : {};
  // octet-stream comes first: generated clients use the first media type they support
  const bytes = types.every((type) => type.startsWith('text/')) && !isObject ? {} : { [BYTES]: { schema: BINARY } };
  return { 200: { description: 'A file', content: { ...bytes, ...beside, ...Object.fromEntries(content) } } };
}

const BINARY = { type: 'string', format: 'binary' };
const encodingOf = (type: string): object => (/^text\/|json|xml/.test(type) ? {} : BINARY);

const PROBE = {
  type: '/problems/probe',
  title: 'The problem that was asked for',
  status: 418,
  detail: 'Nothing is wrong: the request asked for this answer',
  instance: '/v1/diagnostics/problem',
  code: 'probe',
  requestId: REQUEST_ID,
};
const anyError = Object.fromEntries(
  ['4XX', '5XX'].map((range) => [
    range,
    {
      description: 'What was asked for',
      content: { [PROBLEM_MEDIA_TYPE]: { schema: PROBLEM, example: PROBE } },
    },
  ]),
);

/** An example of each code. */
function problemResponse(status: number, codes: readonly ErrorCode[]): unknown {
  const examples = codes.map((code) => {
    const { title } = errorTable[code];
    const instance = '/v1/vehicles/AB123CD';
    const value = { type: `/problems/${code}`, title, status, detail: title, instance, code, requestId: REQUEST_ID };
    return [code, { summary: title, value }] as const;
  });
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    content: { [PROBLEM_MEDIA_TYPE]: { schema: PROBLEM, examples: Object.fromEntries(examples) } },
  };
}
