import { z } from 'zod';
import { deviceId } from '../../../contract/position.ts';
import { noteChange } from '../../kernel/audit/index.ts';
import { type App, instantField, instantParameter, listOf, page, tenantOf, text } from '../../kernel/http/index.ts';
import { recordName, removal } from '../../kernel/records/index.ts';
import { begin, history, historyRequest, pairing } from './schema.ts';
import type { Pairings } from './service.ts';

const tags = ['pairings'];
const read = { access: ['vehicles:read'] } as const;
const write = { access: ['vehicles:write'] } as const;
const BEGIN_ERRORS = ['unknown-vehicle', 'unknown-device', 'unknown-driver', 'conflict', 'from-after-to'] as const;
const params = z.object({ id: recordName.meta({ example: '4712' }) });

export function addPairingRoutes(app: App, pairings: Pairings): void {
  app.get(
    '/v1/pairings',
    {
      config: { ...read, errors: ['from-after-to'] },
      schema: {
        tags,
        summary: 'Which device and driver was in which vehicle, and when',
        querystring: z.object({
          targa: text(64, 0, 'AB123CD').optional(),
          imei: deviceId.optional(),
          driverId: text(100, 0, 'drv_0a1b2c3d4e5f6a7b8c').optional(),
          from: instantParameter('from').optional(),
          to: instantParameter('to').optional(),
          ...page,
        }),
        response: { 200: listOf(pairing) },
      },
    },
    (request) => pairings.list(tenantOf(request), request.query),
  );
  app.post(
    '/v1/pairings',
    {
      config: { ...write, errors: BEGIN_ERRORS },
      schema: {
        tags,
        summary: 'Put a device or a driver into a vehicle',
        description: 'Earlier pairings of the vehicle and of the device or driver end at that time.',
        body: begin.meta({ example: { targa: 'AB123CD', imei: '356307042441013', from: '2026-04-01T00:00:00Z' } }),
        response: { 200: pairing },
      },
    },
    async (request) => {
      const begun = await pairings.begin(tenantOf(request), request.body);
      noteChange(request, { object: begun.id, after: begun });
      return begun;
    },
  );
  app.patch(
    '/v1/pairings/:id',
    {
      config: { ...write, errors: ['unknown-pairing', 'conflict', 'from-after-to'] },
      schema: {
        tags,
        summary: 'End a pairing',
        params,
        body: z.object({ to: instantField('to').optional().describe('now, without it') }),
        response: { 200: pairing },
      },
    },
    async (request) => {
      const ended = await pairings.end(tenantOf(request), request.params.id, request.body.to);
      noteChange(request, { object: ended.id, after: ended });
      return ended;
    },
  );
  app.delete(
    '/v1/pairings/:id',
    {
      config: { ...write, errors: ['unknown-pairing'] },
      schema: { tags, summary: 'Remove a pairing that was entered by mistake', params, response: { 200: removal } },
    },
    async (request) => {
      const { id } = request.params;
      await pairings.remove(tenantOf(request), id);
      return { message: 'The pairing is removed', id };
    },
  );
  app.post(
    '/v1/vehicles/reports/pairing_history',
    {
      config: {
        ...read,
        errors: ['from-after-to', 'interval-too-long', 'unknown-vehicle', 'unknown-device', 'unknown-driver'],
      },
      schema: {
        tags: ['vehicles'],
        summary: 'Pairings of vehicles, drivers or devices in an interval, with time and distance',
        description:
          'Besides pairings entered by people and reported by devices (`card` is one that a device reads), `ddd` is from ' +
          'downloads of cards and units, where there is no pairing of that driver and vehicle; its distance is that of the odometer. Other distances are those of the routes in that time.',
        body: historyRequest.meta({
          example: { vehicles: ['AB123CD'], from: '2026-05-01T08:00:00Z', to: '2026-05-01T18:00:00Z', kind: 'both' },
        }),
        response: { 200: history },
      },
    },
    async (request) => ({ items: await pairings.history(tenantOf(request), request.body) }),
  );
}
