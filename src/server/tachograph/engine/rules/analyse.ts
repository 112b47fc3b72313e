import { DAY, type Minute, type Timeline } from '../timeline/timeline.ts';
import type {
  Analysis,
  AnalysisOptions,
  DailyPeriod,
  DailyRest,
  DayTotals,
  ReferencePeriod,
  WeeklyRest,
  WeekTotals,
} from './analysis.ts';
import { missingCompensation } from './compensation.ts';
import { type Draft, finish } from './draft.ts';
import { breaks, dailyDriving, stretchesOf, weeklyDriving, weeklyDrivingOf, withPractice } from './driving.ts';
import { ENGINE_VERSION, RULES_VERSION, rankOf } from './findings.ts';
import { dailyRestLevel } from './grades.ts';
import { justificationOf } from './justification.ts';
import { Night } from './night.ts';
import { noticesOf } from './notices.ts';
import { type RuleInput, ruleInputOf } from './rule-input.ts';
import { type Segment, totalsOf, WEEK, weekOf, workingTimeOf } from './segments.ts';
import { REGULAR_WEEKLY, tripsOf } from './weekly.ts';
import { weeklyRests } from './weeks.ts';
import { type Counting, countingOf, nightWork, referencesOf, workBreaks, workingWeeks } from './working.ts';

/**
 * Regulation 561/2006 and Directive 2002/15 over one driver's time. Only infringements that the data prove are findings: time without
 * data counts in favor of the driver, and the time before and after the data is rest.
 */
export function analyse(timeline: Timeline, options: AnalysisOptions): Analysis {
  const ruleInput = ruleInputOf(timeline, options);
  const counting = countingOf(options.availabilityAsWork ?? false);
  const weekly = weeklyDrivingOf(ruleInput.segments, ruleInput.span.from, ruleInput.span.to);
  const days = daysOf(timeline, ruleInput, counting);
  const weeks = weeksOf(ruleInput, weekly, counting);
  const references = referencesOf(
    ruleInput.segments,
    ruleInput.span,
    options.referenceMonths ?? 4,
    counting,
    options.absences,
  );
  const periods = ruleInput.shifts.map((_, index) => periodOf(ruleInput, index));
  const rests = weeklyRestsOf(ruleInput);
  const drafts = undecidedIfLawful(
    draftsOf(ruleInput, options, { weekly, weeks, days, references, counting }),
    lawfulReading(timeline, options, ruleInput),
  );
  const corrected = timeline.intervals.filter(({ source }) => source === 'person');
  const finishing = { driver: options.driver, timeline, segments: ruleInput.segments, corrected };
  return {
    engineVersion: ENGINE_VERSION,
    rulesVersion: RULES_VERSION,
    from: timeline.from,
    to: timeline.to,
    knownTo: ruleInput.span.to,
    findings: drafts.map((draft) => finish(draft, finishing)).sort((a, b) => a.from - b.from || order(a.rule, b.rule)),
    notices: noticesOf(timeline, options, periods, rests),
    periods,
    weeklyRests: rests,
    weeks,
    days,
    references,
  };
}

interface Sums {
  readonly weekly: ReadonlyMap<Minute, number>;
  readonly weeks: readonly WeekTotals[];
  readonly days: readonly DayTotals[];
  readonly references: readonly ReferencePeriod[];
  readonly counting: Counting;
}

function draftsOf(ruleInput: RuleInput, options: AnalysisOptions, sums: Sums): Draft[] {
  const { weekly, weeks, days, references, counting } = sums;
  const night = new Night(options.night ?? { from: 0, to: 240 });
  return [
    ...dailyDriving(ruleInput.segments, ruleInput.days).map((draft) => justifyDay(draft, ruleInput)),
    ...weeklyDriving(ruleInput.segments, weekly).map((draft) => justifyWeek(draft, ruleInput)),
    ...restDrafts(ruleInput, options),
    ...workBreaks(ruleInput.segments, ruleInput.shifts, counting),
    ...nightWork(ruleInput.segments, ruleInput.shifts, counting, night),
    ...workingWeeks(weeks, days, references),
  ];
}

function restDrafts(ruleInput: RuleInput, options: AnalysisOptions): Draft[] {
  const isOccasional = options.service === 'occasional-passengers';
  return [
    ...breakDrafts(ruleInput, isOccasional),
    ...dailyRests(ruleInput, isOccasional),
    ...weeklyRestDrafts(ruleInput, options),
  ];
}

