import { clip, contains, type Span } from '../../../geometry/clip.ts';
import { distanceM, METRES_PER_DEGREE, unwrapLongitude } from '../../../geometry/globe.ts';
import { type Polygon, readPolygon } from '../../../geometry/polygon.ts';

/** A geofence: corners as longitude and latitude, the first repeated as the last; or a circle. */
export type Area =
  | { readonly type: 'polygon'; readonly coordinates: readonly (readonly [number, number])[] }
  | { readonly type: 'circle'; readonly center: readonly [number, number]; readonly radiusM: number };

/** Distance of a point from an area, m; 0 or negative: inside. */
export function metresOutside(area: Area, latitude: number, longitude: number): number {
  if (area.type === 'circle') {
    return distanceM(area.center[1], area.center[0], latitude, longitude) - area.radiusM;
  }
  return metresOutsideRing(area.coordinates, latitude, longitude);
}

/** On the tangent plane at the point: accurate to about a meter at relevant distances. */
function metresOutsideRing(ring: readonly (readonly [number, number])[], latitude: number, longitude: number): number {
  const perLongitude = METRES_PER_DEGREE * Math.cos((latitude * Math.PI) / 180);
  let isInside = false;
  let nearest = Number.POSITIVE_INFINITY;
  let [x1, y1] = [0, 0];
  for (const [index, corner] of ring.entries()) {
    const x2 = (unwrapLongitude(corner[0], longitude) - longitude) * perLongitude;
    const y2 = (corner[1] - latitude) * METRES_PER_DEGREE;
    if (index > 0) {
      if (y1 > 0 !== y2 > 0 && x1 + ((x2 - x1) * -y1) / (y2 - y1) > 0) isInside = !isInside;
      nearest = Math.min(nearest, distanceToOrigin(x1, y1, x2, y2));
    }
    [x1, y1] = [x2, y2];
  }
  return isInside ? -nearest : nearest;
}

function distanceToOrigin(x1: number, y1: number, x2: number, y2: number): number {
  const dx = x2 - x1;
  const dy = y2 - y1;
  const length = dx * dx + dy * dy;
  const share = length === 0 ? 0 : Math.max(0, Math.min(1, -(x1 * dx + y1 * dy) / length));
  return Math.hypot(x1 + share * dx, y1 + share * dy);
}

/** Point as latitude and longitude. */
type Point = readonly [latitude: number, longitude: number];
/** Parts of a straight path that lie inside, from 0 (its start) to 1 (its end). */
export type Crossing = (from: Point, to: Point) => readonly Span[];

const NO_SPANS: readonly Span[] = [];

/** Where a path crosses an area. A ring that is not valid is never crossed. */
export function crossingOf(area: Area): Crossing {
  if (area.type === 'circle') return (from, to) => crossCircle(area, from, to);
  let polygon: Polygon;
  try {
    polygon = readPolygon(area.coordinates);
  } catch {
    return () => NO_SPANS;
  }
  return (from, to) => clip(polygon, from[1], from[0], to[1], to[0], contains(polygon, from[1], from[0]));
}

function crossCircle({ center, radiusM }: Area & { type: 'circle' }, from: Point, to: Point): readonly Span[] {
  const [x1, y1] = aroundCenter(center, from);
  const [x2, y2] = aroundCenter(center, to);
  const [dx, dy] = [x2 - x1, y2 - y1];
  const a = dx * dx + dy * dy;
  const b = x1 * dx + y1 * dy;
  const discriminant = b * b - a * (x1 * x1 + y1 * y1 - radiusM * radiusM);
  if (a === 0 || discriminant <= 0) return NO_SPANS;
  const start = Math.max(0, (-b - Math.sqrt(discriminant)) / a);
  const end = Math.min(1, (-b + Math.sqrt(discriminant)) / a);
  return start < end ? [{ start, end }] : NO_SPANS;
}

/** m to the east and to the north of the center; the distance is that on the sphere */
function aroundCenter([longitude, latitude]: readonly [number, number], point: Point): readonly [number, number] {
  const east =
    (unwrapLongitude(point[1], longitude) - longitude) * METRES_PER_DEGREE * Math.cos((latitude * Math.PI) / 180);
  const north = (point[0] - latitude) * METRES_PER_DEGREE;
  const length = Math.hypot(east, north);
  const scale = length === 0 ? 1 : distanceM(latitude, longitude, point[0], point[1]) / length;
  return [east * scale, north * scale];
}
