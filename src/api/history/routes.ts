import { z } from 'zod';
import { storedPosition } from '../../contract/internal.ts';
import { deviceId } from '../../contract/position.ts';
import { tenantOf } from '../http/access.ts';
import { instantParameter } from '../http/instants.ts';
import { listOf, page } from '../http/lists.ts';
import type { App } from '../http/server.ts';
import type { HistoryService } from './service.ts';

export const interval = {
  from: instantParameter('from').optional(),
  to: instantParameter('to').optional(),
};

const included = z
  .literal('named')
  .transform((name) => new Set([name]))
  .optional()
  .describe('`named`: elements by their vendor’s names, with scaled values and units, where the protocol names them');

export function addHistoryRoutes(app: App, history: HistoryService): void {
  app.get(
    '/v1/devices/:imei/positions',
    {
      config: { access: ['positions:read'] },
      schema: {
        tags: ['positions'],
        summary: 'Stored records of a device, oldest first',
        description: 'By the time of the fix, of the device or of the server, the first that there is.',
        params: z.object({ imei: deviceId }),
        querystring: z.object({ ...interval, ...page, include: included }),
        response: { 200: listOf(storedPosition) },
      },
    },
    (request) => history.track(tenantOf(request), { ...request.params, ...request.query }),
  );
}
