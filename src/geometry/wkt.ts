import { corridorRing } from './corridor.ts';

/** As the API takes it: longitude before latitude, rings closed. */
export type Area =
  | {
      readonly type: 'polygon';
      readonly coordinates: readonly (readonly [number, number])[];
      /** what the coordinates were computed from */
      readonly corridor?:
        | { readonly line: readonly (readonly [number, number])[]; readonly widthM: number }
        | undefined;
    }
  | { readonly type: 'circle'; readonly center: readonly [number, number]; readonly radiusM: number };

/** The text is not a supported geometry, or encloses no area; the message says why. */
export class AreaError extends Error {
  override readonly name = 'AreaError';
}

/** half width of the band of a line, m, unless the line or the server states one */
const LINE_DISTANCE_M = 25;

type Point = readonly [latitude: number, longitude: number];

/**
 * Traccar's WKT, which has latitude before longitude: `POLYGON ((45.1 9.1, …))`, `CIRCLE (45.1 9.1, 250)` (radius in m),
 * `LINESTRING (45.1 9.1, …)`. A line becomes a band with `lineDistanceM` on each side. Throws AreaError.
 */
export function readArea(wkt: string, lineDistanceM = LINE_DISTANCE_M): Area {
  const [, kind, inner] = /^\s*([A-Za-z]+)\s*\((.*)\)\s*$/s.exec(wkt) ?? [];
  if (kind === undefined || inner === undefined) throw new AreaError('it is no WKT');
  switch (kind.toUpperCase()) {
    case 'CIRCLE': {
      const [center, radius, ...more] = inner.split(',');
      const radiusM = Number(radius);
      if (more.length > 0 || !(radiusM > 0)) throw new AreaError('the text is no circle');
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
      throw new AreaError(`the text is no ${kind}`);
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

function band(line: readonly Point[], distanceM: number): Area {
  if (line.length < 2) throw new AreaError('the line has fewer than two points');
  const places = line.map(flip);
  const coordinates = corridorRing(places, distanceM);
  if (coordinates === undefined) throw new AreaError('the buffer around the line would be self-intersecting');
  return { type: 'polygon', coordinates, corridor: { line: places, widthM: 2 * distanceM } };
}

/** The area as Traccar's WKT; a corridor is its line, to which its distance is an attribute of the geofence. */
export function writeArea(area: Area): string {
  const place = ([longitude, latitude]: readonly [number, number]): string => `${latitude} ${longitude}`;
  const list = (places: readonly (readonly [number, number])[]): string => places.map(place).join(', ');
  if (area.type === 'circle') return `CIRCLE (${place(area.center)}, ${area.radiusM})`;
  return area.corridor === undefined
    ? `POLYGON ((${list(area.coordinates)}))`
    : `LINESTRING (${list(area.corridor.line)})`;
}

/** m to each side of a corridor; undefined for other areas. */
export const lineDistanceOf = (area: Area): number | undefined =>
  area.type === 'polygon' && area.corridor !== undefined ? area.corridor.widthM / 2 : undefined;
