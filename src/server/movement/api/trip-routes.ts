import { z } from 'zod';
import { type TripSettings, tripSettings } from '../../../contract/trip-settings.ts';
import { AppError } from '../../../platform/errors.ts';
import { type App, listOf, member, page, tenantOf, toPage } from '../../kernel/http/index.ts';
import { language } from '../places/index.ts';
import { Aggregate, aggregateSchema, GROUPINGS, Groups, group } from './aggregates.ts';
import { clientSignal, JSON_TYPE, streamAnswer, writeObject } from './answer-stream.ts';
import {
  bodyInterval,
  checkInterval,
  checkVehicleDays,
  type Interval,
  POINT_DAYS,
  queryInterval,
  readInterval,
  SUM_DAYS,
  targaText,
  tz,
  VEHICLE_DAYS,
} from './interval.ts';
import { calendarFor, type Movement } from './movement.ts';
import { RouteList } from './route-list.ts';
import { findRoutes, type Route, type RouteTaker, route, type TripRequest, withAddresses } from './trips.ts';
import { twoAtATime } from './two-at-a-time.ts';
import { findVehicle, type MovingVehicle } from './vehicle-lookup.ts';

const MAX_VEHICLES = 50;
/** named in a list; a group may have more */
const MAX_NAMED = 200;
const V1_DAYS = 7;
/** routes listed with an aggregate; each has a polyline of at most 500 points */
const MAX_LISTED = 5_000;

/** Of a query all values are text; in a body a number is one. */
const minStopOf = (number: z.ZodNumber | z.ZodCoercedNumber) =>
  number.int().min(1).max(86_400).optional().describe('another name of `stopSeconds`');
/** Members of a request about how routes are found; in a query, numbers are texts. */
const settingsOf = (query: boolean) => {
  const number = <T extends z.ZodType>(type: T) =>
    query ? z.preprocess((value) => (value === undefined ? undefined : Number(value)), type) : type;
  const { tripDetection, stopSeconds, stopSpeedKmh, minTripMetres } = tripSettings;
  return {
    tripDetection,
    stopSeconds: number(stopSeconds),
    stopSpeedKmh: number(stopSpeedKmh),
    minTripMetres: number(minTripMetres),
  };
};
const usedDetection = z
  .enum(['ignition', 'motion', 'ignition-and-motion', 'mixed'])
  .describe('how routes were found; mixed: of the vehicles in different ways');
type Used = z.output<typeof usedDetection>;
const together = (used: readonly Used[]): Used =>
  used.every((one) => one === used[0]) ? (used[0] ?? 'ignition') : 'mixed';

type Asked = TripSettings & { readonly minStopS?: number | undefined };
/** `minStopS` is another name of `stopSeconds`. */
function tripsOf({ tripDetection, stopSeconds, stopSpeedKmh, minTripMetres, minStopS }: Asked): TripSettings {
  return { tripDetection, stopSeconds: stopSeconds ?? minStopS, stopSpeedKmh, minTripMetres };
}

const access = ['routes:read'] as const;
const ABOUT =
  'Routes last from ignition on to off where the device reports it, otherwise from leaving a place to resting at one. ' +
  'A tow or a ferry with the ignition off is not a route; a gap ends one, unless the vehicle drove on through a tunnel. ' +
  'Routes are cut at the ends of the interval. `avgSpeed` is that while moving.';

/** Operations 14, 32 and 33. */
export function addTripRoutes(app: App, movement: Movement): void {
  addRoutesV1(app, movement);
  addRoutesV2(app, movement);
  addRoutesGrouped(app, movement);
}

const findAll = (
  movement: Movement,
  tenantId: number,
  called: readonly string[],
  interval: Interval,
): Promise<MovingVehicle[]> => twoAtATime(called, (targa) => findVehicle(movement.vehicles, tenantId, targa, interval));

