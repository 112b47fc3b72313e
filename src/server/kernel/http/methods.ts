import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../../platform/errors.ts';
import { sendProblem } from './problems.ts';

/** Methods of a path, sorted; empty if there is no route. */
export type AllowedAt = (path: string) => readonly string[];

/** Answers unknown paths with 404, known paths with other methods with 405 and Allow. */
export function addMethods(app: FastifyInstance): AllowedAt {
  const routes: { pattern: RegExp; method: string; parameters: number }[] = [];
  const allowedAt: AllowedAt = (path) => {
    const found = routes.filter(({ pattern }) => pattern.test(path));
    // a static path takes precedence over one with a parameter
    const fewest = Math.min(...found.map(({ parameters }) => parameters));
    return [...new Set(found.filter(({ parameters }) => parameters === fewest).map(({ method }) => method))].sort();
  };
  app.addHook('onRoute', ({ url, method }) => {
    const source = url
      .replace(/\/$/, '')
      .split('/')
      .map((part) =>
        part === '*' ? '.*' : part.startsWith(':') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
      )
      .join('/');
    const pattern = new RegExp(`^${source}/?$`);
    const parameters = url.split(/[:*]/).length - 1;
    for (const each of [method].flat()) routes.push({ pattern, method: each, parameters });
  });
  const answer = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const path = request.url.split('?', 1)[0]!;
    const allowed = allowedAt(path);
    if (allowed.length === 0) return sendProblem(reply, request, new AppError('not-found'));
    reply.header('allow', allowed.join(', '));
    return sendProblem(reply, request, new AppError('method-not-allowed', `${path} takes ${allowed.join(', ')}`));
  };
  app.setNotFoundHandler(answer);
  // for QUERY, Fastify checks the media type before the not-found handler
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404 && request.method === 'QUERY') answer(request, reply);
    else done();
  });
  return allowedAt;
}
