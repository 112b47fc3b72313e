import { HOUR_MS } from '../../../platform/durations.ts';
import { zoneOf } from '../../../platform/zone.ts';
import type { Tank } from '../../movement/track/fuel-gauge.ts';
import { isWithin } from './hours.ts';
import { type EpisodeSettings, Judge, type Watching } from './judge.ts';
import { kindOf } from './kinds.ts';
import { comparePlaces } from './order.ts';
import type { Episode, Judgement } from './state.ts';
import { type Fix, type Limits, type Rule, seconds } from './types.ts';

/** A compiled rule. */
export interface Evaluation {
  /** false: the rule does not use reports */
  readonly readsReports: boolean;
  readonly notifiesAt: (epochMs: number) => boolean;
  /** the clock alone may lead to something, before any report */
  readonly isTimed: boolean;
  /** Judges reports that are later than those before. `tank`: of the vehicle, if it is known */
  judge(before: Judgement | undefined, tank?: Tank | null, start?: Start): Judge;
}

/** What was known of the device when the rule was made, at `since` (epoch ms). */
export interface Start {
  readonly known: Fix;
  readonly since: number;
}

const NOTHING: Watching = () => {};
export const LIMITS: Limits = { silenceMs: HOUR_MS, pathGapMs: 600_000 };

/** Throws RangeError for an unknown time zone. */
export function compile(rule: Rule, limits: Limits = LIMITS): Evaluation {
  const { watching: watchingOf } = kindOf(rule.type);
  const watching = watchingOf?.(rule, limits, null);
  const settings = settingsOf(rule, limits);
  return {
    readsReports: watching !== undefined,
    notifiesAt: settings.notifiesAt,
    isTimed: settings.timed !== undefined,
    judge(before, tank = null, start) {
      const own = tank === null ? watching : watchingOf?.(rule, limits, tank);
      const judge = new Judge(own ?? NOTHING, settings, before);
      if (before === undefined && start !== undefined) judge.start(start.known, start.since);
      return judge;
    },
  };
}

function settingsOf(rule: Rule, limits: Limits): EpisodeSettings {
  const { type, params, hours, zone, cooldownSeconds, areas } = rule;
  const kind = kindOf(type);
  const { dwellSeconds = 0, clearSeconds = 0, isChange = false, isDriving = false, isByArea = false } = kind;
  const clock = zoneOf(zone);
  const notifiesAt =
    hours === undefined || kind.hasOwnHours === true ? () => true : (at: number) => isWithin(hours, clock, at);
  return {
    parts: isByArea ? Math.max(1, areas.length) : 1,
    dwellMs: seconds(params.dwellSeconds, dwellSeconds),
    clearMs: seconds(params.clearSeconds, clearSeconds),
    isChange,
    isState: kind.isState ?? false,
    timed: kind.timed?.(rule),
    silenceMs: isDriving ? limits.silenceMs : Number.POSITIVE_INFINITY,
    cooldownMs: cooldownSeconds * 1_000,
    notifiesAt,
  };
}

/** The episodes that are notified for all of a device's reports, in any order. Pure, as all of this folder. */
export function episodesOf(
  evaluation: Evaluation,
  fixes: readonly Fix[],
  tank: Tank | null = null,
): readonly Episode[] {
  const judge = evaluation.judge(undefined, tank);
  for (const fix of [...fixes].sort(comparePlaces)) judge.next(fix);
  return judge.notified;
}
