import { createHash } from 'node:crypto';
import type { DriverIdentity } from '../timeline/build.ts';
import type { Minute } from '../timeline/timeline.ts';

/** Changes whenever the same files can give other findings. */
export const ENGINE_VERSION = '1.7.0';
/** The law that is applied: 561/2006 as amended by 2020/1054 and 2024/1258, 2002/15, grades of 2022/694 and 2024/846. */
export const RULES_VERSION = '561/2006+2020/1054+2024/1258, 2002/15, 2022/694, 2024/846';

/**
 * Driving: `D1` day, `D2` week, `D3` two weeks, `B1` breaks. Rest: `R1` daily, `R2` a fourth reduced one, `R3` of a
 * crew, `W1` weekly rest begun too late, `W2` weekly rest too short or missing, `W3` not compensated. Working time:
 * `T48`, `T60`, `TB6` breaks, `TN` night work.
 */
export const RULE_IDS = [
  'D1',
  'D2',
  'D3',
  'B1',
  'R1',
  'R2',
  'R3',
  'W1',
  'W2',
  'W3',
  'T48',
  'T60',
  'TB6',
  'TN',
] as const;
export type RuleId = (typeof RULE_IDS)[number];

/** Minor, serious, very serious, most serious infringement. */
export type Level = 'MI' | 'SI' | 'VSI' | 'MSI';

/** A time span that proves a finding. Of weeks: the driving of one day. */
export interface Evidence {
  readonly kind: 'driving' | 'work' | 'break' | 'rest' | 'window';
  readonly from: Minute;
  readonly to: Minute;
  /** Of the kind, between `from` and `to`. */
  readonly minutes: number;
  readonly fileIds: readonly string[];
}

/** The Italian sanction; amounts always name their table. */
export interface ItalianGrade {
  /** `cds-174`: Codice della Strada, art. 174; `dlgs-234`: D.Lgs. 234/2007. */
  readonly law: 'cds-174' | 'dlgs-234';
  /** `5`; of D.Lgs. 234/2007 the article. */
  readonly comma: string;
  /** Excess or shortfall up to 10 % of the limit, up to 20 %, above. Breaks have no band. */
  readonly band: 'a' | 'b' | 'c' | null;
  /** `null` where no fine is due, or no table covers the date. */
  readonly fine: Fine | null;
  /** Points off the licence, where known. */
  readonly points: number | null;
}

export interface Fine {
  readonly minEur: number;
  readonly maxEur: number;
  /** The table of fines, such as `2019-2026`. */
  readonly table: string;
  /** The amounts are derived, not quoted: see the table. */
  readonly approximate: boolean;
}

/** One infringement. Minutes since 1970 in UTC, lengths in minutes. */
export interface RuleFinding {
  /** Equal for infringements of the same rule by the same driver from the same minute on. */
  readonly id: string;
  readonly rule: RuleId;
  readonly regulation: '561/2006' | '2002/15';
  /** `6(1)` */
  readonly article: string;
  readonly from: Minute;
  readonly to: Minute;
  readonly limitMinutes: number;
  readonly actualMinutes: number;
  /** How much too much, or too little. Never negative. */
  readonly deltaMinutes: number;
  /** `null` where the Union's lists do not grade it. */
  readonly level: Level | null;
  readonly italian: ItalianGrade | null;
  /** Article 12: lawful with a note on a print-out, and compensated by then. */
  readonly justifiable: Justification | null;
  readonly evidence: readonly Evidence[];
  /** Minutes without data between `from` and `to`: they counted in favour of the driver. */
  readonly unknownMinutes: number;
  readonly remarks: readonly Remark[];
  /** With the remark `derogation-possible`: which one, and what decides it. */
  readonly derogation: Derogation | null;
}

/**
 * A derogation of Regulation 561/2006 under a condition that is not in the data. `crossing-of-eight-hours`: the crossing was
 * scheduled for eight hours or more, with a sleeper cabin, bunk or couchette. `both-rests-abroad`: both reduced weekly
 * rests began outside the states of establishment and residence. `occasional-trip`: a trip of at least six days on an
 * occasional service with passengers.
 */
export interface Derogation {
  readonly article: '9(1)' | '8(6b)' | '8(2a)';
  readonly check: (typeof CHECKS)[number];
}
export const CHECKS = ['crossing-of-eight-hours', 'both-rests-abroad', 'occasional-trip'] as const;

export interface Justification {
  readonly article: '12';
  /** 60 to reach a weekly rest, 120 to reach a regular one after a break of 30 minutes. */
  readonly allowedMinutes: 60 | 120;
  readonly compensateBy: Minute;
}

/**
 * `derogation-possible`: lawful under a condition that is not in the data, which `derogation` names. `practice-differs`: a first part of the break was taken before any driving, which some practice counts. `derogation-applied`: they were, and its own conditions are broken.
 * `grade-from-memory`: the grade was not compared with the published list. `corrected`: a person has corrected part of
 * the time.
 */
export type Remark = (typeof REMARKS)[number];
export const REMARKS = [
  'derogation-possible',
  'derogation-applied',
  'practice-differs',
  'grade-from-memory',
  'corrected',
] as const;

/** Not an infringement: missing data, and cases that the data alone cannot decide. */
export interface Notice {
  readonly id: string;
  readonly kind:
    | 'missing-data'
    | 'undeclared-activity'
    | 'late-download'
    | 'place-missing'
    | 'border-missing'
    | 'driving-without-card'
    | 'rest-in-vehicle'
    | 'return-home'
    | 'infringement-corrected';
  readonly rule: 'T1' | 'DL' | 'W4' | 'W5' | null;
  readonly from: Minute;
  readonly to: Minute;
  readonly minutes: number;
  readonly detail: string;
  readonly fileIds: readonly string[];
}

/** A short hash of the subject of a finding: 22 characters of base64url. */
export const stableId = (driver: DriverIdentity, ...about: readonly (string | number)[]): string =>
  createHash('sha256')
    .update([driver.nation, driver.number, ...about].join('|'))
    .digest('base64url')
    .slice(0, 22);

const LEVELS: readonly (Level | null)[] = [null, 'MI', 'SI', 'VSI', 'MSI'];

/** 0 for no grade up to 4 for MSI. */
export const rankOf = (level: Level | null): number => LEVELS.indexOf(level);

export const worst = (levels: Iterable<Level | null>): Level | null => {
  let rank = 0;
  for (const level of levels) rank = Math.max(rank, rankOf(level));
  return LEVELS[rank] ?? null;
};
