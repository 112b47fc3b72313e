import { corridorRing } from '../../../../src/geometry/corridor.ts';

type Corner = [longitude: number, latitude: number];

interface Corridor {
  readonly line: Corner[];
  readonly widthM: number;
}

interface Polygon {
  readonly type: 'polygon';
  readonly coordinates: Corner[];
  /** what the coordinates were computed from, to edit it again */
  readonly corridor?: Corridor;
}

/** An area as geofences and rules have it: longitude and latitude. */
export type Area = Polygon | { readonly type: 'circle'; readonly center: Corner; readonly radiusM: number };

/** As requests contain it: the server computes the polygon of a corridor. */
export const inRequest = (area: Area) =>
  area.type === 'polygon' && area.corridor !== undefined ? { type: area.type, corridor: area.corridor } : area;

/** A line with a width, as the polygon around it; undefined without an area, null if it would cross itself. */
export function corridorOf(places: readonly Corner[], widthM: number): Polygon | undefined | null {
  const line = places.filter(([x, y], n) => x !== places[n - 1]?.[0] || y !== places[n - 1]?.[1]);
  if (line.length < 2) return undefined;
  const coordinates = corridorRing(line, widthM / 2);
  return coordinates === undefined ? null : { type: 'polygon', coordinates, corridor: { line, widthM } };
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
