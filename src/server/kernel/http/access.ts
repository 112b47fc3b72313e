import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../../platform/errors.ts';
import { bearsToken } from '../../../platform/metrics-access.ts';
import { asRestrictedUser } from '../../../platform/restriction.ts';
import type { Credentials, Principal, Scope } from '../access/index.ts';
import { readCookie } from './cookies.ts';
import { sendProblem } from './problems.ts';

/** `public`, or the scopes that are all required. Every route declares it. */
export type Access = 'public' | readonly Scope[];

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    /** bearer tokens that are admitted besides, without a principal and without the database */
    tokens?: readonly string[];
    /** an HTML page: accepts the session cookie, redirects to the login page without one */
    isPage?: boolean;
    /** media type of the response besides JSON, for content negotiation */
    produces?: string;
  }
  interface FastifyRequest {
    principal: Principal | undefined;
  }
}

const BEARER = 'bearer ';

/** Cookie with an access token, for pages and for API requests of the console. */
export const PAGES_COOKIE = 'fleetgate_session';

export const cookieOf = (request: FastifyRequest): string | undefined => readCookie(request, PAGES_COOKIE);

/**
 * CSRF protection: another site can make a browser send the cookie, but not this header, since the API does not allow
 * CORS.
 */
const CONSOLE_HEADER = 'x-requested-with';
const CONSOLE = 'fleetgate-console';

function isOfConsole({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  return headers[CONSOLE_HEADER] === CONSOLE && (site === undefined || site === 'same-origin');
}

/** Hot path: no regular expression over tokens of hundreds of characters. */
function bearerOf({ headers: { authorization } }: FastifyRequest): string | undefined {
  if (authorization?.slice(0, BEARER.length).toLowerCase() !== BEARER) return undefined;
  const token = authorization.slice(BEARER.length).trim();
  return token === '' || token.includes(' ') || token.includes('\t') ? undefined : token;
}

/** The access token of a request: its bearer token, or the cookie if the route accepts it. */
export const tokenOf = (request: FastifyRequest): string | undefined => bearerOf(request) ?? acceptedCookieOf(request);

function acceptedCookieOf(request: FastifyRequest): string | undefined {
  const { isPage = false } = request.routeOptions.config;
  return isPage || isOfConsole(request) ? cookieOf(request) : undefined;
}

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Compares Sec-Fetch-Site or, over plain HTTP, Origin with this host. Undefined if the client is not a browser. */
export function isSameOrigin({ headers, host, protocol }: FastifyRequest): boolean | undefined {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin } = headers;
  if (origin === undefined) return undefined;
  if (!URL.canParse(origin)) return false;
  const from = new URL(origin);
  // an untrusted proxy may terminate TLS, so an https origin is accepted over http; an http origin over https is not
  return from.host === host && !(protocol === 'https' && from.protocol !== 'https:');
}

/** Limits database access of the request to the vehicles of its user, unless the user sees all. */
function restrict(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  const { principal } = request;
  if (principal?.isRestricted === true) asRestrictedUser(principal.id, done);
  else done();
}

/** Called for each authenticated request, whatever the response. */
export type OnCaller = (request: FastifyRequest, principal: Principal) => void;

/** Decides 401 and 403 before the body and parameters are read. */
export function addAccess(app: FastifyInstance, credentials: Credentials, onCaller: OnCaller = () => {}): void {
  app.decorateRequest('principal', undefined);
  app.addHook('onRoute', (route) => {
    if (route.config?.access === undefined) throw new Error(`${route.url} does not say who may call it`);
  });
  function admit(request: FastifyRequest, principal: Principal, access: readonly Scope[]): AppError | undefined {
    const isByCookie = !SAFE.has(request.method) && bearerOf(request) === undefined;
    if (isByCookie && isSameOrigin(request) !== true) {
      return new AppError('unauthorized', 'The request comes from another site');
    }
    request.principal = principal;
    onCaller(request, principal);
    const missing = access.find((scope) => !principal.scopes.has(scope));
    return missing === undefined ? undefined : new AppError('missing-scope', `The scope ${missing} is needed`);
  }
  // hot path: a callback is cheaper than an async hook
  app.addHook('onRequest', (request, reply, done) => {
    const { access, isPage = false, tokens } = request.routeOptions.config;
    // no route: answered with 404 later
    if (access === undefined || access === 'public' || isAmong(request, tokens)) {
      done();
      return;
    }
    const token = tokenOf(request);
    const decide = (principal: Principal | undefined): void => {
      if (principal === undefined && isPage && wantsPage(request)) {
        reply.redirect(`/login?next=${encodeURIComponent(request.url)}`, 303);
        return;
      }
      if (principal === undefined) {
        reply.header('www-authenticate', token === undefined ? 'Bearer' : 'Bearer error="invalid_token"');
      }
      const refusal = principal === undefined ? new AppError('unauthorized') : admit(request, principal, access);
      // pages of packages have their own error handler, which cannot format an AppError
      if (refusal !== undefined && isPage) sendProblem(reply, request, refusal);
      else done(refusal);
    };
    const connection = request.raw.socket;
    const recalled = token === undefined ? undefined : credentials.recall(token, connection);
    if (token === undefined || recalled !== undefined) decide(recalled);
    else credentials.identify(token, connection).then(decide).catch(done);
  });
  // again after the body is read, because socket events run in another async context
  app.addHook('onRequest', restrict);
  app.addHook('preValidation', restrict);
  app.addHook('preHandler', restrict);
}

const isAmong = ({ headers }: FastifyRequest, tokens: readonly string[] | undefined): boolean =>
  tokens !== undefined && bearsToken(headers.authorization, tokens);

const wantsPage = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' && (headers.accept ?? '').includes('text/html');

export function principalOf(request: FastifyRequest): Principal {
  if (request.principal === undefined) throw new Error('the route is public: it has no caller');
  return request.principal;
}

/** The tenant of a request. Throws AppError `missing-scope` if the caller is a service without a tenant. */
export function tenantOf(request: FastifyRequest): number {
  const { tenantId } = principalOf(request);
  if (tenantId === undefined) throw new AppError('missing-scope', 'A credential of a tenant is needed');
  return tenantId;
}
