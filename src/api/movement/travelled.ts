import { z } from 'zod';
import { instant } from '../../contract/position.ts';
import { AppError } from '../../platform/errors.ts';
import type { Fixes } from '../../track/fixes.ts';
import { Thinner } from '../../track/path.ts';
import { TRIP_DEFAULTS, TripDetector, type Waypoint } from '../../track/trips.ts';
import { FORMATS, type TrackPoint, type TrackWriter, trackFormats } from '../../track/writers/index.ts';
import { toInstant } from '../http/instants.ts';
import type { Write } from './answer-stream.ts';
import { readFixes } from './fixes/store.ts';
import { bodyInterval, type Interval, targaText } from './interval.ts';
import type { Movement } from './movement.ts';
import { readAlarms } from './store.ts';
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
    include: z.array(z.enum(['stops', 'events'])).default([]),
    minStopS: z.number().int().min(1).max(86_400).default(300),
  })
  .refine(({ targa, imei }) => (targa === undefined) !== (imei === undefined), {
    error: 'either targa or imei',
    path: ['targa'],
  });

const point = z.object({
  fixTime: instant.optional(),
  latitude: z.number().optional(),
  longitude: z.number().optional(),
  speed: z.number().nullable().optional(),
  course: z.number().nullable().optional(),
  ignition: z.boolean().nullable().optional(),
});
export const percorsoAnswer = z.object({
  targa: z.string(),
  from: instant,
  to: instant,
  points: z.array(point),
  stops: z.array(
    z.object({ from: instant, to: instant, latitude: z.number(), longitude: z.number(), durationS: z.number() }),
  ),
  events: z
    .array(
      z.object({ at: instant, latitude: z.number().nullable(), longitude: z.number().nullable(), type: z.string() }),
    )
    .optional(),
  downsampled: z.boolean().describe('there are more than maxPoints: what is shown is spread evenly over them'),
  nextCursor: z.null().describe('the interval is always answered whole'),
});
export type Percorso = z.output<typeof percorsoAnswer>;

const MOST_STOPS = 10_000;

export interface PercorsoQuestion extends Interval {
  readonly maxPoints: number;
  readonly fields?: readonly Field[] | undefined;
  readonly include: readonly ('stops' | 'events')[];
  readonly minStopS: number;
}

/** The points of a way, in order, and where it stood between. */
export async function readPercorso(
  { pools }: Movement,
  tenantId: number,
  vehicle: TrackedVehicle,
  question: PercorsoQuestion,
  signal: AbortSignal,
): Promise<Percorso> {
  const { from, to } = question;
  const fields = new Set(question.fields ?? FIELDS);
  const points = new Thinner<Percorso['points'][number]>(question.maxPoints);
  const stops = new Stops(question.minStopS * 1000);
  const stretch = { deviceId: vehicle.device.id, from, to };
  await readFixes(
    pools.streams,
    tenantId,
    stretch,
    (fixes) => {
      for (let i = 0; i < fixes.count; i++) points.add(pick(pointAt(fixes, i), fields));
      if (question.include.includes('stops')) stops.feed(fixes);
    },
    { signal, columns: 'all' },
  );
  const events = question.include.includes('events')
    ? (await readAlarms(pools.app, tenantId, stretch)).map(({ time, latitude, longitude, alarm }) => ({
        at: toInstant(time),
        latitude,
        longitude,
        type: alarm,
      }))
    : undefined;
  return {
    targa: vehicle.targa,
    from: toInstant(from),
    to: toInstant(to),
    points: points.items.slice(0, question.maxPoints),
    stops: stops.finish(),
    ...(events === undefined ? {} : { events }),
    downsampled: points.isThinned,
    nextCursor: null,
  };
}

const orUndefined = (value: number): number | undefined => (Number.isNaN(value) ? undefined : value);

function pointAt(fixes: Fixes, i: number): TrackPoint {
  const ignition = fixes.ignition[i]!;
  return {
    time: toInstant(fixes.at[i]!),
    latitude: fixes.latitude[i]!,
    longitude: fixes.longitude[i]!,
    speed: orUndefined(fixes.speed[i]!),
    course: orUndefined(fixes.course[i]!),
    ignition: ignition < 0 ? undefined : ignition === 1,
  };
}

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
  #since: Waypoint | undefined;
  #last: number | undefined;

  constructor(minMs: number) {
    this.#minMs = minMs;
    this.#detector = new TripDetector({ ...TRIP_DEFAULTS, minStopMs: minMs }, (trip) => {
      this.#add(trip.start.at);
      this.#since = trip.end;
    });
  }

  feed(fixes: Fixes): void {
    if (fixes.count === 0) return;
    this.#since ??= { at: fixes.at[0]!, latitude: fixes.latitude[0]!, longitude: fixes.longitude[0]! };
    this.#last = fixes.at[fixes.count - 1]!;
    this.#detector.feed(fixes);
  }

  #add(to: number): void {
    const since = this.#since;
    if (since === undefined || to - since.at < this.#minMs || this.#found.length >= MOST_STOPS) return;
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
export type DownloadQuestion = z.output<typeof downloadBody>;

const GAP_MS = TRIP_DEFAULTS.gapMs;

/** Writes the file as its fixes come. Throws AppError `no-data` where there are none, before anything is written. */
export async function writeTrack(
  { pools }: Movement,
  tenantId: number,
  vehicle: TrackedVehicle,
  question: DownloadQuestion,
  write: Write,
  signal: AbortSignal,
): Promise<void> {
  const deviceId = vehicle.device.id;
  const interval = question.routeId === undefined ? question : await routeInterval();
  const writer: TrackWriter = trackFormats[question.format].writer();
  let last = Number.NaN;
  const piece = (fixes: Fixes): string => {
    let text = Number.isNaN(last) && fixes.count > 0 ? writer.head(`${vehicle.targa} ${toInstant(interval.from)}`) : '';
    for (let i = 0; i < fixes.count; i++) {
      if (fixes.at[i]! - last > GAP_MS) text += writer.breakHere();
      last = fixes.at[i]!;
      text += writer.point(pointAt(fixes, i));
    }
    return text;
  };
  const { from, to } = interval;
  await readFixes(pools.streams, tenantId, { deviceId, from, to }, (fixes) => write(piece(fixes)), {
    signal,
    columns: 'all',
  });
  if (Number.isNaN(last)) throw new AppError('no-data');
  await write(writer.tail());

  async function routeInterval(): Promise<Interval> {
    const start = startOfRoute(deviceId, question.routeId!);
    let found: Interval | undefined;
    const detector = new TripDetector({ ...TRIP_DEFAULTS, minStopMs: question.minStopS * 1000 }, (trip) => {
      if (trip.start.at === start) found = { from: start, to: trip.end.at };
    });
    const stretch = { deviceId, from: question.from, to: question.to };
    await readFixes(pools.streams, tenantId, stretch, (fixes) => detector.feed(fixes), { signal });
    detector.finish();
    if (found === undefined) throw new AppError('no-data', 'The interval has no such route');
    return found;
  }
}
