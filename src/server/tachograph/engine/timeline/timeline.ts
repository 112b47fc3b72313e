import type { Activity, Generation, SignatureStatus, Slot } from '../values.ts';

/** Minutes since 1970, UTC. Intervals are half-open: `[from, to)`. */
export type Minute = number;
export const DAY = 1440;

/** What a driver did; time without data, or with the card withdrawn and no manual entry, is `unknown`, never rest. */
export interface Interval {
  readonly from: Minute;
  readonly to: Minute;
  readonly activity: Activity | 'unknown';
  readonly slot: Slot;
  /** Two drivers. */
  readonly crew: boolean;
  readonly source: Source;
}

/** `manual`: a manual entry on the card; `person`: a correction; `none` accompanies `unknown`. */
export type Source = 'card' | 'vu' | 'manual' | 'person' | 'none';

/** A flag that a driver set. `to` is `null` where the end is not recorded. */
export interface Condition {
  readonly kind: 'out-of-scope' | 'ferry';
  readonly from: Minute;
  readonly to: Minute | null;
}

export interface TimelineDay {
  /** `yyyy-mm-dd` in UTC. */
  readonly date: string;
  /** Files with data of the day. */
  readonly fileIds: readonly string[];
  readonly distanceKm: number;
  readonly unknownMinutes: number;
  /** Sources that differ; absent where they agree. */
  readonly versions?: readonly DayVersion[];
}

/** What one source says of a day on which sources differ. */
export interface DayVersion {
  readonly fileId: string;
  readonly source: 'card' | 'vu';
  readonly generation: Generation;
  readonly verdict: SignatureStatus;
  /** An invalid one contributes only where a person has admitted its file. */
  readonly contributes: boolean;
  /** Minutes of each activity. */
  readonly minutes: Readonly<Record<Activity | 'unknown', number>>;
}

/** One driver's time over all their files. */
export interface Timeline {
  readonly from: Minute;
  readonly to: Minute;
  /** From `from` to `to` without a gap. */
  readonly intervals: readonly Interval[];
  readonly conditions: readonly Condition[];
  readonly days: readonly TimelineDay[];
}
