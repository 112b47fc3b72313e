import polyline from '@mapbox/polyline';

export type Precision = 5 | 6;

/** A place: latitude, longitude. */
export type Place = readonly [latitude: number, longitude: number];

/**
 * Encoded Polyline Algorithm Format, piece by piece: what `encode` gives for each piece, joined, is the polyline of all
 * of them. (The format writes differences, so a piece is encoded behind the last place of the one before.)
 */
export class PolylineEncoder {
  readonly #precision: Precision;
  #last: Place | undefined;

  constructor(precision: Precision) {
    this.#precision = precision;
  }

  encode(places: readonly Place[]): string {
    const last = this.#last;
    if (places.length === 0) return '';
    this.#last = places.at(-1);
    const text = (list: readonly Place[]): string => polyline.encode(list as [number, number][], this.#precision);
    return last === undefined ? text(places) : text([last, ...places]).slice(text([last]).length);
  }
}

/**
 * Keeps at most `most` places of a way of any length, evenly: when there are too many, every second one goes. The last
 * one is always kept.
 */
export class Thinner<T = Place> {
  readonly #most: number;
  #kept: T[] = [];
  #stride = 1;
  #seen = 0;
  #last: T | undefined;

  constructor(most: number) {
    this.#most = Math.max(2, most);
  }

  add(item: T): void {
    this.#last = item;
    if (this.#seen++ % this.#stride !== 0) return;
    this.#kept.push(item);
    if (this.#kept.length < this.#most) return;
    this.#kept = this.#kept.filter((_, i) => i % 2 === 0);
    this.#stride *= 2;
  }

  get isThinned(): boolean {
    return this.#stride > 1;
  }

  get items(): readonly T[] {
    const last = this.#last;
    return last === undefined || this.#kept.at(-1) === last ? this.#kept : [...this.#kept, last];
  }
}
