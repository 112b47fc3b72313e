import { z } from 'zod';
import { AppError } from '../../platform/errors.ts';
import { tenantOf } from '../http/access.ts';
import { listOf, page, toPage } from '../http/lists.ts';
import type { App } from '../http/server.ts';
import { clientSignal, streamAnswer } from './answer-stream.ts';
import { bodyInterval, checkInterval, POINT_DAYS, queryInterval, SUM_DAYS, targaText } from './interval.ts';
import type { Movement } from './movement.ts';
import { addUp, GROUPINGS, group, groupRoutes, localDay, sums } from './sums.ts';
import { findRoutes, type Route, route, type TripQuestion, twoAtATime } from './trips.ts';
import { findVehicle, type MovingVehicle } from './vehicle-lookup.ts';

const MOST_VEHICLES = 50;
const MOST_GROUPED = 200;
const V1_DAYS = 7;

const minStopS = z.coerce.number().int().min(1).max(86_400).default(300).describe('a shorter stop ends no route');
const access = ['routes:read'] as const;
const ABOUT =
  'Routes last from ignition on to off where the device reports it, otherwise from leaving a place to resting at one. ' +
  'A tow or a ferry with the ignition off is none; a gap ends one, unless the vehicle drove on through a tunnel. ' +
  'Routes are cut at the ends of the interval. `avgSpeed` is that while moving.';

/** Operations 14, 32 and 33. */
export function addTripRoutes(app: App, movement: Movement): void {
  addRoutesV1(app, movement);
  addRoutesV2(app, movement);
  addRoutesGrouped(app, movement);
}

const findAll = (movement: Movement, tenantId: number, called: readonly string[]): Promise<MovingVehicle[]> =>
  twoAtATime(called, (targa) => findVehicle(movement.vehicles, tenantId, targa));

function addRoutesV1(app: App, movement: Movement): void {
  app.put(
    '/v1/vehicles/routes',
    {
      config: { access },
      schema: {
        tags: ['movement'],
        summary: 'Routes of vehicles',
        description: `${ABOUT} At most ${MOST_VEHICLES} vehicles and ${V1_DAYS} days.`,
        body: z.object({ vehicles: z.array(targaText).min(1).max(MOST_VEHICLES), ...bodyInterval, minStopS }),
        response: { 200: z.object({ items: z.array(z.object({ targa: z.string(), routes: z.array(route) })) }) },
      },
    },
    async (request, reply) => {
      const tenantId = tenantOf(request);
      const interval = checkInterval(request.body, V1_DAYS);
      const vehicles = await findAll(movement, tenantId, request.body.vehicles);
      const question = { ...interval, withPolyline: true, withFuel: true };
      const answer = await streamAnswer(reply, 'application/json; charset=utf-8', async (write, signal) => {
        await write('{"items":[');
        for (const [i, vehicle] of vehicles.entries()) {
          const routes = await findRoutes(movement.pools, tenantId, vehicle, question, signal);
          await write(`${i > 0 ? ',' : ''}${JSON.stringify({ targa: vehicle.targa, routes })}`);
        }
        await write(']}');
      });
      return answer as never;
    },
  );
}

const INCLUDES = ['polyline', 'address', 'fuel'] as const;
const includes = z
  .string()
  .default('')
  .transform((text) => text.split(',').filter((word) => word !== ''))
  .pipe(z.array(z.enum(INCLUDES)))
  .describe('comma-separated: polyline, address, fuel');

function addRoutesV2(app: App, movement: Movement): void {
  const querystring = z.object({
    targa: z
      .union([targaText, z.array(targaText).min(1).max(MOST_VEHICLES)])
      .transform((value) => (typeof value === 'string' ? [value] : value))
      .describe('may be repeated'),
    ...queryInterval,
    minStopS,
    include: includes,
    ...page,
  });
  app.get(
    '/v1/vehicles/routesV2',
    {
      config: { access },
      schema: {
        tags: ['movement'],
        summary: 'Routes of vehicles, page by page',
        description: `${ABOUT} Vehicles as they are asked for, routes of each oldest first. At most ${POINT_DAYS} days.`,
        querystring,
        response: { 200: listOf(route).extend({ totals: sums.describe('of all pages') }) },
      },
    },
    async (request, reply) => {
      const tenantId = tenantOf(request);
      const { targa, from, to, include, limit, cursor } = request.query;
      checkInterval({ from, to }, POINT_DAYS);
      const vehicles = await findAll(movement, tenantId, targa);
      const filter = ['routesV2', tenantId, vehicles.map((v) => v.targa), from, to, request.query.minStopS];
      const [seen = 0] = cursor === undefined ? [] : movement.cursors.read(cursor, filter);
      const question: TripQuestion = {
        ...request.query,
        withPolyline: include.includes('polyline'),
        withFuel: include.includes('fuel'),
      };
      const signal = clientSignal(reply);
      const routes = (
        await twoAtATime(vehicles, (each) => findRoutes(movement.pools, tenantId, each, question, signal))
      ).flat();
      const rest = routes.slice(Number(seen), Number(seen) + limit + 1);
      const next = (): string => movement.cursors.write([Number(seen) + limit], filter);
      return { ...toPage<Route, Route>(rest, limit, (each) => each, next), totals: addUp(routes) };
    },
  );
}

function addRoutesGrouped(app: App, movement: Movement): void {
  const body = z.object({
    vehicles: z.array(targaText).min(1).max(MOST_GROUPED).optional(),
    group: z.string().min(1).max(200).optional(),
    ...bodyInterval,
    groupBy: z.enum(GROUPINGS).default('day'),
    tz: z.string().min(1).max(64).default('UTC').describe('days, weeks and months are those of this time zone'),
    includeRoutes: z.boolean().default(false),
    minStopS,
  });
  app.post(
    '/v1/routesGrouped',
    {
      config: { access },
      schema: {
        tags: ['movement'],
        summary: 'Routes of vehicles, added up',
        description: `${ABOUT} A route belongs to the day that it begins in. At most ${MOST_GROUPED} vehicles, ${SUM_DAYS} days.`,
        body: body.refine((asked) => (asked.vehicles === undefined) !== (asked.group === undefined), {
          error: 'either vehicles or a group',
          path: ['vehicles'],
        }),
        response: { 200: z.object({ groups: z.array(group), totals: sums }) },
      },
    },
    async (request, reply) => {
      const tenantId = tenantOf(request);
      const { groupBy, tz, includeRoutes } = request.body;
      const interval = checkInterval(request.body, SUM_DAYS);
      localDay(tz);
      const vehicles = await vehiclesOf(movement, tenantId, request.body);
      const signal = clientSignal(reply);
      const question: TripQuestion = { ...interval, withPolyline: includeRoutes, withFuel: true };
      const routes = (
        await twoAtATime(vehicles, (each) => findRoutes(movement.pools, tenantId, each, question, signal))
      ).flat();
      return { groups: groupRoutes(routes, groupBy, tz, includeRoutes), totals: addUp(routes) };
    },
  );
}

async function vehiclesOf(
  movement: Movement,
  tenantId: number,
  asked: { readonly vehicles?: readonly string[] | undefined; readonly group?: string | undefined },
): Promise<readonly MovingVehicle[]> {
  if (asked.vehicles !== undefined) return findAll(movement, tenantId, asked.vehicles);
  const found = await movement.vehicles.ofGroup(tenantId, asked.group ?? '');
  if (found === undefined) throw new AppError('unknown-group');
  if (found.length > MOST_GROUPED) throw new AppError('invalid', `The group has more than ${MOST_GROUPED} vehicles`);
  return found;
}
