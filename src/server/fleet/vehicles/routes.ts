import { z } from 'zod';
import { deviceId } from '../../../contract/position.ts';
import { noteChange } from '../../kernel/audit/index.ts';
import {
  type App,
  expectedVersion,
  listOf,
  member,
  principalOf,
  sendTagged,
  tenantOf,
} from '../../kernel/http/index.ts';
import { type Fields, presenter, type Records, recordName, removal } from '../../kernel/records/index.ts';
import { vehicleKind } from '../records/index.ts';
import { included, vehicle, vehiclesOfUser, vehiclesQuery } from './schema.ts';
import type { Fleet } from './service.ts';

const tags = ['vehicles'];
const read = { access: ['vehicles:read'] } as const;
const write = { access: ['vehicles:write'] } as const;
const params = z.object({
  targa: recordName.meta({ example: 'AB123CD' }).describe('plate: case, spaces and hyphens do not count'),
});
const NOTHING = new Set<never>();

export interface VehicleRouteDeps {
  readonly fleet: Fleet;
  readonly records: Records;
  /** id of a user by id, name or `me`; undefined for `me` of a key, who is no user and is given all */
  readonly userId: (request: Parameters<typeof tenantOf>[0], name: string) => Promise<string | undefined>;
}

export function addVehicleRoutes(app: App, deps: VehicleRouteDeps): void {
  addLists(app, deps);
  addLookups(app, deps);
  addChanges(app, deps);
}

function addLists(app: App, { fleet, userId }: VehicleRouteDeps): void {
  app.get(
    '/v1/vehicles',
    {
      config: { ...read, errors: ['unknown-group'] },
      schema: { tags, summary: 'List vehicles', querystring: vehiclesQuery, response: { 200: listOf(vehicle) } },
    },
    (request) => fleet.list(tenantOf(request), request.query),
  );
  app.get(
    '/v1/vehicles/user/:user_id',
    {
      config: { ...read, errors: ['unknown-user'] },
      schema: {
        tags,
        summary: 'Vehicles that are assigned to a user',
        params: z.object({ user_id: recordName.meta({ example: 'carla' }).describe('id, user name or `me`') }),
        querystring: vehiclesOfUser,
        response: { 200: listOf(vehicle).extend({ userId: member.userId }) },
      },
    },
    async (request) => {
      const name = request.params.user_id;
      const id = await userId(request, name);
      return {
        userId: id ?? principalOf(request).id,
        ...(await fleet.list(tenantOf(request), { ...request.query, userId: id })),
      };
    },
  );
}

function addLookups(app: App, { fleet }: VehicleRouteDeps): void {
  app.get(
    '/v1/vehicles/imei/:imei',
    {
      config: { isTagged: true, ...read, errors: ['unknown-vehicle', 'unknown-device'] },
      schema: {
        tags,
        summary: 'The vehicle that a device is in',
        params: z.object({ imei: deviceId }),
        querystring: included,
        response: { 200: vehicle },
      },
    },
    async (request, reply) => {
      const { include } = request.query;
      const found = await fleet.findByDevice(tenantOf(request), request.params.imei, include);
      return sendTagged(request, reply, found.version, found.vehicle);
    },
  );
  app.get(
    '/v1/vehicles/:targa',
    {
      config: { isTagged: true, ...read, errors: ['unknown-vehicle'] },
      schema: { tags, summary: 'A vehicle', params, querystring: included, response: { 200: vehicle } },
    },
    async (request, reply) => {
      const found = await fleet.find(tenantOf(request), request.params.targa, request.query.include);
      return sendTagged(request, reply, found.version, found.vehicle);
    },
  );
}

function addChanges(app: App, { fleet, records }: VehicleRouteDeps): void {
  const present = presenter(vehicleKind);
  app.post(
    '/v1/vehicles',
    {
      config: { isTagged: true, ...write, errors: ['conflict', 'unknown-group'] },
      schema: { tags, summary: 'Create a vehicle', body: vehicleKind.create, response: { 200: vehicle } },
    },
    async (request, reply) => {
      const tenantId = tenantOf(request);
      const row = await records.create(tenantId, request.body as Fields);
      noteChange(request, { object: row.id, after: present(row) });
      const made = await fleet.find(tenantId, row.id, NOTHING);
      return sendTagged(request, reply, made.version, made.vehicle);
    },
  );
  app.patch(
    '/v1/vehicles/:targa',
    {
      config: {
        isTagged: true,
        ...write,
        errors: ['unknown-vehicle', 'conflict', 'unknown-group', 'precondition-failed'],
      },
      schema: {
        tags,
        summary: 'Change a vehicle',
        description:
          'Omitted fields are not changed. With If-Match, a record that was changed in the meantime is refused (412).',
        params,
        body: vehicleKind.change.meta({ example: { make: 'Fiat', model: 'Ducato', year: 2024 } }),
        response: { 200: vehicle },
      },
    },
    async (request, reply) => {
      const tenantId = tenantOf(request);
      const version = expectedVersion(request);
      const { before, after } = await records.change(tenantId, request.params.targa, request.body as Fields, version);
      noteChange(request, { object: after.id, before: present(before), after: present(after) });
      const changed = await fleet.find(tenantId, after.id, NOTHING);
      return sendTagged(request, reply, changed.version, changed.vehicle);
    },
  );
  app.delete(
    '/v1/vehicles/:targa',
    {
      config: { ...write, errors: ['unknown-vehicle', 'precondition-failed'] },
      schema: {
        tags,
        summary: 'Remove a vehicle',
        description: 'With its pairings; its device and the device’s positions stay.',
        params,
        response: { 200: removal },
      },
    },
    async (request) => {
      const row = await records.remove(tenantOf(request), request.params.targa, expectedVersion(request));
      noteChange(request, { object: row.id, before: present(row) });
      return { message: 'The vehicle is removed', id: row.id };
    },
  );
}
