import type { FastifyInstance } from 'fastify';
import { AppError } from '../../platform/errors.ts';

/** Does an Accept header take this media type? (RFC 9110, 12.5.1; a quality of 0 excludes.) */
export function accepts(header: string | undefined, mediaType: string): boolean {
  if (header === undefined || header.trim() === '') return true;
  const [type] = mediaType.split('/');
  let best = -1;
  let taken = false;
  for (const range of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim());
    const rank = [`*/*`, `${type}/*`, mediaType].indexOf(name);
    if (rank <= best) continue;
    best = rank;
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    taken = quality === undefined || Number(quality) > 0;
  }
  return taken;
}

/** 406 where the client takes nothing of what the route answers with. */
export function addNegotiation(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    const { access, produces = 'application/json' } = request.routeOptions.config;
    if (access === undefined || produces === '*/*') return;
    if (!accepts(request.headers.accept, produces)) throw new AppError('not-acceptable', `There is only ${produces}`);
  });
}
