import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError, type ErrorCode, errorTable } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import { asAppError } from '../../platform/postgres/index.ts';

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

/** RFC 9457. `type` is a path of this very server, where the documentation of the code is. */
export const problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.number().int(),
    detail: z.string(),
    instance: z.string(),
    code: z.string(),
    requestId: z.string(),
    errors: z.array(z.object({ pointer: z.string(), detail: z.string() })).optional(),
  })
  .meta({ id: 'Problem' });

export function addProblems(app: FastifyInstance, log: Log): void {
  app.setErrorHandler(async (error, request, reply) => {
    const known = toAppError(error);
    if (known.code === 'internal') log.error({ err: error, requestId: request.id, url: request.url }, 'request failed');
    return sendProblem(reply, request, known);
  });
}

export function sendProblem(reply: FastifyReply, request: FastifyRequest, error: AppError): FastifyReply {
  if (error.code === 'unavailable' && !reply.hasHeader('retry-after')) reply.header('retry-after', '1');
  if (error.retryAfterS !== undefined) reply.header('retry-after', String(error.retryAfterS));
  const { code, status, message, errors } = error;
  const body: z.output<typeof problem> = {
    type: `/problems/${code}`,
    title: errorTable[code].title,
    status,
    detail: message,
    instance: request.url.split('?', 1)[0]!,
    code,
    requestId: request.id,
    ...(errors.length > 0 ? { errors: [...errors] } : {}),
  };
  return sendProblemBody(reply, body);
}

/** Answers with a problem document, whatever answers the schema of the route declares. */
export const sendProblemBody = (reply: FastifyReply, body: z.output<typeof problem>): FastifyReply =>
  reply
    .code(body.status)
    .type(PROBLEM_MEDIA_TYPE)
    .serializer((value: unknown) => JSON.stringify(value))
    .send(body);

const FASTIFY_CODES: Record<string, ErrorCode> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported-media-type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'too-large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed',
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed',
  FST_ERR_BAD_URL: 'malformed',
};

export function toAppError(thrown: unknown): AppError {
  const error = asAppError(thrown);
  if (error instanceof AppError) return error;
  // text that PostgreSQL does not hold has come through where no schema looks
  if ((error as { code?: unknown } | null)?.code === '22021') return new AppError('invalid', 'The text holds U+0000');
  const { code = '', statusCode } = error as FastifyError;
  const known = FASTIFY_CODES[code];
  if (known !== undefined) return new AppError(known);
  // a library that reads multipart bodies has no codes
  if (error instanceof Error && /^Multipart: /.test(error.message)) return new AppError('malformed');
  if (statusCode === 429) return new AppError('rate-limited');
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return new AppError('malformed');
  return new AppError('internal');
}
