import polyline from '@mapbox/polyline';

export type Precision = 5 | 6;

/** Latitude, longitude. */
export type Coordinate = readonly [latitude: number, longitude: number];

/**
 * Encoded Polyline Algorithm Format, chunk by chunk: the concatenated results of `encode` are the polyline of all
 * chunks. (The format writes differences, so a chunk is encoded after the last coordinate of the previous one.)
 */
export class PolylineEncoder {
  readonly #precision: Precision;
  #last: Coordinate | undefined;

  constructor(precision: Precision) {
    this.#precision = precision;
  }

  encode(places: readonly Coordinate[]): string {
    const last = this.#last;
    if (places.length === 0) return '';
    this.#last = places.at(-1);
    const text = (list: readonly Coordinate[]): string => polyline.encode(list as [number, number][], this.#precision);
    return last === undefined ? text(places) : text([last, ...places]).slice(text([last]).length);
  }
}

/**
 * Keeps at most `maxItems` points of a path of any length, evenly: when there are too many, every second one is dropped. The last
 * one is always kept.
 */
export class Thinner<T = Coordinate> {
  readonly #most: number;
  #kept: T[] = [];
  #stride = 1;
  #seen = 0;
  #last: T | undefined;

  constructor(maxItems: number) {
    this.#most = Math.max(2, maxItems);
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

/** As `Thinner`, as plain data: `addPlace` returns another one. */
export interface ThinnedPath {
  readonly kept: readonly Coordinate[];
  /** one of `stride` places is kept */
  readonly stride: number;
  readonly seen: number;
  readonly last: Coordinate | undefined;
}

export const EMPTY_PATH: ThinnedPath = { kept: [], stride: 1, seen: 0, last: undefined };

/** Copies the kept places where the place is one of them: every `stride`-th only. */
export function addPlace({ kept, stride, seen }: ThinnedPath, last: Coordinate, maxPlaces: number): ThinnedPath {
  if (seen % stride !== 0) return { kept, stride, seen: seen + 1, last };
  const longer = [...kept, last];
  return longer.length < Math.max(2, maxPlaces)
    ? { kept: longer, stride, seen: seen + 1, last }
    : { kept: longer.filter((_, i) => i % 2 === 0), stride: 2 * stride, seen: seen + 1, last };
}

export const placesOf = ({ kept, last }: ThinnedPath): readonly Coordinate[] =>
  last === undefined || kept.at(-1) === last ? kept : [...kept, last];
