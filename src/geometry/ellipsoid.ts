const RADIANS = Math.PI / 180;

/** WGS 84 */
const EQUATOR_M = 6_378_137;
const FLATTENING = 1 / 298.257_223_563;
const ECCENTRICITY_2 = FLATTENING * (2 - FLATTENING);
/** central angle from which the series is inaccurate: nearly the opposite side of the earth */
const OPPOSITE = 3;

/** Meters per degree of latitude and of longitude at a latitude. */
export function metersPerDegree(latitude: number): { readonly north: number; readonly east: number } {
  const sin = Math.sin(latitude * RADIANS);
  const w2 = 1 - ECCENTRICITY_2 * sin * sin;
  const east = (EQUATOR_M * RADIANS) / Math.sqrt(w2);
  return { north: (east * (1 - ECCENTRICITY_2)) / w2, east: east * Math.cos(latitude * RADIANS) };
}

/** Distance on the ellipsoid between places far apart, m (Lambert's formula: within 10 m over thousands of km). */
export function geodesicM(latitudeA: number, longitudeA: number, latitudeB: number, longitudeB: number): number {
  const reducedA = Math.atan((1 - FLATTENING) * Math.tan(latitudeA * RADIANS));
  const reducedB = Math.atan((1 - FLATTENING) * Math.tan(latitudeB * RADIANS));
  const half = (reducedB - reducedA) / 2;
  const middle = (reducedA + reducedB) / 2;
  const sinLongitude = Math.sin(((longitudeB - longitudeA) * RADIANS) / 2);
  const haversine = Math.sin(half) ** 2 + Math.cos(reducedA) * Math.cos(reducedB) * sinLongitude * sinLongitude;
  const angle = 2 * Math.asin(Math.min(1, Math.sqrt(haversine)));
  if (angle === 0 || angle > OPPOSITE) return EQUATOR_M * (1 - FLATTENING / 3) * angle;
  const sin = Math.sin(angle);
  const x = ((angle - sin) * Math.sin(middle) ** 2 * Math.cos(half) ** 2) / Math.cos(angle / 2) ** 2;
  const y = ((angle + sin) * Math.cos(middle) ** 2 * Math.sin(half) ** 2) / Math.sin(angle / 2) ** 2;
  return EQUATOR_M * (angle - (FLATTENING / 2) * (x + y));
}
