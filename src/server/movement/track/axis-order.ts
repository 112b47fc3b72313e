import { clip, contains } from '../../../geometry/clip.ts';
import { METRES_PER_DEGREE, unwrapLongitude } from '../../../geometry/globe.ts';
import type { Polygon } from '../../../geometry/polygon.ts';
import type { Fixes } from './fixes.ts';

const FAR_M = 300_000;

/**
 * Detects a polygon whose pairs are probably in the other axis order: nothing of the track comes within 300 km of the
 * polygon (of its bounds), and the polygon with its axes swapped is touched by it.
 */
export class AxisOrderCheck {
  readonly #polygon: Polygon;
  readonly #swapped: Polygon | undefined;
  readonly #reachY = FAR_M / METRES_PER_DEGREE;
  readonly #reachX: number;
  readonly #maxGapMs: number;
  #isNear = false;
  #isTouched = false;
  #at = Number.NaN;
  #latitude = 0;
  #longitude = 0;

  /** `swapped` is undefined if the swapped pairs are no polygon on the globe. */
  constructor(polygon: Polygon, swapped: Polygon | undefined, maxGapMs: number) {
    this.#polygon = polygon;
    this.#swapped = swapped;
    this.#maxGapMs = maxGapMs;
    const maxDistanceM = Math.min(89, Math.max(Math.abs(polygon.south), Math.abs(polygon.north)));
    this.#reachX = this.#reachY / Math.cos((maxDistanceM * Math.PI) / 180);
  }

  feed(fixes: Fixes): void {
    if (this.#swapped === undefined) return;
    for (let i = 0; i < fixes.count && !this.#isNear; i++) {
      this.#next(this.#swapped, fixes.at[i]!, fixes.latitude[i]!, fixes.longitude[i]!);
    }
  }

  #next(swapped: Polygon, at: number, latitude: number, longitude: number): void {
    const { west, east, south, north } = this.#polygon;
    const x = unwrapLongitude(longitude, (west + east) / 2);
    this.#isNear =
      latitude >= south - this.#reachY &&
      latitude <= north + this.#reachY &&
      x >= west - this.#reachX &&
      x <= east + this.#reachX;
    if (!this.#isTouched) {
      const isPathStarted = at - this.#at <= this.#maxGapMs;
      this.#isTouched =
        contains(swapped, longitude, latitude) ||
        (isPathStarted && clip(swapped, this.#longitude, this.#latitude, longitude, latitude, false).length > 0);
    }
    this.#at = at;
    this.#latitude = latitude;
    this.#longitude = longitude;
  }

  get isSuspect(): boolean {
    return this.#isTouched && !this.#isNear;
  }
}
