import { METRES_PER_DEGREE } from './globe.ts';
import { isSimple } from './simple-ring.ts';

/** As the API takes it: longitude before latitude, rings closed. */
export type Area =
  | { readonly type: 'polygon'; readonly coordinates: readonly (readonly [number, number])[] }
  | { readonly type: 'circle'; readonly center: readonly [number, number]; readonly radiusM: number };

/** The text is not a supported geometry, or encloses no area; the message says why. */
export class AreaError extends Error {
  override readonly name = 'AreaError';
}

/** m to each side of a line, where neither the line nor its server says otherwise */
const LINE_DISTANCE_M = 25;
/** longest tip of a bend, in distances to the side */
const LONGEST_TIP = 4;

type Point = readonly [latitude: number, longitude: number];

/**
 * Traccar's WKT, which has latitude before longitude: `POLYGON ((45.1 9.1, …))`, `CIRCLE (45.1 9.1, 250)` (radius in m),
 * `LINESTRING (45.1 9.1, …)`. A line becomes the band of `lineDistanceM` to each side of it. Throws AreaError.
 */
export function readArea(wkt: string, lineDistanceM = LINE_DISTANCE_M): Area {
  const [, kind, inner] = /^\s*([A-Za-z]+)\s*\((.*)\)\s*$/s.exec(wkt) ?? [];
  if (kind === undefined || inner === undefined) throw new AreaError('it is no WKT');
  switch (kind.toUpperCase()) {
    case 'CIRCLE': {
      const [center, radius, ...more] = inner.split(',');
      const radiusM = Number(radius);
      if (more.length > 0 || !(radiusM > 0)) throw new AreaError('it is no circle');
      return { type: 'circle', center: flip(readPoint(center!)), radiusM };
    }
    case 'POLYGON': {
      const rings = inner.split(/\)\s*,\s*\(/);
      if (rings.length > 1) throw new AreaError('it has a hole');
      return closed(readPoints(inner.replace(/^\s*\(|\)\s*$/g, '')));
    }
    case 'LINESTRING':
      return band(readPoints(inner), lineDistanceM);
    default:
      throw new AreaError(`there is no ${kind} here`);
  }
}

const flip = ([latitude, longitude]: Point): [number, number] => [longitude, latitude];

function readPoints(text: string): Point[] {
  const points = text.split(',').map(readPoint);
  return points.filter((point, i) => i === 0 || !isSame(point, points[i - 1]!));
}

function readPoint(text: string): Point {
  const [latitude, longitude, ...more] = text.trim().split(/\s+/).map(Number);
  const isPlace = Math.abs(latitude ?? 91) <= 90 && Math.abs(longitude ?? 181) <= 180;
  if (!isPlace || more.length > 0) throw new AreaError(`"${text.trim()}" is no latitude and longitude`);
  return [latitude!, longitude!];
}

const isSame = (a: Point, b: Point): boolean => a[0] === b[0] && a[1] === b[1];

function closed(points: readonly Point[]): Area {
  const ring = points.length > 1 && isSame(points[0]!, points.at(-1)!) ? points.slice(0, -1) : points;
  if (ring.length < 3) throw new AreaError('it has fewer than three corners');
  return { type: 'polygon', coordinates: [...ring, ring[0]!].map(flip) };
}

/** Both sides of a line, one there and the other back, on a plane that touches the globe at its beginning. */
function band(line: readonly Point[], distanceM: number): Area {
  if (line.length < 2) throw new AreaError('it has fewer than two places');
  const [latitude0, longitude0] = line[0]!;
  const shrink = Math.cos((latitude0 * Math.PI) / 180);
  const plane = line.map(([latitude, longitude]) => ({
    x: (longitude - longitude0) * METRES_PER_DEGREE * shrink,
    y: (latitude - latitude0) * METRES_PER_DEGREE,
  }));
  const there = side(plane, distanceM);
  const back = side(plane.toReversed(), distanceM);
  const ring = [...there, ...back];
  if (
    !isSimple(
      Float64Array.from(ring, ({ x }) => x),
      Float64Array.from(ring, ({ y }) => y),
    )
  ) {
    throw new AreaError('the buffer around the line would be self-intersecting');
  }
  return closed(
    ring.map(({ x, y }): Point => {
      const round = (degrees: number): number => Math.round(degrees * 1e7) / 1e7;
      return [round(latitude0 + y / METRES_PER_DEGREE), round(longitude0 + x / METRES_PER_DEGREE / shrink)];
    }),
  );
}

interface Vector {
  readonly x: number;
  readonly y: number;
}

/** The line, moved to its left; the ends go out by the distance too. */
function side(line: readonly Vector[], distance: number): Vector[] {
  const ways = line.slice(1).map((to, i) => unit({ x: to.x - line[i]!.x, y: to.y - line[i]!.y }));
  return line.map((at, i) => {
    const before = ways[i - 1];
    const after = ways[i];
    if (before === undefined || after === undefined) {
      const way = (before ?? after)!;
      const along = before === undefined ? -distance : distance;
      return { x: at.x - way.y * distance + way.x * along, y: at.y + way.x * distance + way.y * along };
    }
    const bisector = { x: -(before.y + after.y), y: before.x + after.x };
    const length = Math.hypot(bisector.x, bisector.y);
    // half of the angle between them; a line that turns back has no side to go to
    const reach = Math.min(distance * (2 / Math.max(length, 1e-9)), distance * LONGEST_TIP);
    return {
      x: at.x + (bisector.x / Math.max(length, 1e-9)) * reach,
      y: at.y + (bisector.y / Math.max(length, 1e-9)) * reach,
    };
  });
}

function unit({ x, y }: Vector): Vector {
  const length = Math.hypot(x, y);
  return { x: x / length, y: y / length };
}

/** The area as Traccar's WKT. */
export function writeArea(area: Area): string {
  const place = ([longitude, latitude]: readonly [number, number]): string => `${latitude} ${longitude}`;
  return area.type === 'circle'
    ? `CIRCLE (${place(area.center)}, ${area.radiusM})`
    : `POLYGON ((${area.coordinates.map(place).join(', ')}))`;
}
