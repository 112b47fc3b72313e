import { METRES_PER_DEGREE, unwrapLongitude } from './globe.ts';
import type { Coordinate } from './path.ts';

/** maximum points in one run: bounds memory and the work per point */
const LONGEST_RUN = 256;
const NONE: readonly Coordinate[] = [];

/**
 * Omits points within so many meters of the straight line between those that are kept (opening window algorithm:
 * each omitted point is checked). The first and the last point of a path are always kept.
 */
export class Simplifier {
  readonly #withinM: number;
  #anchor: Coordinate | undefined;
  #run: Coordinate[] = [];
  #cone: DirectionRange;

  /** 0: nothing is left out */
  constructor(withinM: number) {
    this.#withinM = withinM;
    this.#cone = new DirectionRange(withinM);
  }

  /** Points that are known to be kept after this one. */
  add(place: Coordinate): readonly Coordinate[] {
    if (this.#withinM === 0) return [place];
    if (this.#anchor === undefined) {
      this.#anchor = place;
      return [place];
    }
    const anchor = this.#anchor;
    const isStraight =
      this.#run.length < LONGEST_RUN &&
      (this.#cone.holds(anchor, place) || this.#run.every((left) => offM(left, anchor, place) <= this.#withinM));
    if (isStraight) {
      this.#run.push(place);
      this.#cone.narrow(anchor, place);
      return NONE;
    }
    const emitted = this.#run.at(-1)!;
    this.#anchor = emitted;
    this.#run = [place];
    this.#cone = new DirectionRange(this.#withinM);
    this.#cone.narrow(emitted, place);
    return [emitted];
  }

  /** The last point, if it was not returned yet. */
  end(): readonly Coordinate[] {
    const last = this.#run.at(-1);
    this.#run = [];
    return last === undefined ? NONE : [last];
  }
}

/**
 * Range of directions from an anchor in which a straight line passes all previous points closely enough. A point inside it,
 * and as far away as all of them, needs no check against each; a point outside may still fit.
 */
class DirectionRange {
  readonly #withinM: number;
  #farthestM = 0;
  /** radians; direction of the first point that is not close to the anchor */
  #middle = Number.NaN;
  // from the middle
  #least = -Math.PI;
  #most = Math.PI;

  constructor(withinM: number) {
    this.#withinM = withinM;
  }

  holds(anchor: Coordinate, place: Coordinate): boolean {
    if (this.#farthestM <= this.#withinM) return true;
    const [x, y] = eastNorthM(anchor, place);
    if (Math.hypot(x, y) < this.#farthestM) return false;
    const offset = this.#turn(Math.atan2(y, x));
    return offset >= this.#least && offset <= this.#most;
  }

  narrow(anchor: Coordinate, place: Coordinate): void {
    const [x, y] = eastNorthM(anchor, place);
    const awayM = Math.hypot(x, y);
    this.#farthestM = Math.max(this.#farthestM, awayM);
    if (awayM <= this.#withinM) return;
    const direction = Math.atan2(y, x);
    if (Number.isNaN(this.#middle)) this.#middle = direction;
    const [offset, width] = [this.#turn(direction), Math.asin(this.#withinM / awayM)];
    this.#least = Math.max(this.#least, offset - width);
    this.#most = Math.min(this.#most, offset + width);
  }

  #turn(direction: number): number {
    const offset = direction - this.#middle;
    return offset > Math.PI ? offset - 2 * Math.PI : offset < -Math.PI ? offset + 2 * Math.PI : offset;
  }
}

/** Meters east and north of an anchor, on the plane of `offM`. */
const eastNorthM = ([latitude, longitude]: Coordinate, [latitudeB, longitudeB]: Coordinate): [x: number, y: number] => [
  (unwrapLongitude(longitudeB, longitude) - longitude) * Math.cos((latitude * Math.PI) / 180) * METRES_PER_DEGREE,
  (latitudeB - latitude) * METRES_PER_DEGREE,
];

/** Distance of a point from the straight line between two others, m. */
function offM(
  [latitude, longitude]: Coordinate,
  [latitudeA, longitudeA]: Coordinate,
  [latitudeB, longitudeB]: Coordinate,
): number {
  const cos = Math.cos((latitudeA * Math.PI) / 180);
  const bx = (unwrapLongitude(longitudeB, longitudeA) - longitudeA) * cos;
  const by = latitudeB - latitudeA;
  const px = (unwrapLongitude(longitude, longitudeA) - longitudeA) * cos;
  const py = latitude - latitudeA;
  const length = bx * bx + by * by;
  const t = length === 0 ? 0 : Math.min(1, Math.max(0, (px * bx + py * by) / length));
  return Math.hypot(px - t * bx, py - t * by) * METRES_PER_DEGREE;
}
