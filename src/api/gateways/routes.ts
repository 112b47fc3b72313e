import { z } from 'zod';
import { EVENT_BYTES, presence } from '../../contract/events.ts';
import { EVENTS_MEDIA_TYPE } from '../../contract/internal.ts';
import { type App, principalOf } from '../http/index.ts';
import type { DownlinkService } from './downlink.ts';
import type { PresenceService } from './presence.ts';

const access = ['internal'] as const;

export interface GatewayServices {
  readonly presence: PresenceService;
  readonly downlink: DownlinkService;
}

export function addGatewayRoutes(app: App, { presence: presences, downlink }: GatewayServices): void {
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
