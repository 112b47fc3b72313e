import { DAY, type Minute, type Timeline } from '../timeline/timeline.ts';
import type { Analysis, AnalysisOptions, DailyPeriod, DaySums, WeeklyRest, WeekSums } from './analysis.ts';
import { missingCompensation } from './compensation.ts';
import { type Draft, finish } from './draft.ts';
import { breaks, dailyDriving, stretchesOf, weeklyDriving, weeklyDrivingOf } from './driving.ts';
import { ENGINE_VERSION, type Remark, RULES_VERSION } from './findings.ts';
import { dailyRestLevel } from './grades.ts';
import { justificationOf } from './justification.ts';
import { Night } from './night.ts';
import { noticesOf } from './notices.ts';
import { type Picture, pictureOf } from './picture.ts';
import { sumsOf, WEEK, weekOf, workingTimeOf } from './segments.ts';
import { tripsOf } from './weekly.ts';
import { weeklyRests } from './weeks.ts';
import { type Counting, countingOf, nightWork, referencesOf, workBreaks, workingWeeks } from './working.ts';

/**
 * Regulation 561/2006 and Directive 2002/15 over one driver's time. Only what the data prove is a finding: time without
 * data counts in favour of the driver, and what lies before and after the data is rest.
 */
export function analyse(timeline: Timeline, options: AnalysisOptions): Analysis {
  const picture = pictureOf(timeline, options);
  const counting = countingOf(options.availabilityAsWork ?? false);
  const weekly = weeklyDrivingOf(picture.segments, picture.span.from, picture.span.to);
  const days = daysOf(timeline, picture, counting);
  const weeks = weeksOf(picture, weekly, counting);
  const references = referencesOf(picture.segments, picture.span, options.referenceMonths ?? 4, counting);
  const periods = picture.shifts.map((_, index) => periodOf(picture, index, timeline.to));
  const rests = weeklyRestsOf(picture, timeline.to);
  const isOccasional = options.service === 'occasional-passengers';
  const night = new Night(options.night ?? { from: 0, to: 240 });
  const drafts = [
    ...dailyDriving(picture.segments, picture.days).map((draft) => justifyDay(draft, picture)),
    ...weeklyDriving(picture.segments, weekly).map((draft) => justifyWeek(draft, picture)),
    ...breaks(stretchesOf(picture.segments, isOccasional), tripsOf(picture.chain, picture.pauses[0]!.to)),
    ...dailyRests(picture, isOccasional),
    ...weeklyRestDrafts(picture, options),
    ...workBreaks(picture.segments, picture.shifts, counting),
    ...nightWork(picture.segments, picture.shifts, counting, night),
    ...workingWeeks(weeks, days, references),
  ];
  const finishing = { driver: options.driver, timeline, segments: picture.segments };
  return {
    ...{ engineVersion: ENGINE_VERSION, rulesVersion: RULES_VERSION, from: timeline.from, to: timeline.to },
    findings: drafts.map((draft) => finish(draft, finishing)).sort((a, b) => a.from - b.from || order(a.rule, b.rule)),
    notices: noticesOf(timeline, options, periods, rests),
    ...{ periods, weeklyRests: rests, weeks, days, references },
  };
}

const order = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Article 8(2a): on a day of no more than seven hours of driving the rest may come an hour later. */
const MOST_POSTPONED = 420;

/** R1, R2, R3. Whether a day was one of a trip on which the rest may come later, the data do not tell. */
function dailyRests({ shifts, days }: Picture, isOccasional: boolean): Draft[] {
  const articles = { R1: '8(2)', R2: '8(4)', R3: '8(5)' };
  return shifts.flatMap(({ from, windowTo, shortfall, enoughAnHourLater }, index): Draft[] => {
    if (shortfall === null) return [];
    const couldBePostponed = isOccasional && enoughAnHourLater && days[index]!.driving <= MOST_POSTPONED;
    const { rule, requiredMinutes, minutes, pause } = shortfall;
    return [
      {
        ...{ rule, article: articles[rule], from, to: windowTo, limitMinutes: requiredMinutes, actualMinutes: minutes },
        level: rule === 'R3' ? dailyRestLevel(540, minutes) : dailyRestLevel(requiredMinutes, minutes),
        evidence: [
          { kind: 'window', from, to: windowTo },
          ...(pause?.pieces ?? []).map((piece) => ({ kind: 'rest' as const, ...piece })),
        ],
        remarks: couldBePostponed ? ['derogation-possible'] : [],
      },
    ];
  });
}

