import type pg from 'pg';
import { z } from 'zod';
import { instant } from '../../../contract/position.ts';
import type { Clock } from '../../../platform/clock.ts';
import { AppError } from '../../../platform/errors.ts';
import { type App, member, tenantOf, text, textLike, toInstant } from '../../kernel/http/index.ts';
import { language, type SearchAddress } from '../places/index.ts';
import type { Leg, Place, Router } from './router.ts';
import { type NearRow, readNear } from './store.ts';

/** the router is asked about so many of the nearest, and at least three times as many as are wanted up to it */
const MOST_ROUTED = 50;

const near = z
  .object({
    targa: member.targa,
    vehicleId: textLike('veh_0a1b2c3d4e5f6a7b8c'),
    imei: member.imei,
    driverId: member.driverId.nullable(),
    driverName: member.name.nullable(),
    latitude: member.latitude,
    longitude: member.longitude,
    speed: member.speed.nullable(),
    course: member.course.nullable(),
    fixTime: instant,
    online: z.boolean(),
    distanceM: z.number().describe('straight'),
    roadDistanceM: z.number().nullable().describe('null: not asked, or there is no way'),
    travelSeconds: z.number().nullable(),
    eta: instant.nullable().describe('if it starts now'),
  })
  .meta({ id: 'NearVehicle' });

const answer = z.object({
  point: z.object({
    latitude: member.latitude,
    longitude: member.longitude,
    address: member.address.nullable().describe('what was found for `address`'),
    attribution: z.string().nullable(),
  }),
  routing: z
    .enum(['road', 'straight', 'unavailable'])
    .describe('order: by travel time; by straight distance; the same since `ROUTER_URL` did not answer'),
  items: z.array(near),
});

const query = z.object({
  latitude: z.coerce.number().min(-90).max(90).optional().meta({ example: 45.4642 }),
  longitude: z.coerce.number().min(-180).max(180).optional().meta({ example: 9.19 }),
  address: text(300, 1, 'Via Roma 1, Milano').optional().describe('instead of latitude and longitude'),
  limit: z.coerce.number().int().min(1).max(100).default(10),
  group: text(200, 1, 'Northern depot').optional().describe('id or name of a group'),
  maxAgeSeconds: z.coerce.number().int().min(1).optional().describe('leaves out vehicles with an older fix'),
  lang: language,
});

export interface NearDeps {
  readonly app: pg.Pool;
  readonly clock: Clock;
  /** without it there is no search by address */
  readonly searchAddress: SearchAddress | undefined;
  /** without it distances are straight */
  readonly router: Router | undefined;
}

/** Which vehicles are nearest to a point or an address. */
export function addNearRoutes(server: App, { app, clock, searchAddress, router }: NearDeps): void {
  const pointOf = async ({ latitude, longitude, address, lang }: z.output<typeof query>) => {
    if (address === undefined) {
      if (latitude === undefined || longitude === undefined)
        throw new AppError('invalid', 'latitude and longitude, or address');
      return { latitude, longitude, address: null, attribution: null };
    }
    if (latitude !== undefined || longitude !== undefined)
      throw new AppError('invalid', 'either latitude and longitude, or address');
    const found = await searchAddress?.(address, lang);
    if (found === undefined) throw new AppError('unknown-address');
    return found;
  };
  server.get(
    '/v1/vehicles/near',
    {
      config: { access: ['positions:read', 'vehicles:read'], errors: ['unknown-address'] },
      schema: {
        tags: ['vehicles'],
        summary: 'The vehicles nearest to a point or an address',
        description:
          'By travel time on the road where `ROUTER_URL` names a router (OSRM or Valhalla), otherwise by straight ' +
          'distance. Vehicles without a valid fix are left out.',
        querystring: query,
        response: { 200: answer },
      },
    },
    async (request) => {
      const { limit, group = null, maxAgeSeconds } = request.query;
      const { latitude, longitude, address, attribution } = await pointOf(request.query);
      const now = clock.now();
      const rows = await readNear(app, tenantOf(request), {
        latitude,
        longitude,
        group,
        since: maxAgeSeconds === undefined ? null : now - 1_000 * maxAgeSeconds,
        limit: router === undefined ? limit : Math.max(limit, Math.min(MOST_ROUTED, 3 * limit)),
      });
      const legs = await legsOf(router, rows, { latitude, longitude });
      const found = rows.map((row, n) => ({ row, leg: legs?.[n] ?? { distanceM: null, seconds: null } }));
      if (legs !== undefined) found.sort(byTime);
      return {
        point: { latitude, longitude, address, attribution },
        routing: routingOf(router, legs),
        items: found.slice(0, limit).map(({ row, leg }) => present(row, leg, now)),
      };
    },
  );
}

type Found = { readonly row: NearRow; readonly leg: Leg };

/** Those without a way come last. */
const byTime = (a: Found, b: Found): number =>
  (a.leg.seconds ?? Number.POSITIVE_INFINITY) - (b.leg.seconds ?? Number.POSITIVE_INFINITY) ||
  a.row.distanceM - b.row.distanceM;

function routingOf(router: Router | undefined, legs: readonly Leg[] | undefined): z.output<typeof answer>['routing'] {
  if (router === undefined) return 'straight';
  return legs === undefined ? 'unavailable' : 'road';
}

/** Undefined where nobody answers. */
const legsOf = (router: Router | undefined, rows: readonly NearRow[], to: Place) =>
  router?.(rows, to).catch(() => undefined);

const present = (row: NearRow, { distanceM, seconds }: Leg, now: number): z.output<typeof near> => ({
  targa: row.targa,
  vehicleId: row.vehicleId,
  imei: row.imei,
  driverId: row.driverId,
  driverName: row.driverName,
  latitude: row.latitude,
  longitude: row.longitude,
  speed: row.speed,
  course: row.course,
  fixTime: toInstant(row.time),
  online: row.online,
  distanceM: Math.round(row.distanceM),
  roadDistanceM: distanceM,
  travelSeconds: seconds,
  eta: seconds === null ? null : toInstant(now + 1_000 * seconds),
});
