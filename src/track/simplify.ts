import { METRES_PER_DEGREE, nearestTurn } from './globe.ts';
import type { Place } from './path.ts';

/** places that one run keeps at most: memory, and the work that one place can cause, stay bounded */
const LONGEST_RUN = 256;
const NONE: readonly Place[] = [];

/**
 * Leaves out places that lie within so many metres of the straight line between those that stay (an opening window:
 * each place that was left out is checked). The first and the last of a way always stay.
 */
export class Simplifier {
  readonly #withinM: number;
  #anchor: Place | undefined;
  #run: Place[] = [];
  #cone: Cone;

  /** 0: nothing is left out */
  constructor(withinM: number) {
    this.#withinM = withinM;
    this.#cone = new Cone(withinM);
  }

  /** Places that stay, now that this one is known. */
  add(place: Place): readonly Place[] {
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
    const kept = this.#run.at(-1)!;
    this.#anchor = kept;
    this.#run = [place];
    this.#cone = new Cone(this.#withinM);
    this.#cone.narrow(kept, place);
    return [kept];
  }

  /** The last place, where it has not been given yet. */
  end(): readonly Place[] {
    const last = this.#run.at(-1);
    this.#run = [];
    return last === undefined ? NONE : [last];
  }
}

/**
 * Directions from an anchor in which a straight line passes all places so far closely enough. Whoever lies within it, and
 * as far away as any of them, need not be held against each; whoever does not may fit all the same.
 */
class Cone {
  readonly #withinM: number;
  #farthestM = 0;
  /** radians; that of the first place that is not close to the anchor */
  #middle = Number.NaN;
  // from the middle
  #least = -Math.PI;
  #most = Math.PI;

  constructor(withinM: number) {
    this.#withinM = withinM;
  }

  holds(anchor: Place, place: Place): boolean {
    if (this.#farthestM <= this.#withinM) return true;
    const [x, y] = eastNorthM(anchor, place);
    if (Math.hypot(x, y) < this.#farthestM) return false;
    const turn = this.#turn(Math.atan2(y, x));
    return turn >= this.#least && turn <= this.#most;
  }

  narrow(anchor: Place, place: Place): void {
    const [x, y] = eastNorthM(anchor, place);
    const awayM = Math.hypot(x, y);
    this.#farthestM = Math.max(this.#farthestM, awayM);
    if (awayM <= this.#withinM) return;
    const direction = Math.atan2(y, x);
    if (Number.isNaN(this.#middle)) this.#middle = direction;
    const [turn, width] = [this.#turn(direction), Math.asin(this.#withinM / awayM)];
    this.#least = Math.max(this.#least, turn - width);
    this.#most = Math.min(this.#most, turn + width);
  }

  #turn(direction: number): number {
    const turn = direction - this.#middle;
    return turn > Math.PI ? turn - 2 * Math.PI : turn < -Math.PI ? turn + 2 * Math.PI : turn;
  }
}

/** Metres east and north of an anchor, on the plane of `offM`. */
const eastNorthM = ([latitude, longitude]: Place, [latitudeB, longitudeB]: Place): [x: number, y: number] => [
  (nearestTurn(longitudeB, longitude) - longitude) * Math.cos((latitude * Math.PI) / 180) * METRES_PER_DEGREE,
  (latitudeB - latitude) * METRES_PER_DEGREE,
];

/** How far a place lies from the straight line between two others, m. */
function offM([latitude, longitude]: Place, [latitudeA, longitudeA]: Place, [latitudeB, longitudeB]: Place): number {
  const cos = Math.cos((latitudeA * Math.PI) / 180);
  const bx = (nearestTurn(longitudeB, longitudeA) - longitudeA) * cos;
  const by = latitudeB - latitudeA;
  const px = (nearestTurn(longitude, longitudeA) - longitudeA) * cos;
  const py = latitude - latitudeA;
  const length = bx * bx + by * by;
  const t = length === 0 ? 0 : Math.min(1, Math.max(0, (px * bx + py * by) / length));
  return Math.hypot(px - t * bx, py - t * by) * METRES_PER_DEGREE;
}
