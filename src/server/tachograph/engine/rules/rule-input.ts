import type { Minute, Timeline } from '../timeline/timeline.ts';
import type { AnalysisOptions } from './analysis.ts';
import { type Debt, debtsOf } from './compensation.ts';
import { type Shift, shiftsOf } from './daily.ts';
import type { Draft } from './draft.ts';
import { type DrivingDay, drivingDaysOf } from './driving.ts';
import { isAway, placeAt } from './notices.ts';
import { type CrossingReading, type Pause, pausesOf } from './pauses.ts';
import { type Segment, segmentsOf } from './segments.ts';
import { type WeeklyPause, weeklyChain } from './weekly.ts';
import { type WeekRole, weekRoles } from './weeks.ts';

/** The input of all rules. */
export interface RuleInput {
  readonly segments: readonly Segment[];
  readonly pauses: readonly Pause[];
  readonly shifts: readonly Shift[];
  readonly days: readonly DrivingDay[];
  readonly chain: readonly WeeklyPause[];
  /** Findings from building the chain. */
  readonly chainDrafts: readonly Draft[];
  readonly roles: readonly WeekRole[];
  readonly debts: readonly Debt[];
  /** From the first to the last minute with data. */
  readonly span: { readonly from: Minute; readonly to: Minute };
}

export function ruleInputOf(timeline: Timeline, options: AnalysisOptions, reading?: CrossingReading): RuleInput {
  const segments = segmentsOf(timeline, options.unknownAs ?? 'unknown');
  const pauses = pausesOf(segments, timeline.conditions, reading);
  const shifts = shiftsOf(segments, pauses);
  const { chain, drafts } = weeklyChain(pauses, options.service === 'occasional-passengers');
  const span = spanOf(segments, timeline);
  // The time before the data may contain the weekly rest of their first week.
  const before = { pause: pauses[0]!, minutes: pauses[0]!.minutes, insufficient: false, afterTwelveDays: false };
  const roles = weekRoles([before, ...chain], pauses, span, bothAbroad(options));
  return {
    segments,
    pauses,
    shifts,
    chain,
    roles,
    span,
    days: drivingDaysOf(segments, shifts),
    chainDrafts: drafts,
    debts: debtsOf(chain, roles, pauses),
  };
}

function spanOf(segments: readonly Segment[], timeline: Timeline): RuleInput['span'] {
  const first = segments.find(({ kind }) => kind !== 'unknown');
  const last = segments.findLast(({ kind }) => kind !== 'unknown');
  return { from: first?.from ?? timeline.from, to: last?.to ?? timeline.from };
}

/** The derogation for goods: both rests began abroad. Without evidence the derogation is not assumed. */
function bothAbroad({ service = 'goods', home, places }: AnalysisOptions) {
  return (first: WeeklyPause, second: WeeklyPause): boolean => {
    if (service !== 'goods' || home === undefined || places === undefined) return false;
    const isAbroad = ({ pause }: WeeklyPause): boolean => {
      const place = placeAt(places, pause.from);
      return (
        place?.country !== undefined && place.country !== null && isAway({ ...place, position: null }, home) === true
      );
    };
    return isAbroad(first) && isAbroad(second);
  };
}
