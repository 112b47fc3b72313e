import type { FastifyRequest } from 'fastify';
import type { App, OnCaller } from '../../kernel/http/index.ts';
import type { Ids } from './ids/service.ts';
import { type Context, createContext } from './request.ts';
import { authenticate } from './sign-in/authenticate.ts';
import type { Caller, SignIn } from './sign-in/service.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** a route of Traccar's interface that anyone may call; all others need a caller, see addCallers */
    isTraccarPublic?: boolean;
  }
}

/** What routes are made with. */
export interface RouteKit {
  contextOf(request: FastifyRequest): Context;
  createContext(caller: Caller): Context;
  authenticate(request: FastifyRequest): Promise<Caller | undefined>;
}

/**
 * Options of a route. The operations that it calls decide what the caller may do and count its requests; they are the
 * documented ones, so that these routes are not part of the API document.
 */
export const traccarRoute = (options: { readonly public?: true } = {}) => ({
  exposeHeadRoute: false,
  config: {
    access: 'public' as const,
    rateLimit: false as const,
    produces: '*/*',
    isTraccarPublic: options.public === true,
  },
  schema: { hide: true },
});

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

export const createRouteKit = (app: App, ids: Ids, signIn: SignIn, onCaller: OnCaller): RouteKit => ({
  createContext: (caller) => createContext(app, ids, caller),
  contextOf(request) {
    if (request.traccarCaller === undefined) throw new Error('the route is public: it has no caller');
    return createContext(app, ids, request.traccarCaller);
  },
  async authenticate(request) {
    const caller = await authenticate(signIn, {
      headers: request.headers,
      host: request.host,
      address: request.ip,
      requestId: request.id,
      changes: !SAFE.has(request.method),
    });
    if (caller !== undefined) onCaller(request, caller.principal);
    return caller;
  },
});
