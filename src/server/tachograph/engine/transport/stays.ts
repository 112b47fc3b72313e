import type { PlaceNote } from '../reports/driver-days.ts';
import type { Seconds } from '../values.ts';

/** Codes that name no country: no information, and groups of countries. */
const NO_COUNTRY: ReadonlySet<number> = new Set([0, 0xfd, 0xfe, 0xff]);

/** NationNumeric; `null` where the code names no country. */
export const countryOf = (country: number): number | null => (NO_COUNTRY.has(country) ? null : country);

/** Loading and unloading of an operation, as far as they are known. */
interface Ends {
  readonly loadedAt: Seconds | null;
  readonly loadedIn: number | null;
  readonly unloadedAt: Seconds | null;
  readonly unloadedIn: number | null;
}

/** Time in a country. */
export interface Stay {
  readonly country: number;
  readonly from: Seconds;
  /** `null`: the country is the last one that is known. */
  readonly to: Seconds | null;
  /** Its begin is a recorded border crossing; otherwise it is the first record in the country. */
  readonly isCrossing: boolean;
}

/** From places, border crossings, and countries of loading and unloading, in any order. */
export function staysOf(places: readonly PlaceNote[], operations: readonly Ends[]): Stay[] {
  const seen = [
    ...places.map(({ at, kind, country }) => ({ at, country: countryOf(country), isCrossing: kind === 'border' })),
    ...operations.flatMap(({ loadedAt, loadedIn, unloadedAt, unloadedIn }) => [
      { at: loadedAt, country: loadedIn, isCrossing: false },
      { at: unloadedAt, country: unloadedIn, isCrossing: false },
    ]),
  ].flatMap(({ at, country, isCrossing }) => (at === null || country === null ? [] : [{ at, country, isCrossing }]));
  seen.sort((a, b) => a.at - b.at);
  const stays: Stay[] = [];
  for (const { at, country, isCrossing } of seen) {
    const last = stays.at(-1);
    if (last?.country === country) continue;
    if (last !== undefined) stays[stays.length - 1] = { ...last, to: at };
    stays.push({ country, from: at, to: null, isCrossing });
  }
  return stays;
}

/** The country at a time; before the first record it is unknown. */
export const stayAt = (stays: readonly Stay[], at: Seconds): Stay | undefined =>
  stays.findLast(({ from }) => from <= at);
