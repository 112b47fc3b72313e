import type pg from 'pg';
import { z } from 'zod';
import { EVENT_BYTES, otherSessions, presence, SESSION_QUERIES, sessionQuery } from '../../../contract/events.ts';
import { EVENTS_MEDIA_TYPE } from '../../../contract/internal.ts';
import { instant } from '../../../contract/position.ts';
import { type App, listOf, member, principalOf, toInstant } from '../../kernel/http/index.ts';
import type { DownlinkService } from './downlink.ts';
import type { PresenceService } from './presence.ts';
import type { SessionRegistry } from './registry/service.ts';
import { listUnadmittedFrames } from './store.ts';

const access = ['internal'] as const;

const unadmittedFrame = z
  .object({
    at: instant,
    gateway: z.string(),
    conn: z.string(),
    protocol: member.protocol,
    transport: z.string(),
    remote: z.string().describe('address and port'),
    reason: z
      .enum(['unidentified', 'refused', 'unsure', 'invalid-id'])
      .describe(
        'unidentified: no device id has been sent; unsure: the gateway has no device list yet, ' +
          'or no room for another device that is not registered',
      ),
    imei: member.imei.nullable().describe('device id of the login'),
    size: z.number().int().describe('bytes of the frame'),
    hex: z.string().describe('at most the first 256 bytes'),
  })
  .meta({ id: 'UnadmittedFrame' });

const MAX_LISTED = 1_000;

export interface GatewayServices {
  /** of the role that may access all tenants */
  readonly pool: pg.Pool;
  readonly presence: PresenceService;
  readonly downlink: DownlinkService;
  readonly registry: SessionRegistry;
}

export function addGatewayRoutes(app: App, { pool, presence: presences, downlink, registry }: GatewayServices): void {
  addUnadmittedFrames(app, pool);
  app.post(
    '/v1/internal/presence',
    {
      config: { access, rateLimit: false },
      bodyLimit: 64 * EVENT_BYTES,
      schema: {
        tags: ['internal'],
        summary: 'Lease of presence: the gateway and its connections are there',
        body: presence,
        response: { 200: z.object({ leaseSeconds: z.number().int() }) },
      },
    },
    async (request) => presences.renew(principalOf(request).id, request.body),
  );

  app.post(
    '/v1/internal/sessions',
    {
      config: { access, rateLimit: false },
      schema: {
        tags: ['internal'],
        summary: 'Sessions of devices on other gateways',
        body: z.object({ items: z.array(sessionQuery).min(1).max(SESSION_QUERIES) }),
        response: { 200: otherSessions },
      },
    },
    async (request) => ({ items: await registry.find(principalOf(request).id, request.body.items) }),
  );

  app.get(
    '/v1/internal/downlink',
    {
      config: { access, rateLimit: false, produces: EVENTS_MEDIA_TYPE },
      schema: { tags: ['internal'], summary: 'Held stream of NDJSON lines to a gateway' },
    },
    async (request, reply) => {
      const stream = await downlink.open(principalOf(request).id);
      request.raw.once('close', () => stream.destroy());
      return reply
        .type(EVENTS_MEDIA_TYPE)
        .header('cache-control', 'no-store')
        .header('x-accel-buffering', 'no')
        .send(stream);
    },
  );
}

function addUnadmittedFrames(app: App, pool: pg.Pool): void {
  app.get(
    '/v1/unadmitted-frames',
    {
      config: { access: ['ops'] },
      schema: {
        tags: ['devices'],
        summary: 'Frames of connections without an admitted device',
        description:
          'A sample of the last hour, newest first: each gateway keeps a few frames of each address in memory, and ' +
          'reports them every 10 seconds. They are not stored otherwise.',
        response: { 200: listOf(unadmittedFrame) },
      },
    },
    async () => {
      const rows = await listUnadmittedFrames(pool, MAX_LISTED);
      const items = rows.map(({ at, bytes, ...row }) => ({ ...row, at: toInstant(at), hex: bytes.toString('hex') }));
      return { items, nextCursor: null };
    },
  );
}
