import type pg from 'pg';
import { z } from 'zod';
import { instant } from '../../../contract/position.ts';
import { Thinner } from '../../../geometry/path.ts';
import { type AxisOrder, MAX_PAIRS, type Polygon, PolygonError, readPolygon } from '../../../geometry/polygon.ts';
import { AppError } from '../../../platform/errors.ts';
import { flagParameter, member, toInstant, toInstantOrNull } from '../../kernel/http/index.ts';
import { AxisOrderCheck } from '../track/axis-order.ts';
import type { Fixes } from '../track/fixes.ts';
import { type Crossing, type Visit, VisitFinder, type Visits } from '../track/visits.ts';
import { each } from './answer-stream.ts';
import { readFixBefore } from './fixes/store.ts';
import { bodyInterval, checkInterval, POINT_DAYS } from './interval.ts';

import { readTrack } from './track.ts';
import type { TrackedVehicle } from './vehicle-lookup.ts';

export const polygonBody = z.object({
  ...bodyInterval,
  polygon: z
    .array(z.tuple([z.number(), z.number()]))
    .min(4)
    .max(MAX_PAIRS)
    .meta({
      example: [
        [9.18, 45.46],
        [9.2, 45.46],
        [9.2, 45.47],
        [9.18, 45.46],
      ],
    })
    .describe('closed ring: the first pair is repeated as the last'),
});
export const polygonQuery = z.object({
  order: z.enum(['lonlat', 'latlon']).default('lonlat').describe('how pairs are read; GeoJSON has longitude first'),
  minDwellMs: z.coerce.number().int().min(0).default(0).describe('shorter visits are left out'),
  maxGapMs: z.coerce.number().int().min(1).default(600_000).describe('nothing is interpolated over a longer gap'),
  includeTrack: flagParameter().default(false).describe('also the path, simplified to at most 10,000 points'),
});

const crossing = z.object({
  at: instant,
  latitude: member.latitude,
  longitude: member.longitude,
  interpolated: z.boolean().describe('worked out between two fixes'),
});
export const polygonAnswer = z.object({
  targa: member.targa,
  imei: member.imei,
  from: instant,
  to: instant,
  inside: z.boolean().describe('it was inside at some time'),
  visits: z.array(
    z.object({
      entry: crossing.extend({ beforeInterval: z.boolean().describe('it was inside when the interval began') }),
      exit: crossing.nullable().describe('null: still inside at the last fix'),
      dwellMs: z.number().int(),
      points: z.number().int().describe('fixes inside'),
      crossedOnly: z.boolean().describe('between two fixes, both outside'),
      maxGapMs: z.number().int(),
      uncertain: z.boolean().describe('a gap hides the entry or the exit'),
    }),
  ),
  visitCount: z.number().int(),
  totalDwellMs: z.number().int(),
  firstEntry: instant.nullable(),
  lastExit: instant.nullable(),
  stillInside: z.boolean(),
  evaluatedPoints: z.number().int(),
  gaps: z.array(z.object({ from: instant, to: instant })),
  polygon: z.object({
    areaM2: z.number(),
    order: z.enum(['lonlat', 'latlon']),
    vertices: z.number().int().describe('pairs of the ring'),
  }),
  warnings: z.array(z.enum(['coordinate-order-suspect', 'visits-truncated', 'gaps-truncated'])),
  track: z
    .array(z.tuple([z.number(), z.number()]))
    .optional()
    .describe('in the order of the polygon’s pairs'),
});
export type PolygonAnswer = z.output<typeof polygonAnswer>;

/** visits and gaps that are listed; further ones are counted alone */
const MAX_LISTED = 10_000;
const MAX_PLACES = 10_000;

export interface PolygonRequest {
  readonly from: number;
  readonly to: number;
  readonly polygon: readonly (readonly [number, number])[];
  readonly order: AxisOrder;
  readonly minDwellMs: number;
  readonly maxGapMs: number;
  readonly includeTrack: boolean;
}

const PROBLEMS = {
  'polygon-not-closed': 'polygon-not-closed',
  'polygon-self-intersects': 'polygon-self-intersects',
  'polygon-size': 'invalid',
  'polygon-off-globe': 'invalid',
  'polygon-around-pole': 'invalid',
} as const;

/** Validates the request. Throws AppError `from-after-to`, `interval-too-long`, `polygon-…`, `invalid`. */
export function readPolygonRequest(request: PolygonRequest): Polygon {
  checkInterval(request, POINT_DAYS);
  try {
    return readPolygon(request.polygon, request.order);
  } catch (error) {
    if (!(error instanceof PolygonError)) throw error;
    const pointer = error.pair === undefined ? '/polygon' : `/polygon/${error.pair}`;
    throw new AppError(PROBLEMS[error.problem], error.message, [{ pointer, detail: error.message }]);
  }
}