function weeklyRestDrafts({ roles, chainDrafts, debts, span }: Picture, options: AnalysisOptions): Draft[] {
  const { service = 'goods', home, places } = options;
  const couldBeDerogated = service === 'goods' && (home === undefined || places === undefined);
  const remarks: Remark[] = couldBeDerogated ? ['derogation-possible'] : [];
  return [...chainDrafts, ...weeklyRests(roles, chainDrafts, remarks), ...missingCompensation(debts, span.to)];
}

function justifyDay(draft: Draft, { days, segments, pauses }: Picture): Draft {
  const day = days.find(({ from }) => from === draft.from);
  const excess = draft.actualMinutes - draft.limitMinutes;
  const justifiable = day && justificationOf(day.shift, excess, segments, pauses);
  return justifiable === undefined ? draft : { ...draft, justifiable };
}

/** The last day of the week, where the way led to the weekly rest. */
function justifyWeek(draft: Draft, { shifts, segments, pauses }: Picture): Draft {
  if (draft.rule !== 'D2') return draft;
  const last = shifts.findLast(({ from, to }) => from < draft.to && to > draft.from);
  const justifiable = last && justificationOf(last, draft.actualMinutes - draft.limitMinutes, segments, pauses);
  return justifiable === undefined ? draft : { ...draft, justifiable };
}

function periodOf({ segments, shifts, days }: Picture, index: number, end: Minute): DailyPeriod {
  const { from, to, crew, windowTo, rest } = shifts[index]!;
  const { driving, limit } = days[index]!;
  const extended = limit > 540;
  const dailyRest = rest.to === null ? { ...rest, minutes: end - rest.from } : rest;
  return {
    ...sumsOf(segments, from, to),
    from,
    to,
    crew,
    windowTo,
    extended,
    drivingLimit: limit,
    driving,
    dailyRest,
  };
}

function weeklyRestsOf({ chain, roles, debts }: Picture, end: Minute): WeeklyRest[] {
  return chain.map((weekly): WeeklyRest => {
    const { pause, minutes, insufficient } = weekly;
    const kind = insufficient ? 'insufficient' : minutes >= 2700 ? 'regular' : 'reduced';
    return {
      ...{
        from: pause.from,
        to: pause.open ? null : pause.to,
        minutes: pause.open ? end - pause.from : minutes,
        unknownMinutes: pause.unknownMinutes,
        kind,
      },
      week: roles.find(({ rest }) => rest === weekly)?.week ?? null,
      compensation: debts.find(({ rest }) => rest === weekly)?.compensation ?? null,
    };
  });
}

function weeksOf({ segments, days }: Picture, driving: ReadonlyMap<Minute, number>, counting: Counting): WeekSums[] {
  return [...driving].map(([from, own]) => {
    const sums = sumsOf(segments, from, from + WEEK);
    const isExtended = (day: Picture['days'][number]): boolean => day.limit > 540 && weekOf(day.from) === from;
    return {
      ...sums,
      ...{ from, to: from + WEEK, driving: own, fortnightDriving: own + (driving.get(from - WEEK) ?? 0) },
      workingTime: workingTimeOf(sums, counting.availabilityAsWork),
      extendedDays: days.filter(isExtended).length,
      unknown: WEEK - sums.driving - sums.work - sums.availability - sums.rest,
    };
  });
}

function daysOf(timeline: Timeline, { segments }: Picture, counting: Counting): DaySums[] {
  return timeline.days.map(({ date }, index) => {
    const from = timeline.from + index * DAY;
    const sums = sumsOf(segments, from, from + DAY);
    return { ...sums, from, date, workingTime: workingTimeOf(sums, counting.availabilityAsWork) };
  });
}
