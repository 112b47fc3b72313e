import { randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type pg from 'pg';
import { z } from 'zod';
import { instant } from '../../../contract/position.ts';
import { AppError } from '../../../platform/errors.ts';
import { noteChange } from '../../kernel/audit/index.ts';
import {
  type App,
  type Cursors,
  listOf,
  page,
  principalOf,
  tenantOf,
  text,
  textLike,
  toInstant,
  toInstantOrNull,
  toPage,
} from '../../kernel/http/index.ts';
import { recordName, removal } from '../../kernel/records/index.ts';
import { EVENT_TYPES } from '../events/index.ts';
import * as store from './store.ts';

export interface WebhookRouteDeps {
  readonly app: pg.Pool;
  readonly cursors: Cursors;
  /** Throws AppError `private-address`. */
  readonly checkUrl: (url: string) => Promise<void>;
}

const MAX_WEBHOOKS = 20;
const tags = ['webhooks'];
const config = { access: ['webhooks:write'] } as const;
/** Uploads are excluded: their results name files, which require another scope. */
const TYPES = z.enum(EVENT_TYPES).exclude(['upload']);
const fields = {
  url: z.url({ protocol: /^https?$/ }).max(2_000),
  events: z.array(TYPES).min(1).max(TYPES.options.length),
  description: text(500, 0, 'Northern depot').nullable().optional(),
};
const shown = z.object({
  id: textLike('4714'),
  url: textLike('https://example.org/hooks'),
  events: z.array(z.string()),
  description: z.string().nullable(),
  createdAt: instant,
});
const delivery = z.object({
  id: textLike('4714'),
  state: z.enum(['pending', 'delivered', 'failed']),
  attempts: z.number().int(),
  reason: z.string().nullable().describe('error of the last attempt'),
  createdAt: instant,
  attemptedAt: instant.nullable(),
});

const present = ({ id, url, events, description, createdAt }: store.WebhookRow) => ({
  id,
  url,
  description,
  events: [...events],
  createdAt: toInstant(createdAt),
});

/** A user has his own; a key those of the tenant. */
const ownerOf = (request: FastifyRequest): string | undefined => {
  const { kind, id } = principalOf(request);
  return kind === 'user' ? id : undefined;
};

/** Webhooks: URLs that receive the events that their owner may see. */
export function addWebhookRoutes(server: App, { app, cursors, checkUrl }: WebhookRouteDeps): void {
  const find = async (request: FastifyRequest, id: string): Promise<store.WebhookRow> => {
    const [row] = await store.readWebhooks(app, tenantOf(request), { id, userId: ownerOf(request), limit: 1 });
    if (row === undefined) throw new AppError('unknown-webhook');
    return row;
  };
  server.post(
    '/v1/webhooks',
    {
      config: { ...config, isRepeatable: true, errors: ['private-address', 'conflict'] },
      schema: {
        tags,
        summary: 'Create a webhook',
        description:
          'POST of `{webhookId, events: [{id, event, data}]}`, signed (see `/v1/webhooks/secret`), in the form that ' +
          '`/v1/events` has. `webhook-id` names the request: sent again it is the same. Tried for 24 hours; 410 ends it.',
        body: z.object(fields).meta({
          example: { url: 'https://example.org/hooks', events: ['position'], description: 'Dispatch system' },
        }),
        response: { 200: shown },
      },
    },
    async (request) => {
      const { url, events, description = null } = request.body;
      await checkUrl(url);
      const id = `whk_${randomBytes(9).toString('hex')}`;
      const userId = ownerOf(request) ?? null;
      const createdBy = principalOf(request).id;
      const webhook = { id, url, events: [...new Set(events)], description, userId, createdBy };
      if (!(await store.insertWebhook(app, tenantOf(request), webhook, MAX_WEBHOOKS))) {
        throw new AppError('conflict', `A tenant has at most ${MAX_WEBHOOKS} webhooks`);
      }
      const made = present(await find(request, id));
      noteChange(request, { object: id, after: made });
      return made;
    },
  );
  server.get(
    '/v1/webhooks',
    {
      config,
      schema: { tags, summary: 'List webhooks', querystring: z.object(page), response: { 200: listOf(shown) } },
    },
    async (request) => {
      const { limit, cursor } = request.query;
      const tenantId = tenantOf(request);
      const filter = ['webhooks', tenantId, ownerOf(request) ?? null];
      const after = cursor === undefined ? '' : String(cursors.read(cursor, filter)[0]);
      const rows = await store.readWebhooks(app, tenantId, { userId: ownerOf(request), after, limit: limit + 1 });
      return toPage(rows, limit, present, ({ id }) => cursors.write([id], filter));
    },
  );
  const params = z.object({ id: recordName.meta({ example: '4714' }) });
  server.get(
    '/v1/webhooks/:id',
    {
      config: { ...config, errors: ['unknown-webhook'] },
      schema: {
        tags,
        summary: 'A webhook and its last deliveries',
        params,
        response: { 200: shown.extend({ deliveries: z.array(delivery) }) },
      },
    },
    async (request) => {
      const row = await find(request, request.params.id);
      const last = await store.readLastDeliveries(app, tenantOf(request), row.id);
      const deliveries = last.map(({ id, state, attempts, reason, createdAt, attemptedAt }) => ({
        id,
        state,
        attempts,
        reason,
        createdAt: toInstant(createdAt),
        attemptedAt: toInstantOrNull(attemptedAt),
      }));
      return { ...present(row), deliveries };
    },
  );
  server.delete(
    '/v1/webhooks/:id',
    {
      config: { ...config, errors: ['unknown-webhook'] },
      schema: { tags, summary: 'Delete a webhook', params, response: { 200: removal } },
    },
    async (request) => {
      const { id } = request.params;
      if (!(await store.deleteWebhook(app, tenantOf(request), id, ownerOf(request))))
        throw new AppError('unknown-webhook');
      noteChange(request, { object: id });
      return { message: 'The webhook is deleted', id };
    },
  );
}
