import type { FastifyInstance } from 'fastify';
import { AppError } from '../../platform/errors.ts';
import { sendProblem } from './problems.ts';

/** A path that no route serves is 404; one that is served by other methods is 405, with Allow. */
export function addMethods(app: FastifyInstance): void {
  const routes: { pattern: RegExp; method: string }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    const source = url
      .replace(/\/$/, '')
      .split('/')
      .map((part) =>
        part === '*' ? '.*' : part.startsWith(':') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
      )
      .join('/');
    const pattern = new RegExp(`^${source}/?$`);
    for (const each of Array.isArray(method) ? method : [method]) routes.push({ pattern, method: each });
  });
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0]!;
    const allowed = [...new Set(routes.filter((r) => r.pattern.test(path)).map((r) => r.method))];
    if (allowed.length === 0) return sendProblem(reply, request, new AppError('not-found'));
    reply.header('allow', allowed.sort().join(', '));
    return sendProblem(reply, request, new AppError('method-not-allowed', `${path} takes ${allowed.join(', ')}`));
  });
}
