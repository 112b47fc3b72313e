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

/** What the rules are told that days do not tell. */
export type JudgeOptions = Omit<AnalysisOptions, 'driver' | 'places'>;

/**
 * The rules over the days that are kept of a driver; `undefined` where there are none.
 * @param timeline that of the days, where it is made already
 */
export function judge(
  days: readonly DriverDay[],
  driver: DriverIdentity,
  options: JudgeOptions,
  timeline = timelineOf(days),
): Analysis | undefined {
  return timeline && analyse(timeline, { ...options, driver, places: placesOf(days) });
}

/** What is left to a driver at a minute (UTC, since 1970); `undefined` where nothing is known until then. */
export function residualAt(
  days: readonly DriverDay[],
  driver: DriverIdentity,
  options: JudgeOptions,
  at: number,
): Residual | undefined {
  const timeline = timelineOf(days);
  const isKnown = timeline?.intervals.some(({ activity, from }) => activity !== 'unknown' && from < at) ?? false;
  return timeline && isKnown ? residual(timeline, at, { ...options, driver, places: placesOf(days) }) : undefined;
}

/** What is no place to stay in: none, and the rest of the world. */
const NO_COUNTRY = new Set([0, 0xfd, 0xfe, 0xff]);

function placesOf(days: readonly DriverDay[]): KnownPlace[] {
  const places = days.flatMap(({ places }) => places).toSorted((a, b) => a.at - b.at);
  return places.map(({ at, kind, country, position }) => ({
    ...{ at: Math.floor(at / 60), kind, position },
    country: NO_COUNTRY.has(country) ? null : country,
  }));
}
