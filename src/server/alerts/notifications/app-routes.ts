import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../../platform/errors.ts';
import { type App, instantParameter, member, page, principalOf, tenantOf, toInstant } from '../../kernel/http/index.ts';
import { recordName } from '../../kernel/records/index.ts';
import { PRIORITIES } from '../rules/index.ts';
import { alert } from './schema.ts';
import { detailsOf, type Notifications } from './service.ts';
import type { NotificationRow } from './store.ts';

const tags = ['app'];
const access = ['app'] as const;
/** s after which an app may look again */
const POLL_S = 30;

/** A key is no user and has no alerts of its own. */
export function userOf(request: FastifyRequest): { tenantId: number; userId: string } {
  const { kind, id } = principalOf(request);
  if (kind !== 'user') throw new AppError('unknown-user', 'A user’s own credential is needed: a key is no user');
  return { tenantId: tenantOf(request), userId: id };
}

export function addAlertRoutes(app: App, notifications: Notifications): void {
  app.get(
    '/v1/app/alert',
    {
      config: { isPolled: true, access, errors: ['unknown-user'] },
      schema: {
        tags,
        summary: 'What an app shows as alerts',
        description: `Newest first. \`severity\`: at least this. \`Retry-After\` says when to look again. A key has none.`,
        querystring: z.object({
          since: instantParameter('from').optional(),
          severity: z.enum(PRIORITIES).optional(),
          ...page,
        }),
        response: {
          200: z.object({ items: z.array(alert), unread: z.number().int(), nextCursor: member.nextCursor }),
        },
      },
    },
    async (request, reply) => {
      const { since: from, severity, limit, cursor } = request.query;
      reply.header('retry-after', String(POLL_S));
      if (principalOf(request).kind !== 'user') return { items: [], unread: 0, nextCursor: null };
      const { tenantId, userId } = userOf(request);
      const priorities = severity === undefined ? undefined : PRIORITIES.slice(PRIORITIES.indexOf(severity));
      const { rows, nextCursor } = await notifications.list(tenantId, { userId, from, priorities, limit, cursor });
      const { unread } = await notifications.count(tenantId, userId);
      return { items: rows.map(toAlert), unread, nextCursor };
    },
  );
  app.post(
    '/v1/app/alert/:id/ack',
    {
      config: { access, errors: ['unknown-user', 'unknown-notification'] },
      schema: {
        tags,
        summary: 'An alert has been seen',
        params: z.object({ id: recordName.meta({ example: '4713' }) }),
        response: { 200: alert },
      },
    },
    async (request) => {
      const { tenantId, userId } = userOf(request);
      return toAlert(await notifications.acknowledge(tenantId, userId, request.params.id));
    },
  );
}

function toAlert(row: NotificationRow): z.output<typeof alert> {
  const { id, priority, type, title, body, targa, position } = row;
  return {
    id,
    severity: priority,
    kind: type,
    title,
    body,
    ...(targa === null ? {} : { targa }),
    ...(position === null ? {} : { position: { ...position } }),
    ...detailsOf(row),
    occurredAt: toInstant(row.occurredAt),
    ack: row.acknowledgedAt !== null,
  };
}
