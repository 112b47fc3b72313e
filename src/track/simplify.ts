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

  /** 0: nothing is left out */
  constructor(withinM: number) {
    this.#withinM = withinM;
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
      this.#run.length < LONGEST_RUN && this.#run.every((left) => offM(left, anchor, place) <= this.#withinM);
    if (isStraight) {
      this.#run.push(place);
      return NONE;
    }
    const kept = this.#run.at(-1)!;
    this.#anchor = kept;
    this.#run = [place];
    return [kept];
  }

  /** The last place, where it has not been given yet. */
  end(): readonly Place[] {
    const last = this.#run.at(-1);
    this.#run = [];
    return last === undefined ? NONE : [last];
  }
}

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
