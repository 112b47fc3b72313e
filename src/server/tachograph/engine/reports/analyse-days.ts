import {
  type Analysis,
  type AnalysisOptions,
  analyse,
  type KnownPlace,
  type Residual,
  residual,
} from '../rules/index.ts';
import type { DriverIdentity } from '../timeline/build.ts';
import { type DriverDay, timelineOf } from './driver-days.ts';

/** Options of the rules that are not in the days. */
export type AnalyseDaysOptions = Omit<AnalysisOptions, 'driver' | 'places'>;

/**
 * Applies the rules to the stored days of a driver; `undefined` without days.
 * @param timeline of the days, if it was built before
 */
export function analyseDays(
  days: readonly DriverDay[],
  driver: DriverIdentity,
  options: AnalyseDaysOptions,
  timeline = timelineOf(days),
): Analysis | undefined {
  return timeline && analyse(timeline, { ...options, driver, places: placesOf(days) });
}

/** The remaining allowance of a driver at a minute (UTC, since 1970); `undefined` without earlier data. */
export function residualAt(
  days: readonly DriverDay[],
  driver: DriverIdentity,
  options: AnalyseDaysOptions,
  at: number,
): Residual | undefined {
  const timeline = timelineOf(days);
  const isKnown = timeline?.intervals.some(({ activity, from }) => activity !== 'unknown' && from < at) ?? false;
  return timeline && isKnown ? residual(timeline, at, { ...options, driver, places: placesOf(days) }) : undefined;
}

/** Codes that name no country: no information, and the rest of the world. */
const NO_COUNTRY = new Set([0, 0xfd, 0xfe, 0xff]);

function placesOf(days: readonly DriverDay[]): KnownPlace[] {
  const places = days.flatMap(({ places }) => places).toSorted((a, b) => a.at - b.at);
  return places.flatMap(({ at, kind, country, position }): KnownPlace[] =>
    kind === 'load' || kind === 'unload' || kind === 'load-unload'
      ? []
      : [{ at: Math.floor(at / 60), kind, position, country: NO_COUNTRY.has(country) ? null : country }],
  );
}
