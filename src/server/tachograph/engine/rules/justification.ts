import type { Minute } from '../timeline/timeline.ts';
import type { Shift } from './daily.ts';
import { drivingIn } from './driving.ts';
import type { Justification } from './findings.ts';
import type { Pause } from './pauses.ts';
import { type Segment, WEEK, weekOf } from './segments.ts';
import { REDUCED_WEEKLY, REGULAR_WEEKLY, weeklyMinutes } from './weekly.ts';

/**
 * Article 12: an hour more to reach a weekly rest, two to reach a regular one after a break of thirty minutes. Whether
 * there is a note on a print-out, and whether the driver was on the way home, is not in the data.
 * @param excess minutes of driving beyond the limit of the day or week that ends with `shift`.
 */
export function justificationOf(
  { from, to, pause }: Shift,
  excess: number,
  segments: readonly Segment[],
  pauses: readonly Pause[],
): Justification | undefined {
  const rested = weeklyMinutes(pause);
  const compensateBy = weekOf(to) + 4 * WEEK;
  if (rested >= REDUCED_WEEKLY && excess <= 60) return { article: '12', allowedMinutes: 60, compensateBy };
  if (rested < REGULAR_WEEKLY || excess > 120) return undefined;
  // What was driven after the break is the additional driving: all of the excess, and no more than is allowed.
  const isAdditional = (driven: number): boolean => driven >= excess && driven <= 120;
  const isBreak = ({ from: begins, to: ends, minutes }: Pause): boolean =>
    begins > from && ends <= to && minutes >= 30 && isAdditional(drivenBetween(segments, ends, to));
  return pauses.some(isBreak) ? { article: '12', allowedMinutes: 120, compensateBy } : undefined;
}

const drivenBetween = (segments: readonly Segment[], from: Minute, to: Minute): number =>
  drivingIn(segments, from, to).reduce((sum, segment) => sum + segment.to - segment.from, 0);