function addRoutesV1(app: App, movement: Movement): void {
  app.put(
    '/v1/vehicles/routes',
    {
      config: { access, errors: ['unknown-vehicle', 'from-after-to', 'interval-too-long'] },
      schema: {
        tags: ['movement'],
        summary: 'Routes of vehicles',
        description: `${ABOUT} At most ${MAX_VEHICLES} vehicles and ${V1_DAYS} days.`,
        body: z.object({
          vehicles: z.array(targaText).min(1).max(MAX_VEHICLES),
          ...bodyInterval,
          minStopS: minStopOf(z.number()),
          ...settingsOf(false),
        }),
        response: {
          200: z.object({
            items: z.array(z.object({ targa: member.targa, routes: z.array(route), tripDetection: usedDetection })),
          }),
        },
      },
    },
    async (request, reply) => {
      const tenantId = tenantOf(request);
      const interval = checkInterval(request.body, V1_DAYS);
      const tripRequest = { ...interval, trips: tripsOf(request.body), withPolyline: true, withFuel: true };
      const vehicles = await findAll(movement, tenantId, request.body.vehicles, tripRequest);
      return streamAnswer(reply, JSON_TYPE, async (write, signal) => {
        let text = '{"items":[';
        for (const vehicle of vehicles) {
          text += `{"targa":${JSON.stringify(vehicle.targa)},"routes":[`;
          const take = (found: Route): Promise<void> | undefined => {
            const piece = text + JSON.stringify(found);
            text = ',';
            return write(piece);
          };
          const used = await findRoutes(movement.pools, tenantId, vehicle, tripRequest, { take }, signal);
          text = `${text === ',' ? '' : text}],"tripDetection":"${used}"},`;
        }
        await write(`${text.slice(0, -1)}]}`);
      });
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
      .union([targaText, z.array(targaText).min(1).max(MAX_VEHICLES)])
      .transform((value) => (typeof value === 'string' ? [value] : value))
      .describe('may be repeated'),
    ...queryInterval,
    tz,
    minStopS: minStopOf(z.coerce.number()),
    ...settingsOf(true),
    include: includes,
    lang: language,
    ...page,
  });
  app.get(
    '/v1/vehicles/routesV2',
    {
      config: { access, errors: ['unknown-vehicle', 'from-after-to', 'interval-too-long'] },
      schema: {
        tags: ['movement'],
        summary: 'Routes of vehicles, page by page',
        description: `${ABOUT} Vehicles as they are asked for, routes of each oldest first. At most ${POINT_DAYS} days.`,
        querystring,
        response: {
          200: listOf(route).extend({
            totals: aggregateSchema.describe('of all pages'),
            tripDetection: usedDetection,
          }),
        },
      },
    },
    async (request, reply) => {
      const tenantId = tenantOf(request);
      const { targa, include, limit, cursor } = request.query;
      const trips = tripsOf(request.query);
      const calendar = await calendarFor(movement, tenantId, request.query.tz);
      const interval = checkInterval(readInterval(request.query, calendar), POINT_DAYS);
      const vehicles = await findAll(movement, tenantId, targa, interval);
      const filter = ['routesV2', tenantId, vehicles.map((v) => v.targa), interval.from, interval.to, trips];
      const [first = 0, skipped = 0] = cursor === undefined ? [] : movement.cursors.read(cursor, filter).map(Number);
      const list = new RouteList(vehicles.length, limit + 1, { first, skipped });
      const totals = new Aggregate();
      const tripRequest = {
        ...interval,
        trips,
        withPolyline: include.includes('polyline'),
        withFuel: include.includes('fuel'),
      };
      const used = await findOfAll(
        movement,
        tenantId,
        { vehicles, tripRequest, list, add: totals.add.bind(totals) },
        clientSignal(reply),
      );
      const next = (): string => {
        const place = list.placeOf(limit);
        return movement.cursors.write([place.first, place.skipped], filter);
      };
      const { items, nextCursor } = toPage<Route, Route>(list.routes, limit, (each) => each, next);
      const shown = include.includes('address')
        ? await withAddresses(movement.addressesOf, items, request.query.lang)
        : items;
      return { items: shown, nextCursor, totals: totals.shown, tripDetection: used };
    },
  );
}

