import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../../platform/errors.ts';
import { normaliseTarga } from '../../fleet/records/index.ts';
import { type App, principalOf, tenantOf, tokenOf } from '../../kernel/http/index.ts';
import type { View } from './client.ts';
import { EVENT_TYPES, type EventType, readId } from './event.ts';
import type { Hub } from './hub.ts';

export const EVENT_STREAM = 'text/event-stream';

/** Scope that each event type requires besides that of the route. */
const SCOPES: Readonly<Record<EventType, string>> = {
  position: 'positions:read',
  session: 'positions:read',
  command: 'commands:read',
  notification: 'notifications:read',
  upload: 'ddd:write',
};

const listOf = (most: number) =>
  z
    .string()
    .max(20_000)
    .transform((text) => text.split(',').map((word) => word.trim()))
    .refine((words) => words.length <= most && words.every((word) => word !== ''), {
      error: `1 to ${most}, by commas`,
    });

export function addLiveRoutes(app: App, hub: Hub): void {
  app.get(
    '/v1/events',
    {
      exposeHeadRoute: false,
      config: { access: ['positions:read'], produces: EVENT_STREAM },
      schema: {
        tags: ['live'],
        summary: 'What happens, as it happens (server-sent events)',
        description:
          'Events `position`, `session` (a device goes online or offline), `command` (a change of state), `notification` and ' +
          '`upload` (a file of an own upload in the background is finished), of what the credential may see. After `Last-Event-ID` (or the query `lastEventId`) nothing ' +
          'is lost or sent twice while the server keeps what has happened; where it does not, an event `gap` comes first.',
        querystring: z.object({
          types: listOf(EVENT_TYPES.length)
            .refine((words) => words.every((word) => (EVENT_TYPES as readonly string[]).includes(word)), {
              error: `of ${EVENT_TYPES.join(', ')}`,
            })
            .optional(),
          vehicles: listOf(1_000).optional().describe('plates'),
          imeis: listOf(1_000).optional(),
          lastEventId: z.string().max(120).optional(),
        }),
      },
    },
    async (request, reply) => {
      const { query, headers } = request;
      const given = headers['last-event-id'] ?? query.lastEventId;
      const resume = typeof given === 'string' && given !== '' ? readId(given) : undefined;
      if (typeof given === 'string' && given !== '' && resume === undefined) {
        throw new AppError('invalid', 'There is no such event', [
          { pointer: '/lastEventId', detail: 'not an id of this stream' },
        ]);
      }
      const view = viewOf(request, query);
      const token = tokenOf(request) ?? '';
      reply.hijack();
      try {
        await hub.open(reply.raw, view, token, resume);
      } catch (error) {
        // the reply is hijacked, so that Fastify does not answer
        if (!reply.raw.headersSent) reply.raw.writeHead(503, { 'retry-after': '5', 'content-length': '0' });
        reply.raw.end();
        if (!(error instanceof AppError)) throw error;
      }
      return reply;
    },
  );

  function viewOf(
    request: FastifyRequest,
    asked: { types?: string[] | undefined; vehicles?: string[] | undefined; imeis?: string[] | undefined },
  ): View {
    const { scopes, kind, id } = principalOf(request);
    const types = EVENT_TYPES.filter((type) => scopes.has(SCOPES[type]) && (asked.types?.includes(type) ?? true));
    if (types.length === 0) throw new AppError('missing-scope', 'None of the types may be seen');
    const only = [...(asked.vehicles ?? []).map(normaliseTarga), ...(asked.imeis ?? [])];
    const userId = kind === 'user' ? id : undefined;
    return {
      tenantId: tenantOf(request),
      userId,
      types: new Set(types),
      // the vehicles of a user are read after the stream was added to the hub
      vehicles: userId === undefined ? 'all' : new Set(),
      only: only.length === 0 ? undefined : new Set(only),
    };
  }
}
