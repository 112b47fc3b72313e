import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../platform/errors.ts';
import { asRestrictedUser } from '../../platform/restriction.ts';
import type { Credentials, Principal, Scope } from '../access/index.ts';
import { readCookie } from './cookies.ts';
import { sendProblem } from './problems.ts';

/** `public`, or the scopes of which all are needed. Every route says one. */
export type Access = 'public' | readonly Scope[];

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    /** a page for people: whoever is logged in by a cookie is admitted, whoever is not is sent to log in */
    isPage?: boolean;
    /** what the route answers with beside JSON, for Accept */
    produces?: string;
  }
  interface FastifyRequest {
    principal: Principal | undefined;
  }
}

const BEARER = 'bearer ';

/** Holds an access token: for pages, and for the requests that the console makes to the API. */
export const PAGES_COOKIE = 'fleetgate_session';

export const cookieOf = (request: FastifyRequest): string | undefined => readCookie(request, PAGES_COOKIE);

/** Another site can make a browser send the cookie, but not this header: the API has no CORS. */
const CONSOLE_HEADER = 'x-requested-with';
const CONSOLE = 'fleetgate-console';

function isOfConsole({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  return headers[CONSOLE_HEADER] === CONSOLE && (site === undefined || site === 'same-origin');
}

/** Without a regular expression: tokens have hundreds of characters, and every request has one. */
function bearerOf({ headers: { authorization } }: FastifyRequest): string | undefined {
  if (authorization?.slice(0, BEARER.length).toLowerCase() !== BEARER) return undefined;
  const token = authorization.slice(BEARER.length).trim();
  return token === '' || token.includes(' ') || token.includes('\t') ? undefined : token;
}

/** The access token of a request: its bearer token, or the cookie where that is accepted. */
export const tokenOf = (request: FastifyRequest): string | undefined => bearerOf(request) ?? acceptedCookieOf(request);

function acceptedCookieOf(request: FastifyRequest): string | undefined {
  const { isPage = false } = request.routeOptions.config;
  return isPage || isOfConsole(request) ? cookieOf(request) : undefined;
}

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Browsers state where a request comes from; over plain HTTP by `Origin` only. Undefined: another client. */
export function isSameOrigin({ headers, host, protocol }: FastifyRequest): boolean | undefined {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin } = headers;
  if (origin === undefined) return undefined;
  if (!URL.canParse(origin)) return false;
  const from = new URL(origin);
  // a proxy that is not trusted may speak TLS with the browser; a page of plain HTTP is never one of ours over TLS
  return from.host === host && !(protocol === 'https' && from.protocol !== 'https:');
}

/** What the request reads and writes is limited to the vehicles of its user, where he is not given all. */
function restrict(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  const { principal } = request;
  if (principal?.isRestricted === true) asRestrictedUser(principal.id, done);
  else done();
}

/** Hears of each request whose caller is known, whatever is answered. */
export type OnCaller = (request: FastifyRequest, principal: Principal) => void;

/** 401 and 403 are decided before anything else of the request is looked at. */
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
  // no async function: promises of every request would cost more than what it does
  app.addHook('onRequest', (request, reply, done) => {
    const { access, isPage = false } = request.routeOptions.config;
    // no route: answered as such
    if (access === undefined || access === 'public') {
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
      // pages of other packages have their own error handler, which does not know AppError
      if (refusal !== undefined && isPage) sendProblem(reply, request, refusal);
      else done(refusal);
    };
    const connection = request.raw.socket;
    const recalled = token === undefined ? undefined : credentials.recall(token, connection);
    if (token === undefined || recalled !== undefined) decide(recalled);
    else credentials.identify(token, connection).then(decide).catch(done);
  });
  // again after the body was read: events of the socket have a context of their own
  app.addHook('onRequest', restrict);
  app.addHook('preValidation', restrict);
  app.addHook('preHandler', restrict);
}

const wantsPage = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' && (headers.accept ?? '').includes('text/html');

export function principalOf(request: FastifyRequest): Principal {
  if (request.principal === undefined) throw new Error('the route is public: it has no caller');
  return request.principal;
}

/** The tenant that a request reads and writes as. Throws AppError `missing-scope` for services that have none. */
export function tenantOf(request: FastifyRequest): number {
  const { tenantId } = principalOf(request);
  if (tenantId === undefined) throw new AppError('missing-scope', 'A credential of a tenant is needed');
  return tenantId;
}
