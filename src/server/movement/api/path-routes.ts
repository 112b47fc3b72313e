import { z } from 'zod';
import { type App, tenantOf } from '../../kernel/http/index.ts';
import { trackFormats } from '../track/writers/index.ts';
import { JSON_TYPE, streamAnswer, writeObject } from './answer-stream.ts';
import { checkInterval, POINT_DAYS } from './interval.ts';
import type { Movement } from './movement.ts';
import { downloadBody, percorsoAnswer, percorsoBody, readPercorso, writeTrack } from './path.ts';
import { WAY_REFUSALS } from './refusals.ts';
import { findTracked, findTrackedDevice } from './vehicle-lookup.ts';

/** Operations 34 and 35. */
export function addPathRoutes(app: App, movement: Movement): void {
  app.put(
    '/v1/vehicles/percorso',
    {
      config: {
        access: ['positions:read'],
        errors: WAY_REFUSALS,
      },
      schema: {
        tags: ['movement'],
        summary: 'The path of a vehicle: its points, in order',
        description:
          'Valid fixes by the time of the fix. At most 31 days; more than `maxPoints` are thinned out evenly.',
        body: percorsoBody.meta({
          example: {
            targa: 'AB123CD',
            from: '2026-05-01T08:00:00Z',
            to: '2026-05-01T18:00:00Z',
            maxPoints: 10000,
            include: ['stops'],
          },
        }),
        response: { 200: percorsoAnswer },
      },
    },
    async (request, reply) => {
      const tenantId = tenantOf(request);
      const asked = checkInterval(request.body, POINT_DAYS);
      const { targa, imei } = asked;
      const vehicle =
        targa === undefined
          ? await findTrackedDevice(movement.vehicles, tenantId, imei!, asked)
          : await findTracked(movement.vehicles, tenantId, targa, asked);
      return streamAnswer(reply, JSON_TYPE, async (write, signal) =>
        writeObject(write, await readPercorso(movement, tenantId, vehicle, asked, signal)),
      );
    },
  );
  app.post(
    '/v1/vehicles/download_route',
    {
      config: {
        access: ['routes:read'],
        errors: [...WAY_REFUSALS, 'no-data'],
        produces: '*/*',
        files: [...new Set(Object.values(trackFormats).map(({ mediaType }) => mediaType.split(';')[0]!))],
      },
      schema: {
        tags: ['movement'],
        summary: 'The path of a vehicle as a file',
        description:
          'GPX, KML, GeoJSON or CSV, written as it is read; gaps of more than 15 minutes part it. At most 31 days.',
        body: downloadBody.meta({
          example: { targa: 'AB123CD', from: '2026-05-01T08:00:00Z', to: '2026-05-01T18:00:00Z', format: 'gpx' },
        }),
        response: { 200: z.string().describe('the file') },
      },
    },
    async (request, reply) => {
      const tenantId = tenantOf(request);
      const asked = checkInterval(request.body, POINT_DAYS);
      const vehicle = await findTracked(movement.vehicles, tenantId, asked.targa, asked);
      const { mediaType, extension } = trackFormats[asked.format];
      const name = `${vehicle.targa}-${new Date(asked.from).toISOString().slice(0, 10)}.${extension}`;
      return streamAnswer(
        reply,
        mediaType,
        (write, signal) => writeTrack(movement, tenantId, vehicle, asked, write, signal),
        { 'content-disposition': `attachment; filename="${name.replace(/[^\w.-]/g, '_')}"` },
      );
    },
  );
}
