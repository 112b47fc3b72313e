import { z } from 'zod';
import { EVENT_BYTES, eventsAnswer, presence } from '../../contract/events.ts';
import { EVENTS_MEDIA_TYPE, eventsQuery } from '../../contract/internal.ts';
import { RECORD_BYTES, RECORDS_MEDIA_TYPE } from '../../contract/records.ts';
import { AppError } from '../../platform/errors.ts';
import { principalOf } from '../http/access.ts';
import type { App } from '../http/server.ts';
import type { DownlinkService } from './downlink.ts';
import type { EventService } from './events.ts';
import type { PresenceService } from './presence.ts';

const access = ['internal'] as const;

export interface GatewayServices {
  readonly events: EventService;
  readonly presence: PresenceService;
  readonly downlink: DownlinkService;
}

export function addGatewayRoutes(app: App, { events, presence: presences, downlink }: GatewayServices): void {
  app.post(
    '/v1/internal/events',
    {
      config: { access, rateLimit: false, errors: ['conflict'] },
      // a line may end the batch a little past the limit that gateways keep to
      bodyLimit: 2 * Math.max(EVENT_BYTES, RECORD_BYTES),
      schema: {
        tags: ['internal'],
        summary: 'What a gateway reports',
        description:
          'NDJSON, one event a line in the order of seq, or the records of a spool as they are. Applied once, ' +
          'whatever is repeated.',
        consumes: [EVENTS_MEDIA_TYPE, RECORDS_MEDIA_TYPE],
        querystring: eventsQuery,
        response: { 200: eventsAnswer },
      },
    },
    async (request) => {
      const { body, query } = request;
      if (typeof body !== 'string' && !Buffer.isBuffer(body)) {
        throw new AppError('unsupported-media-type', `There are ${EVENTS_MEDIA_TYPE} and ${RECORDS_MEDIA_TYPE}`);
      }
      const { lastSeq, rejected } = await events.take({ gateway: principalOf(request).id, ...query }, body);
      return { lastSeq, rejected: [...rejected] };
    },
  );

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
