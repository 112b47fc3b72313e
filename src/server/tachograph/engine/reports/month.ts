import { type Absence, neutralDays } from '../rules/absences.ts';
import { addDays, isoWeekOf, minuteAt, mondayOf, offsetAt, weekdayOf } from '../timeline/zone.ts';
import { isHoliday } from './calendar.ts';
import type { PayrollDay } from './payroll-days.ts';

/** The terms of a tenant's contract. */
export interface PayrollTerms {
  /** ordinary minutes a week: CCNL Logistica 39 h, 47 h for discontinuous duties */
  readonly weeklyMinutes: number;
  readonly availabilityAsWork: boolean;
  /** `yyyy-mm-dd` or `mm-dd`, beside Sundays and Italian holidays */
  readonly holidays: readonly string[];
  /** minutes of spread from which a day counts as one away from the base */
  readonly travelFromMinutes: number;
  /** NationNumeric of home */
  readonly homeNation: number;
  readonly bases: readonly { readonly latitude: number; readonly longitude: number }[];
  /** meters from a base within which a driver is at home */
  readonly baseRadiusM: number;
}

/** A day for payroll. Lengths are minutes, `null` without data. */
export interface LulDay extends PayrollDay {
  readonly weekday: number;
  /** `P` worked, `R` rest, `?` without data */
  readonly presence: 'P' | 'R' | '?';
  /** driving, other work and, where the terms say so, availability */
  readonly working: number;
  readonly ordinary: number;
  readonly overtime: number;
  /** on Sundays and holidays */
  readonly holiday: number;
  /** Code of the reason of absence; `null` on days with work, and without an absence. */
  readonly absence: string | null;
  readonly travel: 'home' | 'abroad' | null;
  /** `null` where no base or no position is known */
  readonly nightAway: boolean | null;
}

export interface LulWeek {
  readonly isoWeek: string;
  readonly from: string;
  readonly to: string;
  readonly working: number;
  readonly driving: number;
  readonly overtime: number;
  /** more than 60 hours */
  readonly over60: boolean;
  readonly unknown: number;
}

export interface LulMonth {
  readonly month: string;
  readonly days: readonly LulDay[];
  readonly weeks: readonly LulWeek[];
  readonly totals: Totals;
  /** Four months that end with this one: Directive 2002/15, article 4(a). */
  readonly fourMonths: {
    readonly from: string;
    readonly to: string;
    /** minutes a week on average, over the calendar weeks with data */
    readonly meanWeekly: number | null;
    readonly limitWeekly: number;
    readonly residual: number | null;
    readonly complete: boolean;
  };
  /** every minute of the month has data */
  readonly complete: boolean;
}

const TOTALED_FIELDS = [
  ...(['driving', 'work', 'availability', 'rest', 'unknown', 'spread', 'breaks', 'night', 'nightPeriod'] as const),
  ...(['km', 'working', 'ordinary', 'overtime', 'holiday'] as const),
] as const;
export type Totals = Readonly<Record<(typeof TOTALED_FIELDS)[number], number>> & { readonly daysWorked: number };

const WEEKLY_LIMIT = 2_880;
const SIXTY_HOURS = 3_600;

export const lastDayOf = (month: string): string => {
  const [year, number] = month.split('-').map(Number);
  return new Date(Date.UTC(year!, number!, 0)).toISOString().slice(0, 10);
};

/** The days that a month needs: whole weeks, and four months back. */
export function neededFor(month: string): { readonly from: string; readonly to: string } {
  const monday = mondayOf(`${month}-01`);
  const four = fourMonthsTo(month).from;
  return { from: [four, monday].sort()[0]!, to: addDays(mondayOf(lastDayOf(month)), 6) };
}

function fourMonthsTo(month: string): { readonly from: string; readonly to: string } {
  const [year, number] = month.split('-').map(Number);
  return { from: new Date(Date.UTC(year!, number! - 4, 1)).toISOString().slice(0, 10), to: lastDayOf(month) };
}

/** An absence, and its code in payroll. */
export interface CodedAbsence extends Absence {
  readonly code: string;
}

/** @param absences in the order in which their codes count */
export function lulMonth(
  month: string,
  known: readonly PayrollDay[],
  terms: PayrollTerms,
  absences: readonly CodedAbsence[] = [],
  zone = 'UTC',
): LulMonth {
  const byDate = new Map(known.map((day) => [day.date, day]));
  const days: LulDay[] = [];
  const weeks: LulWeek[] = [];
  for (let monday = mondayOf(`${month}-01`); monday <= lastDayOf(month); monday = addDays(monday, 7)) {
    const week = Array.from({ length: 7 }, (_, i) => read(addDays(monday, i), byDate, terms, { absences, zone }));
    const split = spreadOvertime(week, terms);
    days.push(...split.filter(({ date }) => date.startsWith(month)));
    const sum = (of: (day: LulDay) => number): number => split.reduce((total, day) => total + of(day), 0);
    const working = sum((day) => day.working);
    weeks.push({
      isoWeek: isoWeekOf(monday),
      from: monday,
      to: addDays(monday, 6),
      working,
      driving: sum((day) => day.driving),
      overtime: sum((day) => day.overtime),
      over60: working > SIXTY_HOURS,
      unknown: sum((day) => day.unknown),
    });
  }
  const totals = Object.fromEntries(TOTALED_FIELDS.map((key) => [key, days.reduce((sum, day) => sum + day[key], 0)]));
  return {
    month,
    days,
    weeks,
    totals: { ...totals, daysWorked: days.filter(({ presence }) => presence === 'P').length } as Totals,
    fourMonths: meanOf(month, byDate, terms, { absences, zone }),
    complete: days.every(({ unknown }) => unknown === 0),
  };
}

