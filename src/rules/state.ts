import { NO_RUNS, type Runs } from './runs.ts';

/** An alarm that was notified or suppressed, and must not be notified again. */
export interface Alarm {
  /** start as first notified, epoch ms; identifies the alarm */
  readonly key: number;
  readonly from: number;
  readonly to: number;
  /** corrections sent so far */
  readonly corrections: number;
  /** suppressed: within the cool-down, or outside of the hours */
  readonly silent?: true;
}

/** State of a rule for a device. Plain JSON. */
export interface RuleState {
  readonly main: Runs;
  /** late reports, older than the retained runs */
  readonly late?: Runs;
  readonly alarms: readonly Alarm[];
  /** fuel levels: epoch ms and level */
  readonly levels?: readonly (readonly [number, number])[];
  /** commands that were notified, newest last, with their state */
  readonly notified?: readonly (readonly [string, string])[];
}

export const NOTHING_KNOWN: RuleState = { main: NO_RUNS, alarms: [] };

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
  readonly spot?: Runs['runs'][number]['spot'];
  /** greatest value, in the unit of the rule's type */
  readonly value?: number;
  /** further detail for the text */
  readonly detail?: string;
}
