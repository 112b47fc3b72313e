import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { instant } from '../../../contract/position.ts';
import { type Access, type App, instantParameter, listOf, page, principalOf, tenantOf } from '../http/index.ts';
import type { Audit, AuditNote } from './service.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** action name of a successful request; `false`: no entry. Default: method and path, for requests with effects. */
    audit?: string | false;
    /** the route writes its audit entry itself, in the transaction of the change */
    auditsItself?: true;
  }
  interface FastifyRequest {
    /** the change for the audit entry, without secrets */
    change: { object?: string; before?: unknown; after?: unknown } | undefined;
  }
}

/** Records what a request changed, for the audit trail. */
export function noteChange(request: FastifyRequest, change: NonNullable<FastifyRequest['change']>): void {
  request.change = change;
}

/** Adds the id of the API key that acts on behalf of a user. */
export const withActingKey = (after: unknown, viaKey: string): object =>
  typeof after === 'object' && after !== null && !Array.isArray(after)
    ? { ...after, viaKey }
    : { viaKey, value: after };

/** Some reads are PUT or POST because they have a body. */
const isRead = (access: Access | undefined): boolean =>
  access !== undefined && access !== 'public' && access.length > 0 && access.every((scope) => scope.endsWith(':read'));

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Writes the audit entry of every change before the response is sent. */
export function addAuditHook(app: FastifyInstance, audit: Audit): void {
  app.decorateRequest('change', undefined);
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!isChange(request, reply)) done(null, payload);
    else if (request.routeOptions.config.auditsItself === true) {
      audit.noted();
      done(null, payload);
    } else {
      audit.write(entryOf(request)).then(() => done(null, payload), done);
    }
  });
}

function isChange({ principal, method, routeOptions }: FastifyRequest, reply: FastifyReply): boolean {
  const { audit: named, access, auditsItself } = routeOptions.config;
  if (principal?.tenantId === undefined || reply.statusCode >= 400 || named === false) return false;
  return auditsItself === true || named !== undefined || !(SAFE.has(method) || isRead(access));
}

function entryOf(request: FastifyRequest): AuditNote {
  const { method, change, routeOptions } = request;
  const { id, viaKey } = principalOf(request);
  const parameters = Object.values((request.params as Record<string, string> | undefined) ?? {});
  return {
    tenantId: tenantOf(request),
    actor: id,
    address: request.ip,
    action: routeOptions.config.audit || `${method} ${routeOptions.url}`,
    object: change?.object ?? parameters.join('/'),
    before: change?.before,
    after: viaKey === undefined ? change?.after : withActingKey(change?.after, viaKey),
    requestId: request.id,
  };
}

const entry = z
  .object({
    id: z.number().int(),
    at: instant,
    actor: z.string().describe('id of the user or key'),
    ip: z.string().nullable(),
    action: z.string(),
    object: z.string().nullable(),
    before: z.unknown().nullable(),
    after: z.unknown().nullable(),
    requestId: z.string().nullable(),
    block: z.number().int().nullable().describe('number of the block that seals it'),
    sealed: z.boolean(),
  })
  .meta({ id: 'AuditEntry' });

const chain = z.object({
  blocks: z.number().int(),
  head: z.string().nullable().describe('hash of the last block, hex; kept elsewhere it proves all before it'),
  intact: z.boolean(),
  brokenBlock: z.number().int().nullable(),
});

export function addAuditRoutes(app: App, audit: Audit): void {
  const config = { access: ['users:read'] } as const;
  app.get(
    '/v1/audit',
    {
      config,
      schema: {
        tags: ['audit'],
        summary: 'Who did what, oldest first',
        querystring: z.object({
          from: instantParameter('from').optional(),
          to: instantParameter('to').optional(),
          actor: z.string().max(100).optional(),
          action: z.string().max(200).optional(),
          object: z.string().max(200).optional(),
          ...page,
        }),
        response: { 200: listOf(entry) },
      },
    },
    (request) => audit.list(tenantOf(request), request.query),
  );
  app.get(
    '/v1/audit/chain',
    {
      config,
      schema: { tags: ['audit'], summary: 'Is the audit trail what was sealed?', response: { 200: chain } },
    },
    (request) => audit.chain(tenantOf(request)),
  );
}
