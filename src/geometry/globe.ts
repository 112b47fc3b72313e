/** mean radius of the earth, m (IUGG) */
const RADIUS_M = 6_371_008.8;
const RADIANS = Math.PI / 180;

/** meters per degree of latitude */
export const METRES_PER_DEGREE = RADIUS_M * RADIANS;

/** Great-circle distance, m (haversine). */
export function distanceM(latitudeA: number, longitudeA: number, latitudeB: number, longitudeB: number): number {
  const dLatitude = Math.sin(((latitudeB - latitudeA) * RADIANS) / 2);
  const dLongitude = Math.sin(((longitudeB - longitudeA) * RADIANS) / 2);
  const a =
    dLatitude * dLatitude + Math.cos(latitudeA * RADIANS) * Math.cos(latitudeB * RADIANS) * dLongitude * dLongitude;
  return 2 * RADIUS_M * Math.asin(Math.min(1, Math.sqrt(a)));
}

/** The longitude plus the multiple of 360° that brings it within 180° of `origin`. */
export function unwrapLongitude(longitude: number, origin: number): number {
  const off = longitude - origin;
  return off >= -180 && off <= 180 ? longitude : longitude - 360 * Math.round(off / 360);
}

/** -180 to 180 */
export const onGlobe = (longitude: number): number =>
  longitude >= -180 && longitude <= 180 ? longitude : longitude - 360 * Math.round(longitude / 360);

/** Area that a ring of longitudes and latitudes encloses, m², on the sphere (Chamberlain and Duquette, JPL 07-03). */
export function ringAreaM2(x: Float64Array, y: Float64Array): number {
  const { length } = x;
  let total = 0;
  for (let i = 0; i < length; i++) {
    const before = x[(i + length - 1) % length]!;
    const after = x[(i + 1) % length]!;
    total += (after - before) * RADIANS * Math.sin(y[i]! * RADIANS);
  }
  return Math.abs((total * RADIUS_M * RADIUS_M) / 2);
}
