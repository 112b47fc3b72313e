/** An area as geofences and rules have it: longitude and latitude. */
export type Area =
  | { readonly type: 'polygon'; readonly coordinates: [number, number][] }
  | { readonly type: 'circle'; readonly center: [number, number]; readonly radiusM: number };

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
