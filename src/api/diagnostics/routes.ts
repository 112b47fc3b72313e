import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import { type App, type problem, sendProblemBody, toInstant } from '../http/index.ts';

const MOST_BYTES = 16_384;

const echo = z.object({
  ok: z.literal(true),
  requestId: z.string(),
  receivedAt: z.string(),
  bytes: z.number().int(),
  sha256: z.string(),
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
 * The interface names two operations with placeholders. The first echoes, so that a client sees what arrives; the second
 * answers with the problem that was asked for, so that a client's author can try errors.
 */
export function addDiagnosticsRoutes(app: App, { isOn, clock }: { isOn: boolean; clock: Clock }): void {
  const errors = ['diagnostics-off'] as const;
  const config = { access: ['diagnostics'], audit: false, bodyIsOptional: true, errors } as const;
  const demandOn = async (): Promise<void> => {
    if (!isOn) throw new AppError('diagnostics-off');
  };
  for (const url of ['/v1/unamerda', '/v1/diagnostics/echo']) {
    app.post(
      url,
      {
        config,
        bodyLimit: MOST_BYTES,
        preValidation: demandOn,
        schema: {
          tags: ['diagnostics'],
          summary: 'Echo: what arrives here is answered, nothing is kept',
          body: z.unknown(),
          response: { 200: echo },
        },
      },
      async (request, reply) => {
        const text = JSON.stringify(request.body ?? {});
        return reply.header('deprecation', 'true').send({
          ok: true,
          requestId: request.id,
          receivedAt: toInstant(clock.now()),
          bytes: Number(request.headers['content-length'] ?? Buffer.byteLength(text)),
          sha256: createHash('sha256').update(text).digest('hex'),
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
          body: probe,
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
