import type pg from 'pg';
import { z } from 'zod';
import { instant } from '../../../contract/position.ts';
import { onGlobe } from '../../../geometry/globe.ts';
import { type Coordinate, PolylineEncoder, type Precision } from '../../../geometry/path.ts';
import { Ruler } from '../../../geometry/ruler.ts';
import { Simplifier } from '../../../geometry/simplify.ts';
import { flagParameter, member, toInstant } from '../../kernel/http/index.ts';
import type { Fixes } from '../track/fixes.ts';
import type { Write } from './answer-stream.ts';
import { bodyInterval, type Interval } from './interval.ts';

import { readTrackInParts } from './track.ts';
import type { TrackedVehicle } from './vehicle-lookup.ts';

/** Of a query all values are text; in a body a number is one. */
const options = (number: () => z.ZodNumber | z.ZodCoercedNumber) => ({
  precision: number()
    .refine((n): n is Precision => n === 5 || n === 6, { error: 'not 5 or 6' })
    .default(5)
    .describe('digits behind the point: 5 or 6'),
  simplifyM: number().min(0).max(100_000).default(0).describe('leaves out what is off by less, m'),
  maxGapMs: number().int().min(1).default(600_000).describe('a longer gap begins another segment'),
});
const NO_MATCHING = 'to roads: no map is part of the product, so true is refused with matching-unavailable';

export const polylineBody = z.object({
  ...bodyInterval,
  ...options(() => z.number()),
  matched: z.boolean().default(false).describe(NO_MATCHING),
});
export const polylineOptions = z.object({
  ...options(() => z.coerce.number()),
  matched: flagParameter().default(false).describe(NO_MATCHING),
});

export const polylineAnswer = z.object({
  targa: member.targa,
  from: instant,
  to: instant,
  precision: z.union([z.literal(5), z.literal(6)]),
  polyline: member.polyline.describe('Encoded Polyline Algorithm Format'),
  segments: z.array(z.object({ from: instant, to: instant, polyline: member.polyline })).describe('between gaps'),
  points: z.number().int().describe('fixes, before anything was left out'),
  distanceM: z.number().int().describe('along the segments, gaps not counted'),
  bbox: z
    .tuple([z.number(), z.number(), z.number(), z.number()])
    .nullable()
    .describe('west, south, east, north; west is greater across the antimeridian'),
  truncated: z.boolean().describe('there are more fixes than are shown'),
});

export interface PolylineRequest extends Interval {
  readonly matched: boolean;
  readonly precision: Precision;
  readonly simplifyM: number;
  readonly maxGapMs: number;
}

/** 31 days at 1 Hz are 2,678,400 fixes. */
const MAX_POINTS = 3_000_000;

/**
 * Writes the answer as its fixes come: the whole line at once, its segments, which are kept as encoded text (a few
 * bytes a fix), behind it.
 */
export async function writePolyline(
  streams: pg.Pool,
  tenantId: number,
  vehicle: TrackedVehicle,
  request: PolylineRequest,
  write: Write,
  signal: AbortSignal,
): Promise<void> {
  const builder = new PolylineBuilder(request);
  const head = { targa: vehicle.targa, from: toInstant(request.from), to: toInstant(request.to) };
  let text = `${JSON.stringify({ ...head, precision: request.precision }).slice(0, -1)},"polyline":"`;
  const settle = async (): Promise<void> => {
    const piece = text;
    text = '';
    // nothing is said before something was read: until then what fails is a problem
    if (builder.points === 0) text = piece;
    else await write(piece);
  };
  const feed = (fixes: Fixes): void => {
    text += escaped(builder.feed(fixes));
  };
  await readTrackInParts(streams, tenantId, vehicle, feed, {
    signal,
    settle,
    most: MAX_POINTS,
    columns: 'places',
  });
  await write(`${text}${escaped(builder.end())}","segments":[`);
  for (const [i, segment] of builder.segments.entries()) {
    const times = `"from":"${toInstant(segment.from)}","to":"${toInstant(segment.to)}"`;
    await write(`${i > 0 ? ',' : ''}{${times},"polyline":"`);
    for (const piece of segment.pieces) await write(escaped(piece));
    await write('"}');
  }
  const { points, distanceM, bbox } = builder;
  const tail = { points, distanceM: Math.round(distanceM), bbox, truncated: points >= MAX_POINTS };
  await write(`],${JSON.stringify(tail).slice(1)}`);
}

