import { z } from 'zod';
import { deviceId } from '../../../contract/position.ts';
import { type App, flagParameter, instantParameter, listOf, page, tenantOf } from '../../kernel/http/index.ts';
import { timelineEntry } from './schema.ts';
import type { TimelineService } from './service.ts';

export function addTimelineRoutes(app: App, timeline: TimelineService): void {
  app.get(
    '/v1/devices/:imei/timeline',
    {
      config: { access: ['devices:read'], errors: ['unknown-device', 'from-after-to'] },
      schema: {
        tags: ['devices'],
        summary: 'What happened on the wire: frames with their meaning, sessions, answers',
        description: 'Kept for RAW_RETENTION_DAYS. Frames are decoded when they are read, by this version.',
        params: z.object({ imei: deviceId }),
        querystring: z.object({
          from: instantParameter('from').optional(),
          to: instantParameter('to').optional(),
          fields: flagParameter()
            .default(false)
            .describe('which values the bytes of each frame determine; at most 5 entries at once'),
          ...page,
        }),
        response: { 200: listOf(timelineEntry) },
      },
    },
    (request) => timeline.read(tenantOf(request), { ...request.params, ...request.query }),
  );
}
