import { NO_RUNS, type Runs } from './runs.ts';

/** Something that was told, or passed over, and must not be told again. */
export interface Alarm {
  /** when it began as it was first told, epoch ms; names it */
  readonly key: number;
  readonly from: number;
  readonly to: number;
  /** corrections told so far */
  readonly corrections: number;
  /** passed over: the cool-down, or outside of the hours */
  readonly silent?: true;
}

/** What a rule remembers of a device. Plain JSON. */
export interface RuleState {
  readonly main: Runs;
  /** reports that came after the runs around them had been forgotten */
  readonly late?: Runs;
  readonly alarms: readonly Alarm[];
  /** readings of a tank: epoch ms and level */
  readonly levels?: readonly (readonly [number, number])[];
  /** commands that were told of, newest last, and as what */
  readonly told?: readonly (readonly [string, string])[];
}

export const NOTHING_KNOWN: RuleState = { main: NO_RUNS, alarms: [] };

/** What people are to be told. */
export interface Occurrence {
  /** `moved`: a correction, it began at another time; `withdrawn`: it was not so */
  readonly kind: 'alarm' | 'moved' | 'withdrawn';
  /** with the rule and the device it names the occurrence */
  readonly key: string;
  /** key of the one that this corrects */
  readonly corrects?: string;
  /** epoch ms */
  readonly at: number;
  readonly spot?: Runs['runs'][number]['spot'];
  /** greatest value, in the unit of the rule's type */
  readonly value?: number;
  /** what else a text may say */
  readonly detail?: string;
}