/** The alphabet of polylines has one character that JSON escapes. */
const escaped = (text: string): string => text.replaceAll('\\', '\\\\');

interface Segment {
  readonly from: number;
  to: number;
  readonly pieces: string[];
}

/** Builds a polyline point by point: encoded as a whole and by segments, its length and bounds. */
class PolylineBuilder {
  readonly segments: Segment[] = [];
  points = 0;
  distanceM = 0;
  readonly #request: PolylineRequest;
  readonly #whole: PolylineEncoder;
  readonly #ruler = new Ruler();
  #encoder: PolylineEncoder;
  #simplifier: Simplifier;
  #at = Number.NaN;
  #latitude = 0;
  #longitude = 0;
  /** longitudes continue beyond ±180°, so that bounds across the antimeridian stay narrow */
  #offset = 0;
  #west = Number.POSITIVE_INFINITY;
  #east = Number.NEGATIVE_INFINITY;
  #south = Number.POSITIVE_INFINITY;
  #north = Number.NEGATIVE_INFINITY;

  constructor(request: PolylineRequest) {
    this.#request = request;
    this.#whole = new PolylineEncoder(request.precision);
    this.#encoder = new PolylineEncoder(request.precision);
    this.#simplifier = new Simplifier(request.simplifyM);
  }

  /** What the line grows by. */
  feed({ count, at, latitude, longitude }: Fixes): string {
    let text = '';
    let places: Coordinate[] = [];
    for (let i = 0; i < count; i++) {
      if (!(at[i]! - this.#at <= this.#request.maxGapMs)) {
        text += this.#encode([...places, ...this.#simplifier.end()]);
        places = [];
        this.#begin(at[i]!);
      } else {
        this.distanceM += this.#ruler.measure(this.#latitude, this.#longitude, latitude[i]!, longitude[i]!);
      }
      this.#next(at[i]!, latitude[i]!, longitude[i]!);
      for (const place of this.#simplifier.add([latitude[i]!, longitude[i]!])) places.push(place);
    }
    return text + this.#encode(places);
  }

  end(): string {
    return this.#encode([...this.#simplifier.end()]);
  }

  #begin(at: number): void {
    this.#encoder = new PolylineEncoder(this.#request.precision);
    this.#simplifier = new Simplifier(this.#request.simplifyM);
    this.segments.push({ from: at, to: at, pieces: [] });
  }

  #encode(places: readonly Coordinate[]): string {
    if (places.length === 0) return '';
    this.segments.at(-1)!.pieces.push(this.#encoder.encode(places));
    return this.#whole.encode(places);
  }

  #next(at: number, latitude: number, longitude: number): void {
    const step = longitude - this.#longitude;
    if (this.points > 0 && Math.abs(step) > 180) this.#offset -= 360 * Math.sign(step);
    this.points++;
    this.segments.at(-1)!.to = at;
    this.#at = at;
    this.#latitude = latitude;
    this.#longitude = longitude;
    const x = longitude + this.#offset;
    if (x < this.#west) this.#west = x;
    if (x > this.#east) this.#east = x;
    if (latitude < this.#south) this.#south = latitude;
    if (latitude > this.#north) this.#north = latitude;
  }

  get bbox(): [number, number, number, number] | null {
    if (this.points === 0) return null;
    const isAround = this.#east - this.#west >= 360;
    const [west, east] = isAround ? [-180, 180] : [onGlobe(this.#west), onGlobe(this.#east)];
    return [west, this.#south, east, this.#north];
  }
}
