import type { RouteOptions } from 'fastify';
import type { Access } from './access.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Takes an Idempotency-Key. By default operations with effects that need a scope of a tenant do; `false` where the
     * answer contains a secret, which is not stored, or where the records have ids of their own.
     */
    isRepeatable?: boolean;
  }
}

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Does an operation change anything? Some reads of the interface are PUT and POST: all of their scopes end in `:read`. */
export function hasEffects(methods: string | readonly string[], access: Access | undefined): boolean {
  if ([methods].flat().every((method) => SAFE.has(method))) return false;
  if (access === undefined || access === 'public') return true;
  return access.length === 0 || !access.every((scope) => scope.endsWith(':read'));
}

/** Sets `isRepeatable` of a route that does not set it. */
export function markRepeatable(route: RouteOptions): void {
  const { access = 'public', isRepeatable } = route.config ?? {};
  if (isRepeatable !== undefined || !route.url.startsWith('/v1/') || access === 'public') return;
  const isInternal = access.some((scope) => scope === 'internal');
  route.config = { ...route.config, isRepeatable: !isInternal && hasEffects(route.method, access) };
}