/** Routes of all vehicles, two vehicles at a time: each is counted, and listed where required. */
async function findOfAll(
  { pools }: Movement,
  tenantId: number,
  asked: {
    readonly vehicles: readonly MovingVehicle[];
    readonly tripRequest: TripRequest;
    readonly list: RouteList | undefined;
    readonly add: (vehicle: number, route: Route) => void;
  },
  signal: AbortSignal,
): Promise<Used> {
  const { vehicles, tripRequest, list, add } = asked;
  const used = await twoAtATime([...vehicles.keys()], (i) => {
    const taker: RouteTaker = {
      wantsPolyline: () => list?.wants(i) ?? false,
      take(found: Route): void {
        add(i, found);
        list?.add(i, found);
      },
    };
    return findRoutes(pools, tenantId, vehicles[i]!, tripRequest, taker, signal);
  });
  return together(used);
}

function addRoutesGrouped(app: App, movement: Movement): void {
  const body = z.object({
    vehicles: z.array(targaText).min(1).max(MAX_NAMED).optional(),
    group: z.string().min(1).max(200).optional(),
    ...bodyInterval,
    groupBy: z.enum(GROUPINGS).default('day'),
    tz: tz.describe('days, weeks and months are those of this time zone; of the tenant’s without it'),
    includeRoutes: z.boolean().default(false),
    minStopS: minStopOf(z.number()),
    ...settingsOf(false),
  });
  app.post(
    '/v1/routesGrouped',
    {
      config: { access, errors: ['unknown-vehicle', 'unknown-group', 'from-after-to', 'interval-too-long'] },
      schema: {
        tags: ['movement'],
        summary: 'Routes of vehicles, added up',
        description: `${ABOUT} A route belongs to the day that it begins in. At most ${MAX_NAMED} vehicles in a list, all vehicles of a group, ${SUM_DAYS} days and ${VEHICLE_DAYS} days of vehicles (a year of 50 vehicles, 92 days of 200, 15 days of 1200); of the routes, ${MAX_LISTED} are listed.`,
        body: body
          .refine((asked) => (asked.vehicles === undefined) !== (asked.group === undefined), {
            error: 'either vehicles or a group',
            path: ['vehicles'],
          })
          .meta({
            example: {
              vehicles: ['AB123CD'],
              from: '2026-05-01T08:00:00Z',
              to: '2026-05-01T18:00:00Z',
              groupBy: 'day',
              tz: 'Europe/Rome',
            },
          }),
        response: {
          200: z.object({
            groups: z.array(group),
            totals: aggregateSchema,
            tripDetection: usedDetection,
            truncated: z.boolean().describe('more routes exist than are listed; the totals include all of them'),
          }),
        },
      },
    },
    async (request, reply) => {
      const tenantId = tenantOf(request);
      const { groupBy, includeRoutes } = request.body;
      const trips = tripsOf(request.body);
      const interval = checkInterval(request.body, SUM_DAYS);
      const groups = new Groups(groupBy, await calendarFor(movement, tenantId, request.body.tz));
      const vehicles = await vehiclesOf(movement, tenantId, request.body, interval);
      checkVehicleDays(interval, vehicles.length);
      const tripRequest = { ...interval, trips, withPolyline: includeRoutes, withFuel: true };
      const list = includeRoutes ? new RouteList(vehicles.length, MAX_LISTED) : undefined;
      return streamAnswer(reply, JSON_TYPE, async (write, signal) => {
        const tripDetection = await findOfAll(
          movement,
          tenantId,
          { vehicles, tripRequest, list, add: groups.add.bind(groups) },
          signal,
        );
        let text = '{"groups":[';
        for (const { items, ...own } of groups.shown(list?.routes)) {
          await write(text);
          await writeObject(write, { ...own, items });
          text = ',';
        }
        const totals = groups.totals.shown;
        const truncated = includeRoutes && totals.routes > MAX_LISTED;
        await write(`${text === ',' ? '' : text}],${JSON.stringify({ totals, tripDetection, truncated }).slice(1)}`);
      });
    },
  );
}

async function vehiclesOf(
  movement: Movement,
  tenantId: number,
  asked: { readonly vehicles?: readonly string[] | undefined; readonly group?: string | undefined },
  interval: Interval,
): Promise<readonly MovingVehicle[]> {
  if (asked.vehicles !== undefined) return findAll(movement, tenantId, asked.vehicles, interval);
  const found = await movement.vehicles.ofGroup(tenantId, asked.group ?? '', interval);
  if (found === undefined) throw new AppError('unknown-group');
  return found;
}
