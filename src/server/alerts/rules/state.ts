import type { FuelState } from '../../movement/track/fuel.ts';

/** What is known of a tank, by which of its gauges. */
export interface FuelMemory {
  readonly gauge: number;
  readonly state: FuelState;
}

/** Where an episode began. */
export interface Spot {
  readonly latitude?: number;
  readonly longitude?: number;
  readonly speed?: number;
  readonly course?: number;
}

/** Result of a rule's condition for one report. */
export interface Sample {
  readonly on: boolean;
  readonly value?: number;
  /** the device itself reported an alarm: no minimum duration */
  readonly sure?: true;
  /** a pulse: the device does not report its end */
  readonly isPulse?: boolean;
  /** the value is the last word on what began at this time, also if it is less than before */
  readonly isFinal?: true;
  /** of the value, where the rule's type does not say it */
  readonly unit?: string;
  /** which of the rule's areas */
  readonly area?: number;
  /** further detail for the text */
  readonly detail?: string;
}

/**
 * `pending`: the minimum duration is not reached; `unknown`: the state before it is not known; `silent`: within the
 * cool-down, or outside of the hours.
 */
export type EpisodeStatus = 'pending' | 'unknown' | 'silent' | 'notified';

/** Consecutive reports for which the condition holds, and short interruptions. Times are epoch ms. */
export interface Episode {
  readonly from: number;
  /** the last report for which the condition holds */
  readonly to: number;
  readonly status: EpisodeStatus;
  readonly spot?: Spot;
  /** greatest value, in the unit of the rule's type */
  readonly peak?: number;
  readonly unit?: string;
  readonly area?: number;
  readonly detail?: string;
}

/** A place in the order in which reports are judged: by time, then by id. */
export interface ReportPlace {
  /** epoch ms */
  readonly at: number;
  readonly id: string;
}

/** What is known of a condition. */
export interface Part {
  /** result for the last report that says something about the condition */
  readonly on?: boolean;
  readonly episode?: Episode;
  /** start of the last episode that was notified, epoch ms */
  readonly notifiedAt?: number;
}

export type LastValues = Readonly<Record<string, readonly [value: number, at: number]>>;

/** What the reports of a device up to a place lead to. Does not depend on the order in which they arrived. */
export interface Judgement extends ReportPlace, Part {
  /** last report, epoch ms, where the clock alone has led to something since */
  readonly seenAt?: number;
  /** in the order of the rule's areas, if it has several: each is judged for itself */
  readonly areas?: readonly Part[];
  readonly fuel?: FuelMemory;
  /** the last fix: epoch ms, latitude, longitude */
  readonly fix?: readonly [number, number, number];
  /** last reported value, for rules that use it */
  readonly ignition?: boolean;
  /** speed that was last reported, km/h, or whether the device moved */
  readonly movement?: number | boolean;
  /** last reported numbers by attribute, with their times (epoch ms) */
  readonly values?: LastValues;
  /** has a driver been recognised? for rules that use it */
  readonly hasDriver?: boolean;
}

/** State of a rule for a device. Plain JSON. */
export interface RuleState {
  readonly judgement?: Judgement;
  /** commands and silences that were notified, newest last, with their state */
  readonly notified?: readonly (readonly [string, string])[];
}

/** One for each area of a rule that judges several, otherwise one. */
export const partsOf = (judgement: Judgement): readonly Part[] => judgement.areas ?? [judgement];

export const NOTHING_KNOWN: RuleState = {};

/** A new alarm, or a correction of one. */
export interface AlarmEvent {
  /** `moved`: correction, the alarm began at another time; `withdrawn`: correction, there was no alarm */
  readonly kind: 'alarm' | 'moved' | 'withdrawn';
  /** unique for a rule and a device */
  readonly key: string;
  /** key of the event that this one corrects */
  readonly corrects?: string;
  /** epoch ms */
  readonly at: number;
  readonly spot?: Spot;
  /** greatest value, in the unit of the rule's type */
  readonly value?: number;
  /** of the value, where the rule's type does not say it */
  readonly unit?: string;
  /** which of the rule's areas */
  readonly area?: number;
  /** further detail for the text */
  readonly detail?: string;
}
