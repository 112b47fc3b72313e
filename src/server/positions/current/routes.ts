import { createHash } from 'node:crypto';
import { type App, matches, notModified, setTag, tenantOf } from '../../kernel/http/index.ts';
import { currentPosition, deviceState, imeiParameter, positionQuery } from './schema.ts';
import type { CurrentPositionService } from './service.ts';

/** Geofences come and go without a new position. */
const tagOf = (geofences: readonly object[]): string =>
  geofences.length === 0
    ? ''
    : `-${createHash('sha256').update(JSON.stringify(geofences)).digest('base64url').slice(0, 12)}`;

export function addCurrentPositionRoutes(app: App, vehicles: CurrentPositionService): void {
  for (const url of ['/v1/vehicles/:imei/position', '/v1/vehicles/imei/:imei/position']) {
    app.get(
      url,
      {
        config: { isTagged: true, access: ['positions:read'], errors: ['unknown-device', 'no-position-yet'] },
        schema: {
          tags: ['vehicles'],
          summary: 'Last position of a device',
          description:
            'The last record that has a fix. What a device reported since, without a fix, is in ' +
            '`/v1/devices/{imei}/state`. Records more than five minutes ahead of now are not considered.',
          params: imeiParameter,
          querystring: positionQuery,
          response: { 200: currentPosition },
        },
      },
      async (request, reply) => {
        const { imei } = request.params;
        const current = await vehicles.position(tenantOf(request), imei, request.query);
        const { position, modifiedAt } = current;
        const etag = `W/"${position.id}-${position.online ? 1 : 0}${tagOf(position.geofences)}"`;
        setTag(request, reply, etag)
          .header('last-modified', new Date(modifiedAt).toUTCString())
          .header('cache-control', 'no-store');
        if (matches(request.headers['if-none-match'], etag)) return notModified(reply);
        return position;
      },
    );
  }
  app.get(
    '/v1/devices/:imei/state',
    {
      config: { access: ['positions:read'], errors: ['unknown-device'] },
      schema: {
        tags: ['devices'],
        summary: 'State of a device',
        description:
          'The last fix and, of each attribute, the last value with its time, from positions, heartbeats and answers ' +
          'alike. Records that come late do not replace newer values.',
        params: imeiParameter,
        response: { 200: deviceState },
      },
    },
    (request) => vehicles.state(tenantOf(request), request.params.imei),
  );
}
