import type pg from 'pg';
import { z } from 'zod';
import { instant } from '../../../contract/position.ts';
import { Thinner } from '../../../geometry/path.ts';
import { AppError } from '../../../platform/errors.ts';
import { member, toInstant } from '../../kernel/http/index.ts';
import { type AddressesOf, type Language, language } from '../places/index.ts';
import type { Fixes } from '../track/fixes.ts';
import { TRIP_DEFAULTS, TripDetector, type Waypoint } from '../track/trips.ts';
import { FORMATS, type TrackPoint, type TrackWriter, trackFormats } from '../track/writers/index.ts';
import { each, type Write } from './answer-stream.ts';
import { readDriven } from './fixes/store.ts';
import { bodyInterval, type Interval, targaText } from './interval.ts';
import type { Movement } from './movement.ts';
import { readAlarms } from './store.ts';
import { readTrack, readTrackInParts } from './track.ts';
import { startOfRoute } from './trips.ts';
import type { TrackedVehicle } from './vehicle-lookup.ts';

const FIELDS = ['fixTime', 'latitude', 'longitude', 'speed', 'course', 'ignition'] as const;
type Field = (typeof FIELDS)[number];

export const percorsoBody = z
  .object({
    targa: targaText.optional(),
    imei: targaText.optional().describe('device id, in place of the plate'),
    ...bodyInterval,
    maxPoints: z.number().int().min(2).max(50_000).default(10_000),
    fields: z.array(z.enum(FIELDS)).min(1).optional().describe('all of them without it'),
    include: z.array(z.enum(['stops', 'events', 'address'])).default([]),
    minStopS: z.number().int().min(1).max(86_400).default(300),
    lang: language,
  })
  .refine(({ targa, imei }) => (targa === undefined) !== (imei === undefined), {
    error: 'either targa or imei',
    path: ['targa'],
  });

/** stops and events of an answer that have an address */
const MAX_ADDRESSES = 1_000;

const point = z.object({
  fixTime: instant.optional(),
  latitude: member.latitude.optional(),
  longitude: member.longitude.optional(),
  speed: member.speed.nullable().optional(),
  course: member.course.nullable().optional(),
  ignition: z.boolean().nullable().optional(),
});
const address = z.string().nullable().describe(`with \`address\` in \`include\`, of the first ${MAX_ADDRESSES}`);
export const percorsoAnswer = z.object({
  targa: member.targa,
  from: instant,
  to: instant,
  distanceM: z.number().int().describe('of the routes of the interval'),
  points: z.array(point),
  stops: z.array(
    z.object({
      from: instant,
      to: instant,
      latitude: member.latitude,
      longitude: member.longitude,
      durationS: z.number(),
      address: address.optional(),
    }),
  ),
  events: z
    .array(
      z.object({
        at: instant,
        latitude: member.latitude.nullable(),
        longitude: member.longitude.nullable(),
        type: z.string(),
        address: address.optional(),
      }),
    )
    .optional(),
  downsampled: z.boolean().describe('there are more than maxPoints: what is shown is spread evenly over them'),
  nextCursor: member.nextCursor.describe('null: the interval is always answered whole'),
});
export type Percorso = z.output<typeof percorsoAnswer>;

const MAX_STOPS = 10_000;

export interface PathRequest extends Interval {
  readonly maxPoints: number;
  readonly fields?: readonly Field[] | undefined;
  readonly include: readonly ('stops' | 'events' | 'address')[];
  readonly lang: Language;
  readonly minStopS: number;
}

type Point = Percorso['points'][number];

/** What is answered, its points still to be gone through. */
export type PercorsoFindings = Omit<Percorso, 'points'> & { readonly points: Iterable<Point> };

