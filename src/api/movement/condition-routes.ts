import { z } from 'zod';
import { instant } from '../../contract/position.ts';
import { AppError } from '../../platform/errors.ts';
import { principalOf, tenantOf } from '../http/access.ts';
import { toInstant } from '../http/instants.ts';
import type { App } from '../http/server.ts';
import { clientSignal } from './answer-stream.ts';
import { fuelBody, fuelItem, readFuel } from './fuel/levels.ts';
import { checkInterval, POINT_DAYS, queryInterval } from './interval.ts';
import type { Movement } from './movement.ts';
import { assess, fleetScore, safetyItem } from './safety.ts';
import { twoAtATime } from './trips.ts';
import { findVehicle } from './vehicle-lookup.ts';

/** Operations 18 and 36. */
export function addConditionRoutes(app: App, movement: Movement): void {
  app.post(
    '/v1/vehicles/get_fuel_levels',
    {
      config: { access: ['vehicles:read'] },
      schema: {
        tags: ['movement'],
        summary: 'Fuel in the tank, refuels and drains',
        description:
          'Readings are smoothed over five. A change of 8 l, or of 5 % of a larger tank, within ten minutes or a silence ' +
          'of the device is a refuel or a drain; what is missing after 5 km was driven. At most 31 days.',
        body: fuelBody,
        response: { 200: z.object({ items: z.array(fuelItem) }) },
      },
    },
    async (request, reply) => {
      const tenantId = tenantOf(request);
      const question = checkInterval(request.body, POINT_DAYS);
      const signal = clientSignal(reply);
      const vehicles = await twoAtATime(question.vehicles, (targa) => findVehicle(movement.vehicles, tenantId, targa));
      return { items: await twoAtATime(vehicles, (each) => readFuel(movement, tenantId, each, question, signal)) };
    },
  );
  app.get(
    '/v1/vehicles/safety/:user_id',
    {
      config: { access: ['vehicles:read'] },
      schema: {
        tags: ['movement'],
        summary: 'How the vehicles of a user are driven',
        description:
          'Points are taken off 100 on 100 km: 4 a harsh braking, 3 a cornering, 2 an acceleration (as devices alarm ' +
          'them), 2 a minute over 130 km/h. At most 31 days.',
        params: z.object({ user_id: z.string().min(1).max(100) }),
        querystring: z.object(queryInterval),
        response: {
          200: z.object({
            userId: z.string(),
            from: instant,
            to: instant,
            items: z.array(safetyItem),
            fleetScore: z.number().int().nullable(),
          }),
        },
      },
    },
    async (request, reply) => {
      const tenantId = tenantOf(request);
      const userId = request.params.user_id;
      const interval = checkInterval(request.query, POINT_DAYS);
      const { kind, id } = principalOf(request);
      const vehicles = await movement.vehicles.ofUser(tenantId, userId === 'me' && kind === 'user' ? id : userId);
      if (vehicles === undefined) throw new AppError('unknown-user');
      const signal = clientSignal(reply);
      const all = await twoAtATime(vehicles, (each) => assess(movement, tenantId, each, interval, signal));
      const { from, to } = interval;
      const items = all.map(({ item }) => item);
      return { userId, from: toInstant(from), to: toInstant(to), items, fleetScore: fleetScore(all) };
    },
  );
}
