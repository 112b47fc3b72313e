import { corridorRing } from '../../../../src/track/corridor.ts';

interface Polygon {
  readonly type: 'polygon';
  readonly coordinates: [number, number][];
}

/** An area as geofences and rules have it: longitude and latitude. */
export type Area = Polygon | { readonly type: 'circle'; readonly center: [number, number]; readonly radiusM: number };

/** A line with a width, as the polygon around it; undefined without an area, null if it would cross itself. */
export function corridorOf(line: readonly (readonly [number, number])[], widthM: number): Polygon | undefined | null {
  const places = line.filter(([x, y], n) => x !== line[n - 1]?.[0] || y !== line[n - 1]?.[1]);
  if (places.length < 2) return undefined;
  const coordinates = corridorRing(places, widthM / 2);
  return coordinates === undefined ? null : { type: 'polygon', coordinates };
}

const METERS_PER_DEGREE = 111_195;
const CORNERS = 64;

/** A circle as a ring, for the map. */
export function ringOf(center: readonly [number, number], radiusM: number): [number, number][] {
  const north = radiusM / METERS_PER_DEGREE;
  const east = north / Math.max(0.01, Math.cos((center[1] * Math.PI) / 180));
  return Array.from({ length: CORNERS }, (_, n) => {
    const angle = (n / CORNERS) * 2 * Math.PI;
    return [center[0] + east * Math.sin(angle), center[1] + north * Math.cos(angle)];
  });
}
