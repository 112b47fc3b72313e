import { randomUUID } from 'node:crypto';
import Fastify, {
  type FastifyContextConfig,
  type FastifyInstance,
  type FastifyServerOptions,
  type RouteOptions,
} from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { CertificateFiles } from '../../../platform/certificate-files.ts';
import { systemClock } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import type { Credentials } from '../access/index.ts';
import type { Budgets } from '../budgets/index.ts';
import { addAccess, type OnCaller } from './access.ts';
import { addBodies } from './bodies.ts';
import { addStrictTransport, createHttps } from './https.ts';
import { addLatency } from './latency.ts';
import { type AllowedAt, addMethods } from './methods.ts';
import { addNegotiation } from './negotiation.ts';
import { addNextPage } from './next-page.ts';
import { addOpenApi } from './openapi.ts';
import { addPages, type PagesDeps } from './pages.ts';
import { addProblems, sendProblem, toAppError } from './problems.ts';
import { addRateLimit } from './rate-limit.ts';
import { addRefusals } from './refusals.ts';
import { markRepeatable } from './repeatable.ts';
import { refuseUnknown } from './strict.ts';
import { answerUnreadable } from './unreadable.ts';
import { validatorCompiler } from './validation.ts';

export interface ServerDeps {
  readonly log: Log;
  readonly credentials: Credentials;
  readonly onCaller?: OnCaller | undefined;
  readonly trustProxy: number | readonly string[] | false;
  readonly rateLimit: number;
  readonly budgets: Budgets;
  /** for a whole request, head and body */
  readonly requestTimeoutMs?: number | undefined;
  readonly version: string;
  /** if set, only HTTPS is served */
  readonly tls?: CertificateFiles | undefined;
  readonly pages: PagesDeps;
}

export type App = ReturnType<typeof withZod>;
const withZod = (app: FastifyInstance) => app.withTypeProvider<ZodTypeProvider>();

const BODY_BYTES = 1_048_576;
const REQUEST_TIMEOUT_MS = 30_000;
/** limits slow clients that occupy a connection */
const HEADERS_TIMEOUT_MS = 10_000;
/** interval at which Node.js checks for timed-out requests */
const TIMEOUT_CHECK_INTERVAL_MS = 2_000;

/** Creates the HTTP server without routes: access, body parsers, error responses. */
export async function createServer(deps: ServerDeps): Promise<App> {
  let allowedAt: AllowedAt = () => [];
  const requestTimeout = deps.requestTimeoutMs ?? REQUEST_TIMEOUT_MS;
  const http = {
    headersTimeout: Math.min(requestTimeout, HEADERS_TIMEOUT_MS),
    connectionsCheckingInterval: Math.min(requestTimeout, TIMEOUT_CHECK_INTERVAL_MS),
  };
  const https = deps.tls === undefined ? undefined : createHttps(deps.tls, http);
  const app = Fastify({
    bodyLimit: BODY_BYTES,
    requestTimeout,
    ...(https === undefined ? { http } : ({ https: https.options } as object)),
    trustProxy: trusted(deps.trustProxy),
    genReqId: () => randomUUID(),
    // close() waits for running requests and closes idle connections
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    logger: false,
    clientErrorHandler: (error, socket) => answerUnreadable(error, socket, (path) => allowedAt(path)),
    frameworkErrors: (error, request, reply) => {
      sendProblem(reply, request, toAppError(error));
    },
  });
  app.setValidatorCompiler(validatorCompiler);
  // responses are checked by types and tests, not at run time
  app.setSerializerCompiler(() => (value) => JSON.stringify(value));
  app.addHook('onSend', (request, reply, payload, done) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
    // authenticated responses must not be cached, also not by browsers
    const { access = 'public' } = request.routeOptions.config;
    if (access !== 'public' && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
    done(null, payload);
  });
  addStrictTransport(app);
  https?.follow(app, deps.log);
  addLatency(app, deps.pages.registry);
  addRefusals(app, deps.log, systemClock.monotonic);
  addProblems(app, deps.log);
  allowedAt = addMethods(app);
  app.addHook('onRoute', (route) => {
    const config = foreignConfig(route.url, route.method);
    if (config === undefined) return;
    route.config = { ...config, ...route.config };
    route.schema = { hide: true, ...route.schema };
  });
  app.addHook('onRoute', (route) => {
    refuseUnknownInput(route);
    markRepeatable(route);
  });
  addAccess(app, deps.credentials, deps.onCaller);
  addNegotiation(app);
  addNextPage(app);
  addBodies(app);
  await addOpenApi(app, deps.version);
  await addRateLimit(app, deps.rateLimit, deps.budgets);
  addPages(app, deps.pages);
  return withZod(app);
}

/**
 * Number of trusted proxies, counted from this server: addresses that a client adds to X-Forwarded-For are beyond
 * them.
 */
function trusted(proxies: ServerDeps['trustProxy']): NonNullable<FastifyServerOptions['trustProxy']> {
  if (typeof proxies === 'number') return (_address, hop) => hop < proxies;
  return proxies === false ? false : [...proxies];
}

/** Unknown members are accepted from gateways, which may have a newer version. */
const isTolerant = (url: string): boolean => !url.startsWith('/v1/') || url.startsWith('/v1/internal/');

/** Unknown members and query parameters of requests are refused. */
function refuseUnknownInput(route: RouteOptions): void {
  if (isTolerant(route.url)) return;
  const { body, querystring = z.object({}) } = (route.schema ?? {}) as { body?: unknown; querystring?: unknown };
  const strict = (schema: unknown): unknown => (schema instanceof z.ZodType ? refuseUnknown(schema) : schema);
  route.schema = { ...route.schema, querystring: strict(querystring) };
  if (body !== undefined) route.schema.body = strict(body);
}

/** Access of routes that packages register: the API documentation is public, the queue dashboard needs `ops`. */
function foreignConfig(url: string, method: string | string[]): FastifyContextConfig | undefined {
  if (url.startsWith('/docs')) return { access: 'public', produces: '*/*' };
  if (!url.startsWith('/admin/queues')) return undefined;
  const isReading = [method].flat().every((one) => one === 'GET' || one === 'HEAD');
  return { access: isReading ? ['ops'] : ['ops', 'ops:write'], isPage: true, produces: '*/*', rateLimit: false };
}