/** The points of a path, in order, and the stops between them. */
export async function readPercorso(
  { pools, addressesOf }: Movement,
  tenantId: number,
  vehicle: TrackedVehicle,
  request: PathRequest,
  signal: AbortSignal,
): Promise<PercorsoFindings> {
  const { from, to, maxPoints } = request;
  const fields = new Set(request.fields ?? FIELDS);
  const points = new Thinner<RawPoint>(maxPoints);
  const stops = new Stops(request.minStopS * 1000);
  const withStops = request.include.includes('stops');
  const feed = (fixes: Fixes): void => {
    for (let i = 0; i < fixes.count; i++) points.add(rawAt(fixes, i));
    stops.feed(fixes);
  };
  await readTrack(pools.streams, tenantId, vehicle, feed, {
    signal,
    columns: 'all',
    onChange: () => stops.changeDevice(),
  });
  const events = request.include.includes('events') ? await readEvents(pools.app, tenantId, vehicle) : undefined;
  const found = stops.finish();
  if (addressesOf !== undefined && request.include.includes('address')) {
    await addAddresses(addressesOf, [...(withStops ? found : []), ...(events ?? [])], request.lang);
  }
  return {
    targa: vehicle.targa,
    from: toInstant(from),
    to: toInstant(to),
    distanceM: Math.round(stops.distanceM),
    points: each(points.items.slice(0, maxPoints), (raw) => pick(present(raw), fields)),
    stops: withStops ? found : [],
    ...(events === undefined ? {} : { events }),
    downsampled: points.isThinned,
    nextCursor: null,
  };
}

async function addAddresses(
  addressesOf: AddressesOf,
  list: readonly { latitude: number | null; longitude: number | null; address?: string | null | undefined }[],
  lang: Language,
): Promise<void> {
  const located = list.flatMap((one) => {
    const { latitude, longitude } = one;
    return latitude === null || longitude === null ? [] : [{ one, latitude, longitude }];
  });
  const asked = located.slice(0, MAX_ADDRESSES);
  const found = await addressesOf(asked, lang);
  for (const [n, { one }] of asked.entries()) one.address = found[n]!.address;
}

async function readEvents(
  app: pg.Pool,
  tenantId: number,
  { carried }: TrackedVehicle,
): Promise<NonNullable<Percorso['events']>> {
  const events: NonNullable<Percorso['events']> = [];
  for (const { device, from, to } of carried) {
    for (const { time, latitude, longitude, alarm } of await readAlarms(app, tenantId, {
      deviceId: device.id,
      from,
      to,
    })) {
      events.push({ at: toInstant(time), latitude, longitude, type: alarm });
    }
  }
  return events;
}

interface RawPoint {
  readonly at: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly speed: number;
  readonly course: number;
  readonly ignition: number;
  readonly altitude: number;
}

const rawAt = ({ at, latitude, longitude, speed, course, ignition, altitude }: Fixes, i: number): RawPoint => ({
  at: at[i]!,
  latitude: latitude[i]!,
  longitude: longitude[i]!,
  speed: speed[i]!,
  course: course[i]!,
  ignition: ignition[i]!,
  altitude: altitude[i]!,
});

const orUndefined = (value: number): number | undefined => (Number.isNaN(value) ? undefined : value);

const present = ({ at, latitude, longitude, speed, course, ignition, altitude }: RawPoint): TrackPoint => ({
  time: toInstant(at),
  latitude,
  longitude,
  speed: orUndefined(speed),
  course: orUndefined(course),
  ignition: ignition < 0 ? undefined : ignition === 1,
  altitude: orUndefined(altitude),
});

function pick(at: TrackPoint, fields: ReadonlySet<Field>): Percorso['points'][number] {
  return {
    ...(fields.has('fixTime') ? { fixTime: at.time } : {}),
    ...(fields.has('latitude') ? { latitude: at.latitude } : {}),
    ...(fields.has('longitude') ? { longitude: at.longitude } : {}),
    ...(fields.has('speed') ? { speed: at.speed ?? null } : {}),
    ...(fields.has('course') ? { course: at.course ?? null } : {}),
    ...(fields.has('ignition') ? { ignition: at.ignition ?? null } : {}),
  };
}

/** Where a vehicle stood: before its first trip, between two, and after the last. */
class Stops {
  readonly #minMs: number;
  readonly #detector: TripDetector;
  readonly #found: Percorso['stops'] = [];
  /** of the trips between them */
  distanceM = 0;
  #since: Waypoint | undefined;
  #last: number | undefined;

