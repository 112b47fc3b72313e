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

const BEARER = /^Bearer +(\S+) *$/i;

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

const bearerOf = ({ headers }: FastifyRequest): string | undefined =>
  headers.authorization === undefined ? undefined : BEARER.exec(headers.authorization)?.[1];

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
  app.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
    const access = request.routeOptions.config.access;
    // no route: answered as such
    if (access === undefined || access === 'public') return;
    const { isPage = false } = request.routeOptions.config;
    const bearer = bearerOf(request);
    const token = bearer ?? acceptedCookieOf(request);
    const principal = token === undefined ? undefined : await credentials.identify(token);
    if (principal === undefined) {
      if (isPage && wantsPage(request)) {
        return reply.redirect(`/login?next=${encodeURIComponent(request.url.split('?', 1)[0]!)}`, 303);
      }
      reply.header('www-authenticate', token === undefined ? 'Bearer' : 'Bearer error="invalid_token"');
      return refuse(request, reply, isPage, new AppError('unauthorized'));
    }
    if (bearer === undefined && !SAFE.has(request.method) && isSameOrigin(request) !== true) {
      return refuse(request, reply, isPage, new AppError('unauthorized', 'The request comes from another site'));
    }
    request.principal = principal;
    onCaller(request, principal);
    const missing = access.find((scope) => !principal.scopes.has(scope));
    if (missing !== undefined) {
      return refuse(request, reply, isPage, new AppError('missing-scope', `The scope ${missing} is needed`));
    }
    return undefined;
  });
  // again after the body was read: events of the socket have a context of their own
  app.addHook('onRequest', restrict);
  app.addHook('preValidation', restrict);
  app.addHook('preHandler', restrict);
}

const wantsPage = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' && (headers.accept ?? '').includes('text/html');

/** Pages of other packages have their own error handler, which does not know AppError. */
function refuse(request: FastifyRequest, reply: FastifyReply, isPage: boolean, error: AppError): FastifyReply {
  if (!isPage) throw error;
  return sendProblem(reply, request, error);
}

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
