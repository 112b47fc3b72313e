import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../platform/errors.ts';
import type { Credentials } from '../auth/credentials.ts';
import type { Principal, Scope } from '../auth/scopes.ts';

/** `public`, or the scopes of which all are needed. Every route says one. */
export type Access = 'public' | readonly Scope[];

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    /** what the route answers with beside JSON, for Accept */
    produces?: string;
  }
  interface FastifyRequest {
    principal: Principal | undefined;
  }
}

const BEARER = /^Bearer +(\S+) *$/i;

/** 401 and 403 are decided before anything else of the request is looked at. */
export function addAccess(app: FastifyInstance, credentials: Credentials): void {
  app.decorateRequest('principal', undefined);
  app.addHook('onRoute', (route) => {
    if (route.config?.access === undefined) throw new Error(`${route.url} does not say who may call it`);
  });
  app.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
    const access = request.routeOptions.config.access;
    // no route: answered as such
    if (access === undefined || access === 'public') return;
    const token = BEARER.exec(request.headers.authorization ?? '')?.[1];
    const principal = token === undefined ? undefined : await credentials.identify(token);
    if (principal === undefined) {
      reply.header('www-authenticate', token === undefined ? 'Bearer' : 'Bearer error="invalid_token"');
      throw new AppError('unauthorized');
    }
    request.principal = principal;
    const missing = access.find((scope) => !principal.scopes.has(scope));
    if (missing !== undefined) throw new AppError('missing-scope', `The scope ${missing} is needed`);
  });
}

export function principalOf(request: FastifyRequest): Principal {
  if (request.principal === undefined) throw new Error('the route is public: nobody is known');
  return request.principal;
}

/** The tenant that a request reads and writes as. Throws AppError `missing-scope` for services that have none. */
export function tenantOf(request: FastifyRequest): number {
  const { tenantId } = principalOf(request);
  if (tenantId === undefined) throw new AppError('missing-scope', 'A credential of a tenant is needed');
  return tenantId;
}
