import { distanceM, METRES_PER_DEGREE, unwrapLongitude } from './globe.ts';

const RADIANS = Math.PI / 180;
/** beyond it the planar approximation is too inaccurate */
const FAR_DEGREES = 0.5;

/**
 * Distances between adjacent fixes, m: on the tangent plane, for a tenth of the great circle's
 * cost and within 0.1 % of it up to 50 km, on the great circle beyond.
 */
export class Ruler {
  #latitude = Number.NaN;
  #cos = 1;

  measure(latitudeA: number, longitudeA: number, latitudeB: number, longitudeB: number): number {
    const dy = latitudeB - latitudeA;
    const dx = unwrapLongitude(longitudeB, longitudeA) - longitudeA;
    if (dx === 0 && dy === 0) return 0;
    if (Math.abs(dy) > FAR_DEGREES || Math.abs(dx) > FAR_DEGREES || Math.abs(latitudeA) > 80) {
      return distanceM(latitudeA, longitudeA, latitudeB, longitudeB);
    }
    const middle = (latitudeA + latitudeB) / 2;
    if (!(Math.abs(middle - this.#latitude) < 0.005)) {
      this.#latitude = middle;
      this.#cos = Math.cos(middle * RADIANS);
    }
    const x = dx * this.#cos;
    return Math.sqrt(x * x + dy * dy) * METRES_PER_DEGREE;
  }
}
