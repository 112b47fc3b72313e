import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../../platform/errors.ts';

/** Accepted for any file: generated clients support no other file type. */
export const BYTES = 'application/octet-stream';

/** Whether an Accept header accepts this media type. (RFC 9110, 12.5.1; a quality of 0 excludes.) */
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

/**
 * Answers 406 if the client accepts no media type of the route. Files are sent as octet-stream if only that is
 * accepted.
 */
export function addNegotiation(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { access, produces = 'application/json' } = request.routeOptions.config;
    const { accept } = request.headers;
    const isTaken =
      access === undefined ||
      produces === '*/*' ||
      accepts(accept, produces) ||
      (isFile(produces) && accepts(accept, BYTES));
    done(isTaken ? undefined : new AppError('not-acceptable', `There is only ${produces}`));
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    if (reply.statusCode === 200) asAccepted(request, reply);
    done(null, payload);
  });
}

function asAccepted(request: FastifyRequest, reply: FastifyReply): void {
  const { produces, files } = request.routeOptions.config;
  if (files === undefined && (produces === undefined || produces === '*/*')) return;
  const { accept } = request.headers;
  const type = String(reply.getHeader('content-type') ?? '').split(';', 1)[0]!;
  if (isFile(type) && !accepts(accept, type) && accepts(accept, BYTES)) reply.type(BYTES);
}

const isFile = (mediaType: string): boolean =>
  mediaType !== '' && mediaType !== 'application/json' && mediaType !== 'text/event-stream';
