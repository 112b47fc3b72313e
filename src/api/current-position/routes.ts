import { type App, matches, notModified, tenantOf } from '../http/index.ts';
import { currentPosition, imeiParameter, positionQuery } from './schema.ts';
import type { CurrentPositionService } from './service.ts';

export function addCurrentPositionRoutes(app: App, vehicles: CurrentPositionService): void {
  for (const url of ['/v1/vehicles/:imei/position', '/v1/vehicles/imei/:imei/position']) {
    app.get(
      url,
      {
        config: { access: ['positions:read'], errors: ['unknown-device', 'no-position-yet'] },
        schema: {
          tags: ['vehicles'],
          summary: 'Newest position of a device',
          description:
            'The newest record. Where it carries no fix (`outdated`), the newest fix stands in for its coordinates, ' +
            '`fixTime` and `valid`. Records more than five minutes ahead of now are not considered.',
          params: imeiParameter,
          querystring: positionQuery,
          response: { 200: currentPosition },
        },
      },
      async (request, reply) => {
        const { imei } = request.params;
        const current = await vehicles.position(tenantOf(request), imei, request.query);
        const { position, modifiedAt } = current;
        const etag = `W/"${position.id}-${position.online ? 1 : 0}"`;
        reply
          .header('last-modified', new Date(modifiedAt).toUTCString())
          .header('etag', etag)
          .header('cache-control', 'no-cache');
        if (matches(request.headers['if-none-match'], etag)) return notModified(reply);
        return position;
      },
    );
  }
}
