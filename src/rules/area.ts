import { distanceM, METRES_PER_DEGREE, unwrapLongitude } from '../track/globe.ts';

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
