import { isWithin } from './hours.ts';
import { type EpisodeSettings, Judge, type Watching } from './judge.ts';
import { kindOf } from './kinds.ts';
import { comparePlaces } from './order.ts';
import type { Episode, Judgement } from './state.ts';
import { type Fix, type Limits, type Rule, seconds } from './types.ts';
import { zoneOf } from './zone.ts';

/** A compiled rule. */
export interface Evaluation {
  /** false: the rule does not use reports */
  readonly readsReports: boolean;
  readonly notifiesAt: (epochMs: number) => boolean;
  /** Judges reports that are later than those before. */
  judge(before: Judgement | undefined): Judge;
}

const NOTHING: Watching = () => {};
export const LIMITS: Limits = { silenceMs: 3_600_000, pathGapMs: 600_000 };

/** Throws RangeError for an unknown time zone. */
export function compile(rule: Rule, limits: Limits = LIMITS): Evaluation {
  const watching = kindOf(rule.type).watching?.(rule, limits);
  const settings = settingsOf(rule, limits);
  return {
    readsReports: watching !== undefined,
    notifiesAt: settings.notifiesAt,
    judge: (before) => new Judge(watching ?? NOTHING, settings, before),
  };
}

function settingsOf(rule: Rule, limits: Limits): EpisodeSettings {
  const { type, params, hours, zone, cooldownSeconds } = rule;
  const { dwellSeconds = 0, clearSeconds = 0, isChange = false, isDriving = false } = kindOf(type);
  const clock = zoneOf(zone);
  // for unauthorized use the hours are part of the condition
  const notifiesAt =
    hours === undefined || type === 'unauthorized_use' ? () => true : (at: number) => isWithin(hours, clock, at);
  return {
    dwellMs: seconds(params.dwellSeconds, dwellSeconds),
    clearMs: seconds(params.clearSeconds, clearSeconds),
    isChange,
    silenceMs: isDriving ? limits.silenceMs : Number.POSITIVE_INFINITY,
    cooldownMs: cooldownSeconds * 1_000,
    notifiesAt,
  };
}

/** The episodes that are notified for all of a device's reports, in any order. Pure, as all of this folder. */
export function episodesOf(evaluation: Evaluation, fixes: readonly Fix[]): readonly Episode[] {
  const judge = evaluation.judge(undefined);
  for (const fix of [...fixes].sort(comparePlaces)) judge.next(fix);
  return judge.notified;
}
