import { type App, listOf, tenantOf } from '../../kernel/http/index.ts';
import {
  blocking,
  device,
  deviceChange,
  deviceParameter,
  deviceRoom,
  devicesQuery,
  registration,
  removal,
} from './schema.ts';
import type { DeviceService } from './service.ts';

const read = { access: ['devices:read'] } as const;
const write = { access: ['devices:write'] } as const;

export function addDeviceRoutes(app: App, devices: DeviceService): void {
  const tags = ['devices'];
  app.get(
    '/v1/devices',
    {
      config: read,
      schema: { tags, summary: 'Devices', querystring: devicesQuery, response: { 200: listOf(device) } },
    },
    (request) => devices.list(tenantOf(request), request.query),
  );
  app.post(
    '/v1/devices',
    {
      config: { ...write, errors: ['conflict', 'too-many-unseen-devices'] },
      schema: {
        tags,
        summary: 'Register a device',
        description: 'A rejected device is admitted when it connects again.',
        body: registration.meta({ example: { imei: '356307042441013', name: 'Ducato of Carla' } }),
        response: { 200: device },
      },
    },
    (request) => devices.register(tenantOf(request), request.body),
  );
  app.get(
    '/v1/devices/room',
    {
      config: read,
      schema: {
        tags,
        summary: 'How many further devices can be registered',
        description: 'Devices count until they have sent something.',
        response: { 200: deviceRoom },
      },
    },
    (request) => devices.room(tenantOf(request)),
  );
  const params = deviceParameter;
  app.get(
    '/v1/devices/:imei',
    {
      config: { ...read, errors: ['unknown-device'] },
      schema: { tags, summary: 'A device', params, response: { 200: device } },
    },
    (request) => devices.find(tenantOf(request), request.params.imei),
  );
  app.patch(
    '/v1/devices/:imei',
    {
      config: { ...write, errors: ['unknown-device'] },
      schema: {
        tags,
        summary: 'Change a device’s name or options',
        params,
        body: deviceChange.meta({ example: { name: 'Ducato of Mario' } }),
        response: { 200: device },
      },
    },
    (request) => devices.change(tenantOf(request), request.params.imei, request.body),
  );
  app.put(
    '/v1/devices/:imei/block',
    {
      config: { ...write, errors: ['unknown-device'] },
      schema: {
        tags,
        summary: 'Block a device',
        description:
          'For a device that was stolen or is misused: gateways end its session and do not admit it again until it is ' +
          'unblocked. Its records stay.',
        params,
        body: blocking.meta({ example: { note: 'stolen in Turin' } }),
        response: { 200: device },
      },
    },
    (request) => devices.block(tenantOf(request), request.params.imei, request.body.note),
  );
  app.delete(
    '/v1/devices/:imei/block',
    {
      config: { ...write, errors: ['unknown-device'] },
      schema: { tags, summary: 'Unblock a device', params, response: { 200: device } },
    },
    (request) => devices.unblock(tenantOf(request), request.params.imei),
  );
  app.delete(
    '/v1/devices/:imei',
    {
      config: { ...write, errors: ['unknown-device'] },
      schema: {
        tags,
        summary: 'Remove a device',
        description:
          'The device is no longer admitted and its records can no longer be read. It does not register itself again; registered ' +
          'again by hand, it starts without records.',
        params,
        response: { 200: removal },
      },
    },
    async (request) => {
      const { imei } = request.params;
      await devices.remove(tenantOf(request), imei);
      return { message: 'Device removed', imei };
    },
  );
}
