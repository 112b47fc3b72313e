import { randomUUID } from 'node:crypto';
import Fastify, {
  type FastifyContextConfig,
  type FastifyInstance,
  type FastifyServerOptions,
  type RouteOptions,
} from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Budgets } from '../../platform/budgets/index.ts';
import type { CertificateFiles } from '../../platform/certificate-files.ts';
import type { Log } from '../../platform/log.ts';
import type { Credentials } from '../access/index.ts';
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
  /** with them HTTPS alone is served */
  readonly tls?: CertificateFiles | undefined;
  readonly pages: PagesDeps;
}

export type App = ReturnType<typeof withZod>;
const withZod = (app: FastifyInstance) => app.withTypeProvider<ZodTypeProvider>();

const BODY_BYTES = 1_048_576;
const REQUEST_TIMEOUT_MS = 30_000;
/** a head is short: who needs longer for it holds a connection */
const MOST_HEAD_MS = 10_000;
/** how often Node looks for requests that are not finished */
const MOST_CHECK_MS = 2_000;

/** The server without its slices: who may call, how bodies are read, what errors look like. */
export async function createServer(deps: ServerDeps): Promise<App> {
  let allowedAt: AllowedAt = () => [];
  const requestTimeout = deps.requestTimeoutMs ?? REQUEST_TIMEOUT_MS;
  const http = {
    headersTimeout: Math.min(requestTimeout, MOST_HEAD_MS),
    connectionsCheckingInterval: Math.min(requestTimeout, MOST_CHECK_MS),
  };
  const https = deps.tls === undefined ? undefined : createHttps(deps.tls, http);
  const app = Fastify({
    bodyLimit: BODY_BYTES,
    requestTimeout,
    ...(https === undefined ? { http } : ({ https: https.options } as object)),
    trustProxy: trusted(deps.trustProxy),
    genReqId: () => randomUUID(),
    // requests that are being answered are answered when it closes
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    logger: false,
    clientErrorHandler: (error, socket) => answerUnreadable(error, socket, (path) => allowedAt(path)),
    frameworkErrors: (error, request, reply) => {
      sendProblem(reply, request, toAppError(error));
    },
  });
  app.setValidatorCompiler(validatorCompiler);
  // answers are built by typed code and held to their schemas by tests, not checked again on each request
  app.setSerializerCompiler(() => (value) => JSON.stringify(value));
  app.addHook('onSend', (request, reply, payload, done) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
    // what needs a credential is kept by no cache, of a browser neither
    const { access = 'public' } = request.routeOptions.config;
    if (access !== 'public' && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
    done(null, payload);
  });
  addStrictTransport(app);
  https?.follow(app, deps.log);
  addLatency(app, deps.pages.registry);
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

/** Hops count from this server: an address that a client has written into the header lies beyond them. */
function trusted(proxies: ServerDeps['trustProxy']): NonNullable<FastifyServerOptions['trustProxy']> {
  if (typeof proxies === 'number') return (_address, hop) => hop < proxies;
  return proxies === false ? false : [...proxies];
}

/** Gateways of other versions may send members that this version does not know. */
const isTolerant = (url: string): boolean => !url.startsWith('/v1/') || url.startsWith('/v1/internal/');

/** Unknown members and query parameters of requests are refused. */
function refuseUnknownInput(route: RouteOptions): void {
  if (isTolerant(route.url)) return;
  const { body, querystring = z.object({}) } = (route.schema ?? {}) as { body?: unknown; querystring?: unknown };
  const strict = (schema: unknown): unknown => (schema instanceof z.ZodType ? refuseUnknown(schema) : schema);
  route.schema = { ...route.schema, querystring: strict(querystring) };
  if (body !== undefined) route.schema.body = strict(body);
}

/** Routes that packages bring do not say who may call them: the documentation is for all, the queue for operators. */
function foreignConfig(url: string, method: string | string[]): FastifyContextConfig | undefined {
  if (url.startsWith('/docs')) return { access: 'public', produces: '*/*' };
  if (!url.startsWith('/admin/queues')) return undefined;
  const isReading = [method].flat().every((one) => one === 'GET' || one === 'HEAD');
  return { access: isReading ? ['ops'] : ['ops', 'ops:write'], isPage: true, produces: '*/*', rateLimit: false };
}
