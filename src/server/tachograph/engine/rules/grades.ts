import type { Level, RuleId } from './findings.ts';

/**
 * The Union's grades: minor from Directive 2006/22 Annex III (as replaced by 2024/846), the others from Regulation
 * 2016/403 Annex I (as replaced by 2022/694). Each row: from how many minutes on which grade. `isCompared` returns which rows were compared
 * with the published text; each row with its clause is in docs/tachograph.md.
 */
type Rows = readonly (readonly [from: number, level: Level])[];

const h = (hours: number, minutes = 0): number => hours * 60 + minutes;

/** 2016/403 Annex I, group 1, article 6(1): nine hours. */
const DAY_9: Rows = [
  [h(9) + 1, 'MI'],
  [h(10), 'SI'],
  [h(11), 'VSI'],
  [h(13, 30), 'MSI'],
];
/** Article 6(1): ten hours, where the day may be extended. */
const DAY_10: Rows = [
  [h(10) + 1, 'MI'],
  [h(11), 'SI'],
  [h(12), 'VSI'],
  [h(15), 'MSI'],
];
/** Article 6(2). */
const WEEK_56: Rows = [
  [h(56) + 1, 'MI'],
  [h(60), 'SI'],
  [h(65), 'VSI'],
  [h(70), 'MSI'],
];
/** Article 6(3). */
const FORTNIGHT_90: Rows = [
  [h(90) + 1, 'MI'],
  [h(100), 'SI'],
  [h(105), 'VSI'],
  [h(112, 30), 'MSI'],
];
/** Article 7. */
const BREAK: Rows = [
  [h(4, 30) + 1, 'MI'],
  [h(5), 'SI'],
  [h(6), 'VSI'],
];
/** Coaches on up to twelve days, at night, where one driver has three hours. */
const BREAK_NIGHT: Rows = [
  [h(3) + 1, 'SI'],
  [h(4, 30), 'VSI'],
];
/** Article 8(6): after six times 24 hours. */
const LATE: Rows = [
  [1, 'MI'],
  [h(3), 'SI'],
  [h(12), 'VSI'],
];
/** 2002/15 article 4: 48 hours on average. */
const WEEK_48: Rows = [
  [h(56), 'SI'],
  [h(60), 'VSI'],
];
/** 2002/15 article 4: 60 hours. */
const WEEK_60: Rows = [
  [h(65), 'SI'],
  [h(70), 'VSI'],
];
/** 2002/15 article 7. */
const NIGHT_10: Rows = [
  [h(11), 'SI'],
  [h(13), 'VSI'],
];

/**
 * Serious grades and above of driving times: rows 2 to 15 of the consolidated list of 23 May 2022, articles 6(1), 6(2), 6(3)
 * and 7. The others, and all minor ones, are from memory or a secondary source.
 */
export function isCompared(rule: RuleId, level: Level, limit: number): boolean {
  if (level === 'MI') return false;
  return rule === 'D1' || rule === 'D2' || rule === 'D3' || (rule === 'B1' && limit !== 180);
}

const most = (rows: Rows, minutes: number): Level | null => rows.findLast(([from]) => minutes >= from)?.[1] ?? null;

/** Article 8(2), (4): eleven hours. Rest by its minimum length: below the last row it is very serious. */
const REST_11: Rows = [
  [h(8, 30), 'SI'],
  [h(10), 'MI'],
];
/** Article 8(2), (4), (5): reduced, the second part of a split one, of a crew. */
const REST_9: Rows = [
  [h(7), 'SI'],
  [h(8), 'MI'],
];
/** Article 8(6): reduced. */
const WEEKLY_24: Rows = [
  [h(20), 'SI'],
  [h(22), 'MI'],
];
/** Article 8(6): regular, where no reduced one may be. */
const WEEKLY_45: Rows = [
  [h(36), 'SI'],
  [h(42), 'MI'],
];
/** Two weekly rests after up to twelve days, 45 and 24 hours. */
const AFTER_TWELVE_DAYS: Rows = [
  [h(65) + 1, 'SI'],
  [h(67) + 1, 'MI'],
];
const least = (rows: Rows, required: number, minutes: number): Level | null =>
  minutes >= required ? null : (rows.findLast(([from]) => minutes >= from)?.[1] ?? 'VSI');

export const dailyDrivingLevel = (limit: number, minutes: number): Level | null =>
  most(limit === 600 ? DAY_10 : DAY_9, minutes);
export const weeklyDrivingLevel = (minutes: number): Level | null => most(WEEK_56, minutes);
export const fortnightDrivingLevel = (minutes: number): Level | null => most(FORTNIGHT_90, minutes);
export const breakLevel = (limit: number, minutes: number): Level | null =>
  most(limit === 180 ? BREAK_NIGHT : BREAK, minutes);
export const dailyRestLevel = (required: number, minutes: number): Level | null =>
  least(required === 660 ? REST_11 : REST_9, required, minutes);
export const lateLevel = (minutes: number): Level | null => most(LATE, minutes);

export function weeklyRestLevel(required: number, minutes: number): Level | null {
  if (required === 1440) return least(WEEKLY_24, required, minutes);
  return least(required === 2700 ? WEEKLY_45 : AFTER_TWELVE_DAYS, required, minutes);
}

export const averageWeekLevel = (minutes: number): Level | null => most(WEEK_48, minutes);
export const workingWeekLevel = (minutes: number): Level | null => most(WEEK_60, minutes);
export const nightWorkLevel = (minutes: number): Level | null => most(NIGHT_10, minutes);

/** 2002/15 article 5, for six to nine hours of work and for more. The lists do not grade breaks that are slightly too short. */
export function workBreakLevel(required: number, minutes: number): Level | null {
  const [serious, ungraded] = required === 30 ? [11, 21] : [21, 31];
  if (minutes >= ungraded) return null;
  return minutes >= serious ? 'SI' : 'VSI';
}
