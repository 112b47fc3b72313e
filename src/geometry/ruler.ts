import { geodesicM, metersPerDegree } from './ellipsoid.ts';
import { unwrapLongitude } from './globe.ts';

/** beyond it the planar approximation is too inaccurate */
const FAR_DEGREES = 0.5;

interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

/**
 * Distances between adjacent fixes on the ellipsoid, m: on the tangent plane up to 50 km, along the geodesic beyond;
 * within 0.1 % of the exact distance.
 */
export class Ruler {
  #latitude = Number.NaN;
  #north = 1;
  #east = 1;

  between(a: Place, b: Place): number {
    return this.measure(a.latitude, a.longitude, b.latitude, b.longitude);
  }

  measure(latitudeA: number, longitudeA: number, latitudeB: number, longitudeB: number): number {
    const dy = latitudeB - latitudeA;
    const dx = unwrapLongitude(longitudeB, longitudeA) - longitudeA;
    if (dx === 0 && dy === 0) return 0;
    if (Math.abs(dy) > FAR_DEGREES || Math.abs(dx) > FAR_DEGREES || Math.abs(latitudeA) > 80) {
      return geodesicM(latitudeA, longitudeA, latitudeB, longitudeB);
    }
    const middle = (latitudeA + latitudeB) / 2;
    if (!(Math.abs(middle - this.#latitude) < 0.005)) {
      this.#latitude = middle;
      ({ north: this.#north, east: this.#east } = metersPerDegree(middle));
    }
    const x = dx * this.#east;
    const y = dy * this.#north;
    return Math.sqrt(x * x + y * y);
  }
}