const emptyTotals = (date: string): PayrollDay => ({
  date,
  minutesInDay: 1_440,
  driving: 0,
  work: 0,
  availability: 0,
  rest: 0,
  unknown: 1_440,
  start: null,
  end: null,
  spread: 0,
  breaks: 0,
  dailyRest: 0,
  night: 0,
  nightPeriod: 0,
  km: 0,
  plates: [],
  countries: [],
  endedAt: null,
});

const workingOf = (day: PayrollDay, { availabilityAsWork }: PayrollTerms): number =>
  day.driving + day.work + (availabilityAsWork ? day.availability : 0);

/** The code of the absence that covers the middle of a day. */
function absenceOn(date: string, { absences, zone }: KnownAbsences): string | null {
  const noon = minuteAt(date, 720, zone);
  return absences.find(({ from, to }) => from <= noon && to > noon)?.code ?? null;
}

interface KnownAbsences {
  readonly absences: readonly CodedAbsence[];
  readonly zone: string;
}

function read(
  date: string,
  byDate: ReadonlyMap<string, PayrollDay>,
  terms: PayrollTerms,
  known: KnownAbsences,
): LulDay {
  const day = byDate.get(date) ?? emptyTotals(date);
  const working = workingOf(day, terms);
  const isAbroad = day.countries.some((country) => country !== terms.homeNation);
  return {
    ...day,
    weekday: weekdayOf(date),
    working,
    ordinary: working,
    overtime: 0,
    presence: working + day.availability > 0 ? 'P' : day.unknown >= day.minutesInDay / 2 ? '?' : 'R',
    absence: working + day.availability > 0 ? null : absenceOn(date, known),
    holiday: isHoliday(date, terms.holidays) ? working : 0,
    travel: day.spread < terms.travelFromMinutes || day.spread === 0 ? null : isAbroad ? 'abroad' : 'home',
    nightAway: awayOf(day, terms),
  };
}

function awayOf({ endedAt }: PayrollDay, { bases, baseRadiusM }: PayrollTerms): boolean | null {
  if (endedAt === null || bases.length === 0) return null;
  return bases.every((base) => metresBetween(base, endedAt) > baseRadiusM);
}

interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

function metresBetween(a: Place, b: Place): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180;
  const half = (from: number, to: number): number => Math.sin(radians(to - from) / 2) ** 2;
  const h =
    half(a.latitude, b.latitude) +
    Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * half(a.longitude, b.longitude);
  return 2 * 6_371_008.8 * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** Hours of a week above the ordinary hours are overtime of its last days. */
function spreadOvertime(week: readonly LulDay[], { weeklyMinutes }: PayrollTerms): LulDay[] {
  let remaining = Math.max(0, week.reduce((sum, { working }) => sum + working, 0) - weeklyMinutes);
  return week
    .toReversed()
    .map((day) => {
      const overtime = Math.min(remaining, day.working);
      remaining -= overtime;
      return { ...day, overtime, ordinary: day.working - overtime };
    })
    .reverse();
}

/**
 * Over the calendar weeks that begin in the four months. A week counts as a whole if any day of it has data: days without
 * a card between them are days off. Days of absence are neutral.
 */
function meanOf(
  month: string,
  byDate: ReadonlyMap<string, PayrollDay>,
  terms: PayrollTerms,
  { absences, zone }: KnownAbsences,
): LulMonth['fourMonths'] {
  const { from, to } = fourMonthsTo(month);
  const isCovered = (day: PayrollDay | undefined): day is PayrollDay =>
    day !== undefined && day.unknown < day.minutesInDay;
  const dateOf = (day: number): string => addDays('1970-01-01', day);
  // days of the zone as if they were of UTC, as payroll days are
  const isNeutral = neutralDays(
    absences.map((each) => ({
      ...each,
      from: each.from + offsetAt(each.from, zone),
      to: each.to + offsetAt(each.to, zone),
    })),
    (day) => {
      const known = byDate.get(dateOf(day));
      return known !== undefined && workingOf(known, terms) > 0;
    },
  );
  let [weeks, coveredWeeks, countedDays, working] = [0, 0, 0, 0];
  let monday = mondayOf(from);
  if (monday < from) monday = addDays(monday, 7);
  for (; monday <= to; monday = addDays(monday, 7)) {
    const first = Date.parse(monday) / 86_400_000;
    const own = Array.from({ length: 7 }, (_, index) => first + index);
    const counted = own.filter((day) => !isNeutral(day)).length;
    const days = own.map((day) => byDate.get(dateOf(day))).filter(isCovered);
    weeks++;
    if (days.length === 0 && counted > 0) continue;
    coveredWeeks++;
    countedDays += counted;
    for (const day of days) working += workingOf(day, terms);
  }
  const covered = countedDays / 7;
  const meanWeekly = covered === 0 ? null : Math.round(working / covered);
  const residual = covered === 0 ? null : Math.round(WEEKLY_LIMIT * covered - working);
  return { from, to, meanWeekly, limitWeekly: WEEKLY_LIMIT, residual, complete: coveredWeeks === weeks };
}
