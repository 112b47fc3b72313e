import { createHash, type Hash } from 'node:crypto';
import { pipeline, Transform } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Clock } from '../../../platform/clock.ts';
import { AppError } from '../../../platform/errors.ts';
import { type App, member, type problem, sendProblemBody, toInstant } from '../http/index.ts';

const MAX_BYTES = 16_384;

const echo = z.object({
  ok: z.literal(true),
  requestId: z.string(),
  receivedAt: z.string(),
  bytes: z.number().int(),
  sha256: member.sha256,
  echo: z.unknown(),
});

const probe = z.object({
  status: z
    .number()
    .int()
    .min(200)
    .max(599)
    .refine((status) => status === 200 || status >= 400, '200, or 400 to 599')
    .default(418)
    .describe('200, or that of the problem that is answered (400 to 599)'),
  code: z
    .string()
    .regex(/^[a-z0-9-]{1,64}$/)
    .optional(),
});

/**
 * Two operations for client developers: the first echoes the request, the second answers with the requested error.
 */
export function addDiagnosticsRoutes(app: App, { isOn, clock }: { isOn: boolean; clock: Clock }): void {
  const errors = ['diagnostics-off'] as const;
  const config = { access: ['diagnostics'], audit: false, bodyIsOptional: true, errors } as const;
  const demandOn = async (): Promise<void> => {
    if (!isOn) throw new AppError('diagnostics-off');
  };
  const received: Notes = new WeakMap();
  for (const url of ['/v1/unamerda', '/v1/diagnostics/echo']) {
    app.post(
      url,
      {
        config,
        bodyLimit: MAX_BYTES,
        preParsing: async (request, _reply, payload) => pipeline(payload, noting(received, request), () => {}),
        preValidation: demandOn,
        schema: {
          tags: ['diagnostics'],
          summary: 'Echo: what arrives here is answered, nothing is kept',
          body: z.unknown().meta({ example: { hello: 'world' } }),
          response: { 200: echo },
        },
      },
      async (request, reply) => {
        const { bytes, hash } = received.get(request) ?? { bytes: 0, hash: createHash('sha256') };
        return reply.header('deprecation', 'true').send({
          ok: true,
          requestId: request.id,
          receivedAt: toInstant(clock.now()),
          bytes,
          sha256: hash.digest('hex'),
          echo: request.body ?? {},
        });
      },
    );
  }
  for (const url of ['/v1/cacca_merda', '/v1/diagnostics/problem']) {
    app.post(
      url,
      {
        config: { ...config, answersAnyError: true },
        preValidation: async (request) => {
          await demandOn();
          if (request.body === undefined) request.body = { status: 418 };
        },
        schema: {
          tags: ['diagnostics'],
          summary: 'Probe: the problem that is asked for is answered',
          body: probe.meta({ example: { status: 418, code: 'probe' } }),
          response: { 200: z.object({ ok: z.literal(true) }) },
        },
      },
      async (request, reply) => {
        const { status, code = 'probe' } = request.body;
        reply.header('deprecation', 'true');
        if (status === 200) return { ok: true as const };
        const body: z.output<typeof problem> = {
          type: `/problems/${code}`,
          title: 'The problem that was asked for',
          status,
          detail: 'Nothing is wrong: the request asked for this answer',
          instance: request.url.split('?', 1)[0]!,
          code,
          requestId: request.id,
        };
        return sendProblemBody(reply, body);
      },
    );
  }
}

/** Bytes of requests as they came, before they are parsed. */
type Notes = WeakMap<FastifyRequest, { bytes: number; readonly hash: Hash }>;

/** Passes a body on, counted and hashed. Fastify compares `receivedEncodedLength` with the declared length. */
function noting(notes: Notes, request: FastifyRequest): Transform & { receivedEncodedLength: number } {
  const note = { bytes: 0, hash: createHash('sha256') };
  notes.set(request, note);
  const passing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      note.hash.update(chunk);
      note.bytes += chunk.length;
      passing.receivedEncodedLength = note.bytes;
      done(null, chunk);
    },
  }) as Transform & { receivedEncodedLength: number };
  passing.receivedEncodedLength = 0;
  return passing;
}
