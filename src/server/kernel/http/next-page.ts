import type { FastifyInstance } from 'fastify';

/** Adds a Link header (RFC 8288) to responses with a `nextCursor`. */
export function addNextPage(app: FastifyInstance): void {
  app.addHook('preSerialization', async (request, reply, answer) => {
    const { nextCursor } = (answer ?? {}) as { readonly nextCursor?: unknown };
    if (typeof nextCursor !== 'string') return answer;
    const [path = '', search] = request.url.split('?', 2);
    const query = new URLSearchParams(search);
    query.set('cursor', nextCursor);
    reply.header('link', `<${path}?${query}>; rel="next"`);
    return answer;
  });
}
