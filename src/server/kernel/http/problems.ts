import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError, type ErrorCode, errorTable } from '../../../platform/errors.ts';
import type { Log } from '../../../platform/log.ts';
import { asAppError } from '../../database/index.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** a token endpoint of OAuth 2.0: problems have the members of RFC 6749 too */
    isOAuth?: true;
  }
}

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

/** Problem details (RFC 9457). `type` is the path of the documentation of the code on this server. */
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
    error: z.string().optional().describe('of the OAuth 2.0 token endpoint (RFC 6749, 5.2)'),
    error_description: z.string().optional(),
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
  request.refusal = error;
  const body: z.output<typeof problem> = {
    type: `/problems/${code}`,
    title: errorTable[code].title,
    status,
    detail: message,
    instance: request.url.split('?', 1)[0]!,
    code,
    requestId: request.id,
    ...(errors.length > 0 ? { errors: [...errors] } : {}),
    ...(request.routeOptions.config.isOAuth === true ? oauthError(code, message) : {}),
  };
  return sendProblemBody(reply, body);
}

/** RFC 6749, 5.2 */
const OAUTH_ERRORS: Partial<Record<ErrorCode, string>> = {
  'invalid-client': 'invalid_client',
  'scope-not-granted': 'invalid_scope',
  'missing-scope': 'unauthorized_client',
};

const oauthError = (code: ErrorCode, message: string) => ({
  error: OAUTH_ERRORS[code] ?? 'invalid_request',
  error_description: message.replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, ' '),
});

/** Sends a problem document, bypassing the response schema of the route. */
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
  // 22021: text with U+0000, which PostgreSQL cannot store, in an input without a schema
  if ((error as { code?: unknown } | null)?.code === '22021')
    return new AppError('invalid', 'The text contains U+0000');
  const { code = '', statusCode } = error as FastifyError;
  const known = FASTIFY_CODES[code];
  if (known !== undefined) return new AppError(known);
  // multipart errors have no code
  if (error instanceof Error && /^Multipart: /.test(error.message)) return new AppError('malformed');
  if (statusCode === 429) return new AppError('rate-limited');
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return new AppError('malformed');
  return new AppError('internal');
}
