import type { DriverIdentity } from '../timeline/build.ts';
import type { Minute } from '../timeline/timeline.ts';
import type { Position } from '../values.ts';
import type { Absence } from './absences.ts';
import type { Notice, RuleFinding } from './findings.ts';

/** Options of an analysis beside the timeline. Every member has a default. */
export interface AnalysisOptions {
  readonly driver: DriverIdentity;
  /**
   * Time without data. `unknown` (the default) never proves an infringement and is marked wherever it counts as rest;
   * `rest` is the assumption of vehicle units.
   */
  readonly unknownAs?: 'unknown' | 'rest';
  /** Availability is working time: by law it is not if its length is known beforehand. Default false. */
  readonly availabilityAsWork?: boolean;
  /** `occasional-passengers`: coaches, with their breaks of 15 and more minutes and up to twelve days. */
  readonly service?: 'goods' | 'regular-passengers' | 'occasional-passengers';
  /** The night period: minutes of the day. Default 00:00 to 04:00 UTC. */
  readonly night?: { readonly from: number; readonly to: number; readonly zone?: string };
  /** Months over which the week has 48 hours on average. Default 4; collective agreements go to 6. */
  readonly referenceMonths?: number;
  /** Where the driver was, ascending: for the international derogation, and for notices. */
  readonly places?: readonly KnownPlace[];
  /** Nations by number: of the undertaking, and of the driver's home. */
  readonly home?: { readonly establishment: number; readonly residence: number; readonly bases?: readonly Position[] };
  /** Leave, sickness and rest in lieu: neutral in averages. */
  readonly absences?: readonly Absence[];
  /** When the card was downloaded, ascending. */
  readonly downloads?: readonly Minute[];
  /** Events of units: for notices. */
  readonly withoutCard?: readonly { readonly from: Minute; readonly to: Minute; readonly fileId: string }[];
}

export interface KnownPlace {
  readonly at: Minute;
  /** NationNumeric; `null` where only the position is known. */
  readonly country: number | null;
  readonly position: Position | null;
  /** `begin` and `end` of a daily work period, entering a country, or on the way. */
  readonly kind: 'begin' | 'end' | 'border' | 'way';
}

/** The result of the rules for one driver's time. All lists ascend by `from`. */
export interface Analysis {
  readonly engineVersion: string;
  readonly rulesVersion: string;
  readonly from: Minute;
  readonly to: Minute;
  /** The end of the last minute with data; what follows is unknown. */
  readonly knownTo: Minute;
  readonly findings: readonly RuleFinding[];
  readonly notices: readonly Notice[];
  readonly periods: readonly DailyPeriod[];
  readonly weeklyRests: readonly WeeklyRest[];
  readonly weeks: readonly WeekTotals[];
  readonly days: readonly DayTotals[];
  readonly references: readonly ReferencePeriod[];
}

/** Minutes of each kind. Out of scope, driving is work. */
export interface ActivityTotals {
  readonly driving: number;
  readonly work: number;
  readonly availability: number;
  readonly rest: number;
  readonly unknown: number;
}

/** From the end of one daily or weekly rest to the beginning of the next. */
export interface DailyPeriod extends ActivityTotals {
  readonly from: Minute;
  /** Where the rest begins that ends it. */
  readonly to: Minute;
  readonly crew: boolean;
  /** The 24 hours (30 of a crew) in which a rest is due. */
  readonly windowTo: Minute;
  /** More than nine hours of driving, on one of the two days per week that allow it. */
  readonly extended: boolean;
  /** The driving limit in minutes: 540 or 600. */
  readonly drivingLimit: number;
  readonly dailyRest: DailyRest;
}

/** The rest that ends a daily period. */
export interface DailyRest {
  readonly from: Minute;
  /** `null` where the data end with it: it counts as long enough, and its minutes end with the data; 0 if none was recorded. */
  readonly to: Minute | null;
  /** Without interruptions; of it within the window. */
  readonly minutes: number;
  readonly minutesInWindow: number;
  readonly unknownMinutes: number;
  readonly kind: 'regular' | 'split' | 'reduced' | 'crew' | 'weekly' | 'insufficient' | 'open';
  /** The part of three hours and more of a split rest. */
  readonly firstPart: { readonly from: Minute; readonly to: Minute } | null;
  /** Interrupted on a ferry or train. */
  readonly interruptions: number;
  /** The required minutes: 660, 540. */
  readonly requiredMinutes: number;
}

/** A rest of 24 hours and more, or its substitute. */
export interface WeeklyRest {
  readonly from: Minute;
  /** `null` where the data end with it. */
  readonly to: Minute | null;
  readonly minutes: number;
  readonly unknownMinutes: number;
  /** `open`: the data end with it before it is a regular one. */
  readonly kind: 'regular' | 'reduced' | 'insufficient' | 'open';
  /** Monday 00:00 of the week that it counts for, of two the one in favor of the driver; `null`: for no week. */
  readonly week: Minute | null;
  readonly compensation: Compensation | null;
}

export interface Compensation {
  readonly minutes: number;
  /** The end of the third week that follows. */
  readonly dueBy: Minute;
  /** The rest to which it was attached. */
  readonly takenFrom: Minute | null;
}

/** Monday 00:00 to Sunday 24:00 UTC. */
export interface WeekTotals extends ActivityTotals {
  readonly from: Minute;
  readonly to: Minute;
  /** With the week before. */
  readonly fortnightDriving: number;
  readonly workingTime: number;
  /** Days of more than nine hours of driving that were used, of two. */
  readonly extendedDays: number;
}

/** A UTC day. */
export interface DayTotals extends ActivityTotals {
  readonly from: Minute;
  readonly date: string;
  readonly workingTime: number;
}

/** A period over which the working week is averaged. */
export interface ReferencePeriod {
  readonly from: Minute;
  readonly to: Minute;
  readonly workingTime: number;
  readonly unknown: number;
  /** Days of absence without work, which the average does not count. */
  readonly neutralDays: number;
  /** Over the weeks that the data cover, without neutral days. */
  readonly meanWeekly: number;
  readonly limitWeekly: number;
  /** The data cover all of it. */
  readonly complete: boolean;
}
