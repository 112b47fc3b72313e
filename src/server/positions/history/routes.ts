import { z } from 'zod';
import { storedPosition } from '../../../contract/internal.ts';
import { deviceId } from '../../../contract/position.ts';
import { type App, flagParameter, instantParameter, listOf, page, tenantOf } from '../../kernel/http/index.ts';
import { namedIncluded } from '../view/index.ts';
import type { HistoryService } from './service.ts';

export const interval = {
  from: instantParameter('from').optional(),
  to: instantParameter('to').optional(),
};

export function addHistoryRoutes(app: App, history: HistoryService): void {
  app.get(
    '/v1/devices/:imei/positions',
    {
      config: { access: ['positions:read'], errors: ['unknown-device', 'from-after-to'] },
      schema: {
        tags: ['positions'],
        summary: 'Stored records of a device, oldest first',
        description: 'By the time of the fix, of the device or of the server, the first that there is.',
        params: z.object({ imei: deviceId }),
        querystring: z.object({
          ...interval,
          ...page,
          include: namedIncluded,
          clockSuspect: flagParameter()
            .optional()
            .describe(
              'true: only records whose time cannot be right. They have the member `clockSuspect` and are not valid.',
            ),
        }),
        response: { 200: listOf(storedPosition) },
      },
    },
    (request) => history.track(tenantOf(request), { ...request.params, ...request.query }),
  );
}