/**
 * The findings about breaks and rests if crossings without a recorded end were as long as the data allow; `undefined` if
 * that makes no difference.
 */
function lawfulReading(timeline: Timeline, options: AnalysisOptions, { pauses }: RuleInput): Draft[] | undefined {
  if (!timeline.conditions.some(({ kind, to }) => kind === 'ferry' && to === null)) return undefined;
  const longest = ruleInputOf(timeline, options, 'longest');
  const isSame =
    longest.pauses.length === pauses.length &&
    longest.pauses.every(
      ({ parts, longCrossing }, index) =>
        parts.length === pauses[index]!.parts.length && longCrossing === pauses[index]!.longCrossing,
    );
  return isSame ? undefined : restDrafts(longest, options);
}

const RESTS: ReadonlySet<string> = new Set(['B1', 'R1', 'R2', 'R3', 'W1', 'W2', 'W3']);

/** What another reading of the data does not find is not proven: it is reported without a grade, with what decides it. */
function undecidedIfLawful(drafts: readonly Draft[], lawful: readonly Draft[] | undefined): readonly Draft[] {
  if (lawful === undefined) return drafts;
  return drafts.map((draft) => {
    if (!RESTS.has(draft.rule)) return draft;
    const same = lawful.filter(({ rule, from, to }) => rule === draft.rule && from < draft.to && to > draft.from);
    if (same.length === 0) {
      const derogation = { article: '9(1)', check: 'crossing-of-eight-hours' } as const;
      return { ...draft, level: null, remarks: [], derogation, isUndecided: true };
    }
    return same.reduce((a, b) => (rankOf(b.level) < rankOf(a.level) ? b : a), draft);
  });
}

function breakDrafts({ segments, chain, pauses }: RuleInput, isOccasional: boolean): Draft[] {
  const trips = tripsOf(chain, pauses[0]!.to);
  const find = (earlyCounts: boolean): Draft[] => breaks(stretchesOf(segments, isOccasional, earlyCounts), trips);
  return withPractice(find(false), find(true));
}

const order = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Article 8(2a): on a day of no more than seven hours of driving the rest may come an hour later. */
const MAX_POSTPONED = 420;

/** R1, R2, R3. The data do not show whether a day was part of a trip on which the rest may come later. */
function dailyRests({ shifts, days }: RuleInput, isOccasional: boolean): Draft[] {
  const articles = { R1: '8(2)', R2: '8(4)', R3: '8(5)' };
  return shifts.flatMap(({ from, windowTo, shortfall, enoughAnHourLater }, index): Draft[] => {
    if (shortfall === null) return [];
    const couldBePostponed = isOccasional && enoughAnHourLater && days[index]!.driving <= MAX_POSTPONED;
    const { rule, requiredMinutes, minutes, pause } = shortfall;
    return [
      {
        rule,
        article: articles[rule],
        from,
        to: windowTo,
        limitMinutes: requiredMinutes,
        actualMinutes: minutes,
        level: rule === 'R3' ? dailyRestLevel(540, minutes) : dailyRestLevel(requiredMinutes, minutes),
        evidence: [
          { kind: 'window', from, to: windowTo },
          ...(pause?.parts ?? []).map((part) => ({ kind: 'rest' as const, ...part })),
        ],
        ...(couldBePostponed && { derogation: { article: '8(2a)', check: 'occasional-trip' } as const }),
      },
    ];
  });
}

function weeklyRestDrafts({ roles, chainDrafts, debts, span }: RuleInput, options: AnalysisOptions): Draft[] {
  const { service = 'goods', home, places } = options;
  const couldBeDerogated = service === 'goods' && (home === undefined || places === undefined);
  const derogation = couldBeDerogated ? ({ article: '8(6b)', check: 'both-rests-abroad' } as const) : undefined;
  return [
    ...oncePerRest([...chainDrafts, ...weeklyRests(roles, chainDrafts, derogation)]),
    ...missingCompensation(debts, span.to),
  ];
}

