import type { Route } from './trips.ts';

/**
 * Some of the routes of several vehicles, which are found at the same time: those of the first vehicle first. No more
 * are kept than can still be among the `most` asked for, regardless of the order in which they are found.
 */
export class RouteList {
  readonly #most: number;
  readonly #first: number;
  readonly #skipped: number;
  readonly #counts: number[];
  readonly #kept: Route[][];

  /** The number of vehicles, and where the page begins: at route `skipped` of vehicle `first`. */
  constructor(vehicles: number, most: number, { first, skipped } = { first: 0, skipped: 0 }) {
    this.#most = most;
    this.#first = first;
    this.#skipped = skipped;
    this.#counts = new Array(vehicles).fill(0);
    this.#kept = Array.from({ length: vehicles }, () => []);
  }

  /** Whether the next route of this vehicle is on the page, as far as is known. */
  wants(vehicle: number): boolean {
    return vehicle >= this.#first && this.#ordinal(vehicle) >= 0 && this.#before(vehicle) < this.#most;
  }

  add(vehicle: number, route: Route): void {
    if (this.wants(vehicle)) this.#kept[vehicle]!.push(route);
    this.#counts[vehicle]!++;
  }

  /** Place of the next route among those of its vehicle that are asked for; negative: before them. */
  #ordinal(vehicle: number): number {
    return this.#counts[vehicle]! - (vehicle === this.#first ? this.#skipped : 0);
  }

  #before(vehicle: number): number {
    let sum = this.#ordinal(vehicle);
    for (let i = this.#first; i < vehicle; i++) sum += Math.max(0, this.#ordinal(i));
    return sum;
  }

  /** The routes, once all have been found. */
  get routes(): readonly Route[] {
    return this.#kept.flat().slice(0, this.#most);
  }

  /** Where the one after the first `n` routes is: its vehicle, and its place there. */
  placeOf(n: number): { readonly first: number; readonly skipped: number } {
    let left = n;
    for (let vehicle = this.#first; vehicle < this.#counts.length; vehicle++) {
      const own = Math.max(0, this.#ordinal(vehicle));
      if (left < own) return { first: vehicle, skipped: left + (vehicle === this.#first ? this.#skipped : 0) };
      left -= own;
    }
    return { first: this.#counts.length, skipped: 0 };
  }
}
