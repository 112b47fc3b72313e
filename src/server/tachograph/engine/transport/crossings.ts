import type { Seconds } from '../values.ts';
import { endOf, type Operation, startOf } from './operations.ts';
import type { Stay } from './stays.ts';

/** What a driver did in a country: loaded or unloaded, crossed it with or without goods; or it is not known. */
export type StayPurpose = 'loading' | 'transit' | 'unladen' | 'undetermined';

export interface CountryStay extends Stay {
  readonly purpose: StayPurpose;
}

/** Stays outside the country of establishment. */
export function purposesOf(
  stays: readonly Stay[],
  operations: readonly Operation[],
  establishment: number,
): CountryStay[] {
  return stays.flatMap((stay) =>
    stay.country === establishment ? [] : [{ ...stay, purpose: purposeOf(stay, operations) }],
  );
}

function purposeOf({ country, from, to }: Stay, operations: readonly Operation[]): StayPurpose {
  const until = to ?? Number.POSITIVE_INFINITY;
  const isWithin = (at: Seconds | null): boolean => at !== null && at >= from && at <= until;
  const isEnd = ({ loadedAt, loadedIn, unloadedAt, unloadedIn }: Operation): boolean =>
    (loadedIn === country && isWithin(loadedAt)) || (unloadedIn === country && isWithin(unloadedAt));
  if (operations.some(isEnd)) return 'loading';
  if (operations.some((each) => startOf(each) <= from && endOf(each) >= until)) return 'transit';
  // without any loading around it nothing says whether there were goods
  const isBetween = operations.some((each) => endOf(each) <= from) && operations.some((each) => startOf(each) >= until);
  return isBetween ? 'unladen' : 'undetermined';
}
