import { isAscii } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { EVENTS_MEDIA_TYPE } from '../../../contract/internal.ts';
import { RECORDS_MEDIA_TYPE } from '../../../contract/records.ts';
import { AppError } from '../../../platform/errors.ts';

/**
 * Body parsers: JSON (an empty body is an empty object), NDJSON as text, spool records as bytes. Other media types
 * are answered with 415.
 */
export function addBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    if (body === '') return done(null, {});
    try {
      done(null, JSON.parse(body as string));
    } catch {
      done(new AppError('malformed', 'The body is no JSON'));
    }
  });
  app.addContentTypeParser(EVENTS_MEDIA_TYPE, { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, textOf(body as Buffer)),
  );
  app.addContentTypeParser(RECORDS_MEDIA_TYPE, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}

/** UTF-8 text. Nearly all batches are ASCII, for which latin1 decoding is faster. */
const textOf = (body: Buffer): string => (isAscii(body) ? body.toString('latin1') : body.toString('utf8'));