/** A rest that is too short for its place in the chain and for its week is one W2: that of the longer rest which was due. */
function oncePerRest(drafts: readonly Draft[]): Draft[] {
  const dueFrom = new Map<Minute, number>();
  for (const { rule, from, limitMinutes } of drafts) {
    if (rule === 'W2') dueFrom.set(from, Math.max(limitMinutes, dueFrom.get(from) ?? 0));
  }
  return drafts.filter(({ rule, from, limitMinutes }) => rule !== 'W2' || dueFrom.get(from) === limitMinutes);
}

function justifyDay(draft: Draft, { days, segments, pauses }: RuleInput): Draft {
  const day = days.find(({ from }) => from === draft.from);
  const excess = draft.actualMinutes - draft.limitMinutes;
  const justifiable = day && justificationOf(day.shift, excess, segments, pauses);
  return justifiable === undefined ? draft : { ...draft, justifiable };
}

/** The last day of the week, on the way to the weekly rest. */
function justifyWeek(draft: Draft, { shifts, segments, pauses }: RuleInput): Draft {
  if (draft.rule !== 'D2') return draft;
  const last = shifts.findLast(({ from, to }) => from < draft.to && to > draft.from);
  const justifiable = last && justificationOf(last, draft.actualMinutes - draft.limitMinutes, segments, pauses);
  return justifiable === undefined ? draft : { ...draft, justifiable };
}

function periodOf({ segments, shifts, days, span }: RuleInput, index: number): DailyPeriod {
  const { from, to, crew, windowTo, rest } = shifts[index]!;
  const { driving, limit } = days[index]!;
  const extended = limit > 540;
  const dailyRest = rest.to === null ? knownPartOf(rest, windowTo, segments, span.to) : rest;
  return {
    ...totalsOf(segments, from, to),
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

/** Of a rest that the data end with. What follows the last recorded minute is unknown, not rest. */
function knownPartOf(rest: DailyRest, windowTo: Minute, segments: readonly Segment[], end: Minute): DailyRest {
  const lengthTo = (to: Minute): number => Math.max(0, to - rest.from);
  return {
    ...rest,
    minutes: lengthTo(end),
    minutesInWindow: lengthTo(Math.min(end, windowTo)),
    unknownMinutes: totalsOf(segments, rest.from, end).unknown,
  };
}

function weeklyRestsOf({ chain, roles, debts, segments, span }: RuleInput): WeeklyRest[] {
  return chain.flatMap((weekly): WeeklyRest[] => {
    const { pause, insufficient } = weekly;
    const minutes = pause.open ? span.to - pause.from : weekly.minutes;
    if (minutes <= 0) return [];
    const isUnfinished = pause.open && minutes < REGULAR_WEEKLY;
    const kind = insufficient
      ? 'insufficient'
      : isUnfinished
        ? 'open'
        : minutes >= REGULAR_WEEKLY
          ? 'regular'
          : 'reduced';
    return [
      {
        from: pause.from,
        to: pause.open ? null : pause.to,
        minutes,
        unknownMinutes: pause.open ? totalsOf(segments, pause.from, span.to).unknown : pause.unknownMinutes,
        kind,
        week: roles.find(({ rest }) => rest === weekly)?.week ?? null,
        compensation: debts.find(({ rest }) => rest === weekly)?.compensation ?? null,
      },
    ];
  });
}

function weeksOf(
  { segments, days }: RuleInput,
  driving: ReadonlyMap<Minute, number>,
  counting: Counting,
): WeekTotals[] {
  return [...driving].map(([from, own]) => {
    const totals = totalsOf(segments, from, from + WEEK);
    const isExtended = (day: RuleInput['days'][number]): boolean => day.limit > 540 && weekOf(day.from) === from;
    return {
      ...totals,
      from,
      to: from + WEEK,
      driving: own,
      fortnightDriving: own + (driving.get(from - WEEK) ?? 0),
      workingTime: workingTimeOf(totals, counting.availabilityAsWork),
      extendedDays: days.filter(isExtended).length,
      unknown: WEEK - totals.driving - totals.work - totals.availability - totals.rest,
    };
  });
}

function daysOf(timeline: Timeline, { segments }: RuleInput, counting: Counting): DayTotals[] {
  return timeline.days.map(({ date }, index) => {
    const from = timeline.from + index * DAY;
    const totals = totalsOf(segments, from, from + DAY);
    return { ...totals, from, date, workingTime: workingTimeOf(totals, counting.availabilityAsWork) };
  });
}
