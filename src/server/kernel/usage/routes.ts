import { z } from 'zod';
import { type App, instantParameter, listOf, page, tenantOf } from '../http/index.ts';
import type { Usage } from './service.ts';

const count = z.number().int();

const usageDay = z
  .object({
    day: z.iso.date().describe('day, UTC'),
    requests: count.describe('requests to the REST API with a credential of the tenant'),
    activeUsers: count.describe('users who have made a request'),
    activeDevices: count.describe('devices of which a frame or a position has been received'),
    framesReceived: count.describe('messages of devices; one that names several devices counts for each of them'),
    positionsReceived: count.describe('positions, also those that a device or another service has sent before'),
    positionsStored: count.describe('positions that were not stored before'),
  })
  .meta({ id: 'UsageDay' });

export function addUsageRoutes(app: App, usage: Pick<Usage, 'list'>): void {
  app.get(
    '/v1/usage',
    {
      config: { access: ['users:read'] },
      schema: {
        tags: ['usage'],
        summary: 'What the tenant did day by day, oldest first',
        description:
          'Days (UTC) that have an instant of the interval; a day on which nothing happened is absent. Each API process ' +
          'adds what it has counted every few seconds (`USAGE_SECONDS`).',
        querystring: z.object({
          from: instantParameter('from').optional(),
          to: instantParameter('to').optional(),
          ...page,
        }),
        response: { 200: listOf(usageDay) },
      },
    },
    (request) => usage.list(tenantOf(request), request.query),
  );
}