/** What is answered, its lists still to be gone through. */
export type PolygonFindings = Omit<PolygonAnswer, 'visits' | 'gaps' | 'track'> & {
  readonly visits: Iterable<PolygonAnswer['visits'][number]>;
  readonly gaps: Iterable<PolygonAnswer['gaps'][number]>;
  readonly track?: Iterable<readonly [number, number]>;
};

/** Visits of a vehicle to a polygon, from its fixes as they come. */
export async function checkPolygon(
  pools: { readonly app: pg.Pool; readonly streams: pg.Pool },
  tenantId: number,
  vehicle: TrackedVehicle,
  request: PolygonRequest,
  signal: AbortSignal,
): Promise<PolygonFindings> {
  const polygon = readPolygonRequest(request);
  const { from, to, maxGapMs, minDwellMs } = request;
  const finder = new VisitFinder(polygon, { from, maxGapMs, minDwellMs, maxListed: MAX_LISTED });
  const order = new AxisOrderCheck(polygon, swapped(request), maxGapMs);
  const track = request.includeTrack ? new Thinner<[number, number]>(MAX_PLACES) : undefined;
  const before = await fixBefore(pools.app, tenantId, vehicle, from, maxGapMs);
  if (before !== undefined) finder.feed(before);
  const isLonLat = request.order === 'lonlat';
  await readTrack(
    pools.streams,
    tenantId,
    vehicle,
    (fixes) => {
      finder.feed(fixes);
      order.feed(fixes);
      if (track === undefined) return;
      for (let i = 0; i < fixes.count; i++) {
        const [x, y] = [fixes.longitude[i]!, fixes.latitude[i]!];
        track.add(isLonLat ? [x, y] : [y, x]);
      }
    },
    { signal, columns: 'places' },
  );
  const found = finder.finish();
  return {
    targa: vehicle.targa,
    imei: vehicle.imei,
    from: toInstant(from),
    to: toInstant(to),
    ...present(found),
    polygon: { areaM2: Math.round(polygon.areaM2), order: request.order, vertices: polygon.pairs },
    warnings: [
      ...(order.isSuspect ? (['coordinate-order-suspect'] as const) : []),
      ...(found.visitCount > found.visits.length ? (['visits-truncated'] as const) : []),
      ...(found.gapCount > found.gaps.length ? (['gaps-truncated'] as const) : []),
    ],
    ...(track === undefined ? {} : { track: track.items }),
  };
}

/** The one before the interval, where the vehicle carried the same device then already. */
async function fixBefore(
  app: pg.Pool,
  tenantId: number,
  { carried }: TrackedVehicle,
  from: number,
  withinMs: number,
): Promise<Fixes | undefined> {
  const first = carried[0];
  if (first === undefined || first.from > from) return undefined;
  const { device, since } = first;
  return readFixBefore(app, tenantId, device.id, from, Math.min(withinMs, from - since));
}

/** The same pairs in the other axis order; undefined if they are no polygon then. */
function swapped({ polygon, order }: PolygonRequest): Polygon | undefined {
  try {
    return readPolygon(polygon, order === 'lonlat' ? 'latlon' : 'lonlat');
  } catch (error) {
    if (error instanceof PolygonError) return undefined;
    throw error;
  }
}

function present(found: Visits) {
  return {
    inside: found.visitCount > 0,
    visits: each(found.visits, presentVisit),
    visitCount: found.visitCount,
    totalDwellMs: found.totalDwellMs,
    firstEntry: toInstantOrNull(found.firstEntry),
    lastExit: toInstantOrNull(found.lastExit),
    stillInside: found.stillInside,
    evaluatedPoints: found.evaluatedPoints,
    gaps: each(found.gaps, ({ from, to }) => ({ from: toInstant(from), to: toInstant(to) })),
  };
}

const presentVisit = ({ entry, exit, ...rest }: Visit) => ({
  entry: { ...presentCrossing(entry), beforeInterval: entry.beforeInterval },
  exit: exit === null ? null : presentCrossing(exit),
  ...rest,
});

/** degrees to a centimetre: interpolated points are not more accurate */
const round = (degrees: number): number => Math.round(degrees * 1e7) / 1e7;

const presentCrossing = ({ at, latitude, longitude, interpolated }: Crossing) => ({
  at: toInstant(at),
  latitude: interpolated ? round(latitude) : latitude,
  longitude: interpolated ? round(longitude) : longitude,
  interpolated,
});
