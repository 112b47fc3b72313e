import type { RouteOptions } from 'fastify';
import type { Access } from './access.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Accepts an Idempotency-Key. Default: operations with effects that require a tenant scope. `false` if the
     * response contains a secret, which must not be stored, or if the client chooses the record ids.
     */
    isRepeatable?: boolean;
  }
}

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether an operation changes data. A PUT or POST whose scopes all end in `:read` is a read. */
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