  constructor(minMs: number) {
    this.#minMs = minMs;
    this.#detector = new TripDetector({ ...TRIP_DEFAULTS, minStopMs: minMs }, (trip) => {
      this.distanceM += trip.distanceM;
      this.#add(trip.start.at);
      this.#since = trip.end;
    });
  }

  changeDevice(): void {
    this.#detector.changeDevice();
  }

  feed(fixes: Fixes): void {
    if (fixes.count === 0) return;
    this.#since ??= { at: fixes.at[0]!, latitude: fixes.latitude[0]!, longitude: fixes.longitude[0]! };
    this.#last = fixes.at[fixes.count - 1]!;
    this.#detector.feed(fixes);
  }

  #add(to: number): void {
    const since = this.#since;
    if (since === undefined || to - since.at < this.#minMs || this.#found.length >= MAX_STOPS) return;
    const { at, latitude, longitude } = since;
    this.#found.push({ from: toInstant(at), to: toInstant(to), latitude, longitude, durationS: (to - at) / 1000 });
  }

  finish(): Percorso['stops'] {
    this.#detector.finish();
    if (this.#last !== undefined) this.#add(this.#last);
    return this.#found;
  }
}

export const downloadBody = z.object({
  targa: targaText,
  ...bodyInterval,
  format: z.enum(FORMATS),
  routeId: z.string().max(64).optional().describe('of a route in the interval: that route alone'),
  minStopS: z.number().int().min(1).max(86_400).default(300).describe('as the route was found with'),
});
export type TrackFileRequest = z.output<typeof downloadBody>;

const GAP_MS = TRIP_DEFAULTS.gapMs;

/** Writes the file as its fixes come. Throws AppError `no-data` if there are none, before anything is written. */
export async function writeTrack(
  { pools }: Movement,
  tenantId: number,
  vehicle: TrackedVehicle,
  request: TrackFileRequest,
  write: Write,
  signal: AbortSignal,
): Promise<void> {
  const { routeId } = request;
  const asked =
    routeId === undefined ? vehicle : await routeOf(pools, tenantId, vehicle, { ...request, routeId }, signal);
  const writer: TrackWriter = trackFormats[request.format].writer();
  const begin = asked.carried[0]?.from ?? request.from;
  let last = Number.NaN;
  let pieces: string[] = [];
  const piece = (fixes: Fixes): string => {
    let text = Number.isNaN(last) && fixes.count > 0 ? writer.head(`${vehicle.targa} ${toInstant(begin)}`) : '';
    for (let i = 0; i < fixes.count; i++) {
      if (fixes.at[i]! - last > GAP_MS) text += writer.breakHere();
      last = fixes.at[i]!;
      text += writer.point(present(rawAt(fixes, i)));
    }
    return text;
  };
  const settle = async (): Promise<void> => {
    const ready = pieces;
    pieces = [];
    for (const text of ready) await write(text);
  };
  await readTrackInParts(pools.streams, tenantId, asked, (fixes) => void pieces.push(piece(fixes)), {
    signal,
    settle,
    columns: 'all',
  });
  if (Number.isNaN(last)) throw new AppError('no-data');
  await write(writer.tail());
}

/** The vehicle for as long as one route took. Throws AppError `no-data` if the interval has no such route. */
async function routeOf(
  pools: Movement['pools'],
  tenantId: number,
  vehicle: TrackedVehicle,
  { routeId, minStopS }: { readonly routeId: string; readonly minStopS: number },
  signal: AbortSignal,
): Promise<TrackedVehicle> {
  for (const carried of vehicle.carried) {
    const { device, from, to } = carried;
    const start = startOfRoute(device.id, routeId);
    if (start === undefined || start < from || start > to) continue;
    let end: number | undefined;
    const detector = new TripDetector({ ...TRIP_DEFAULTS, minStopMs: minStopS * 1000 }, (trip) => {
      if (trip.start.at === start) end = trip.end.at;
    });
    await readDriven(pools, tenantId, { deviceId: device.id, from, to }, (fixes) => detector.feed(fixes), signal);
    detector.finish();
    if (end !== undefined) return { ...vehicle, carried: [{ ...carried, from: start, to: end }] };
  }
  throw new AppError('no-data', 'The interval has no such route');
}
