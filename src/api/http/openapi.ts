import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { createJsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { errorTable } from '../../platform/errors.ts';
import { PROBLEM_MEDIA_TYPE } from './problems.ts';

type Transformed = ReturnType<ReturnType<typeof createJsonSchemaTransform>>;

/** the schema of problems.ts, by its id */
const PROBLEM = { $ref: '#/components/schemas/Problem' };
/** what any operation may answer beside its own */
const ALWAYS = [400, 406, 413, 415, 422, 429, 500, 503];
const PROTECTED = [401, 403];

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
    transformObject: jsonSchemaTransformObject,
    transform: (input) => {
      const transformed = transform(input as Parameters<typeof transform>[0]) as Transformed;
      if (transformed.schema?.hide === true) return transformed as never;
      return describe(transformed, input.route.config?.access ?? 'public') as never;
    },
  });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    uiConfig: { persistAuthorization: true },
  });
}

function describe({ schema, url }: Transformed, access: 'public' | readonly string[]): unknown {
  const own = (schema as { response?: Record<string, unknown> }).response ?? {};
  const statuses = [...ALWAYS, ...(access === 'public' ? [] : PROTECTED), ...(url.includes('{') ? [404] : [])];
  const problems = statuses
    .filter((status) => !(status in own))
    .map((status) => [status, problemResponse(status)] as const);
  return {
    url,
    schema: {
      ...schema,
      response: { ...own, ...Object.fromEntries(problems) },
      ...(access === 'public' ? {} : { security: [{ bearer: [...access] }] }),
    },
  };
}

function problemResponse(status: number): unknown {
  const codes = Object.entries(errorTable)
    .filter(([, entry]) => entry.status === status)
    .map(([code]) => `\`${code}\``);
  return { description: codes.join(', '), content: { [PROBLEM_MEDIA_TYPE]: { schema: PROBLEM } } };
}
