import { z } from 'zod';
import { instant } from '../../../contract/position.ts';
import { AppError } from '../../../platform/errors.ts';
import { type App, member, principalOf, tenantOf, toInstant } from '../../kernel/http/index.ts';
import { JSON_TYPE, streamAnswer, writeObject } from './answer-stream.ts';
import { fuelBody, fuelItem, readFuel } from './fuel/levels.ts';
import { checkInterval, POINT_DAYS, queryInterval, readInterval, tz } from './interval.ts';
import { calendarFor, type Movement } from './movement.ts';
import { type Assessed, assess, fleetScore } from './safety.ts';
import { safetyItem } from './safety-item.ts';
import { inOrder, twoAtATime } from './two-at-a-time.ts';
import { findVehicle, type MovingVehicle } from './vehicle-lookup.ts';

/** Operations 18 and 36. */
export function addConditionRoutes(app: App, movement: Movement): void {
  app.post(
    '/v1/vehicles/get_fuel_levels',
    {
      config: { access: ['vehicles:read'], errors: ['unknown-vehicle', 'from-after-to', 'interval-too-long'] },
      schema: {
        tags: ['movement'],
        summary: 'Fuel in the tank, refuels and drains',
        description:
          'A change of 10 l, or of 1.5 % of a larger tank (5 % where its size is not known), is a refuel or a drain. While ' +
          'the vehicle stands with the ignition off, any lasting fall is a drain; while it moves, medians of 25 readings ' +
          'are compared, less consumption. The tank is described by `fuelTankLitres` of the vehicle, and by the options ' +
          '`fuelTankLitres`, `fuelSource` (attribute that is read) and `fuelCalibration` (`reading:liters,…`) of the ' +
          'device. Rules about fuel use the same detector. At most 31 days.',
        body: fuelBody,
        response: { 200: z.object({ items: z.array(fuelItem) }) },
      },
    },
    async (request, reply) => {
      const tenantId = tenantOf(request);
      const question = checkInterval(request.body, POINT_DAYS);
      const vehicles = await twoAtATime(question.vehicles, (targa) =>
        findVehicle(movement.vehicles, tenantId, targa, question),
      );
      return streamAnswer(reply, JSON_TYPE, async (write, signal) => {
        let text = '{"items":[';
        const read = (vehicle: MovingVehicle) => readFuel(movement, tenantId, vehicle, question, signal);
        await inOrder(vehicles, read, async (item) => {
          await write(text);
          await writeObject(write, item);
          text = ',';
        });
        await write(']}');
      });
    },
  );
  app.get(
    '/v1/vehicles/safety/:user_id',
    {
      config: { access: ['vehicles:read'], errors: ['unknown-user', 'from-after-to', 'interval-too-long'] },
      schema: {
        tags: ['movement'],
        summary: 'How the vehicles of a user are driven',
        description:
          'Points are taken off 100 on 100 km: 4 a harsh braking, 3 a cornering, 2 an acceleration (as devices alarm ' +
          'them), 2 a minute over 130 km/h; of the tachograph’s events 10 for driving without a card or a breach of ' +
          'security, 3 for an interruption of power or of motion data, 2 an overspeeding, 1 a conflict of cards. Without ' +
          'a device the distance is the odometer’s. At most 31 days.',
        params: z.object({
          user_id: z.string().min(1).max(100).meta({ example: 'carla' }),
        }),
        querystring: z.object({ ...queryInterval, tz }),
        response: {
          200: z.object({
            userId: member.userId,
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
      const name = request.params.user_id;
      const calendar = await calendarFor(movement, tenantId, request.query.tz);
      const interval = checkInterval(readInterval(request.query, calendar), POINT_DAYS);
      const { kind, id } = principalOf(request);
      const userId = name === 'me' ? id : await movement.vehicles.userId(tenantId, name);
      const asked = name === 'me' && kind !== 'user' ? name : userId;
      const vehicles = asked === undefined ? undefined : await movement.vehicles.ofUser(tenantId, asked, interval);
      if (userId === undefined || vehicles === undefined) throw new AppError('unknown-user');
      return streamAnswer(reply, JSON_TYPE, async (write, signal) => {
        const { from, to } = interval;
        const head = { userId, from: toInstant(from), to: toInstant(to) };
        let text = `${JSON.stringify(head).slice(0, -1)},"items":[`;
        const assessments: Omit<Assessed, 'item'>[] = [];
        const read = (vehicle: MovingVehicle) => assess(movement, tenantId, vehicle, { calendar, ...interval }, signal);
        await inOrder(vehicles, read, async ({ item, ...own }) => {
          assessments.push(own);
          await write(text);
          await writeObject(write, item);
          text = ',';
        });
        await write(`${text === ',' ? '' : text}],"fleetScore":${JSON.stringify(fleetScore(assessments))}}`);
      });
    },
  );
}
