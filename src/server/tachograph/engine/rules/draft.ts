import type { DriverIdentity } from '../timeline/build.ts';
import { DAY, type Minute, type Timeline } from '../timeline/timeline.ts';
import {
  type Derogation,
  type Evidence,
  type Justification,
  type Level,
  type Remark,
  type RuleFinding,
  type RuleId,
  stableId,
} from './findings.ts';
import { isCompared } from './grades.ts';
import { italianOf } from './italian.ts';
import { type Segment, totalsOf } from './segments.ts';

/** A finding without its derived members. */
export interface Draft {
  readonly rule: RuleId;
  readonly regulation?: '561/2006' | '2002/15';
  readonly article: string;
  readonly from: Minute;
  readonly to: Minute;
  readonly limitMinutes: number;
  readonly actualMinutes: number;
  readonly level: Level | null;
  readonly evidence: readonly DraftEvidence[];
  readonly justifiable?: Justification;
  readonly remarks?: readonly Remark[];
  readonly derogation?: Derogation;
  /** Another reading of the data is lawful: neither graded nor fined. */
  readonly isUndecided?: boolean;
}

export interface DraftEvidence {
  readonly kind: Evidence['kind'];
  readonly from: Minute;
  readonly to: Minute;
  /** Present where it is less than the time between. */
  readonly minutes?: number;
}

/** What is needed to turn drafts into findings of one driver. */
export interface Finishing {
  readonly driver: DriverIdentity;
  readonly timeline: Timeline;
  readonly segments: readonly Segment[];
  /** time that a person has corrected */
  readonly corrected: Timeline['intervals'];
}

export function finish(draft: Draft, { driver, timeline, segments, corrected }: Finishing): RuleFinding {
  const { rule, article, from, to, limitMinutes, actualMinutes, level } = draft;
  return {
    id: stableId(driver, rule, from),
    rule,
    regulation: draft.regulation ?? '561/2006',
    article,
    from,
    to,
    limitMinutes,
    actualMinutes,
    deltaMinutes: Math.abs(actualMinutes - limitMinutes),
    level,
    italian: draft.isUndecided ? null : italianOf(rule, from, limitMinutes, actualMinutes),
    justifiable: draft.justifiable ?? null,
    evidence: draft.evidence.map((part) => evidenceOf(part, timeline)),
    unknownMinutes: totalsOf(segments, from, to).unknown,
    remarks: remarksOf(
      draft,
      corrected.some((each) => each.from < to && each.to > from),
    ),
    derogation: draft.derogation ?? null,
  };
}

/** A grade that was not compared with the published text is marked. */
function remarksOf(
  { rule, level, limitMinutes, derogation, ...draft }: Draft,
  isCorrected: boolean,
): readonly Remark[] {
  const remarks = [...(derogation ? ['derogation-possible' as const] : []), ...(draft.remarks ?? [])];
  const found: Remark[] = isCorrected ? ['corrected'] : [];
  const isKnown = level === null || isCompared(rule, level, limitMinutes) || remarks.includes('grade-from-memory');
  if (!isKnown) found.push('grade-from-memory');
  return found.length === 0 ? remarks : [...remarks, ...found];
}

/** Within the data: beyond them a rest counts as long enough, but is not proven. */
function evidenceOf({ kind, from, to, minutes }: DraftEvidence, timeline: Timeline): Evidence {
  const begins = Math.max(from, timeline.from);
  const ends = Math.max(begins, Math.min(to, timeline.to));
  return { kind, from: begins, to: ends, minutes: minutes ?? ends - begins, fileIds: filesOf(timeline, begins, ends) };
}

function filesOf(timeline: Timeline, from: Minute, to: Minute): readonly string[] {
  const first = Math.max(0, Math.floor((from - timeline.from) / DAY));
  const last = Math.min(timeline.days.length, Math.ceil((to - timeline.from) / DAY));
  if (last - first === 1) return timeline.days[first]!.fileIds;
  const found = new Set<string>();
  for (let day = first; day < last; day++) for (const id of timeline.days[day]!.fileIds) found.add(id);
  return [...found].sort();
}
