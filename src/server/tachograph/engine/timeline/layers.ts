import type { Activity, ActivityChange, Slot } from '../values.ts';
import { DAY, type Interval, type Minute } from './timeline.ts';

/** Ascending: where two sources of one kind report the same minute, the higher one counts. */
const ACTIVITIES: readonly (Activity | 'unknown')[] = ['unknown', 'rest', 'availability', 'work', 'driving'];

/**
 * The minutes of one day, each a number, so that the greater of two takes precedence: what is trusted more (bits 8 and 9),
 * known before unknown (bit 7), a card's data before a unit's (bit 6), then the activity. Slot, crew and manual entry
 * follow.
 */
export class DayMinutes {
  readonly states: Uint16Array;

  /** @param states 1440 zeros, allocated from a few larger blocks */
  constructor(states = new Uint16Array(DAY)) {
    this.states = states;
  }

  /** Sets minutes `from` to `to` of the day, where they take precedence. `rank`: how far the source is trusted, up to 3 */
  put(from: number, to: number, state: State, rank: number): void {
    const byte = encode(state);
    if (byte === 0) return;
    const ranked = (rank << 8) | byte;
    const { states } = this;
    const end = Math.min(DAY, to);
    for (let minute = Math.max(0, from); minute < end; minute++) {
      if (ranked > states[minute]!) states[minute] = ranked;
    }
  }

  /** Minutes of the day in which the activity differs from what is here, where both are known. */
  differing(from: number, to: number, activity: State['activity']): number {
    let count = 0;
    const end = Math.min(DAY, to);
    for (let minute = Math.max(0, from); minute < end; minute++) {
      const state = this.states[minute]!;
      if (state !== 0 && activity !== 'unknown' && decode(state & 0xff).activity !== activity) count++;
    }
    return count;
  }

  get unknownMinutes(): number {
    let count = 0;
    for (let minute = 0; minute < DAY; minute++) if (this.states[minute] === 0) count++;
    return count;
  }
}

export type State = Pick<Interval, 'activity' | 'slot' | 'crew' | 'source'>;

function encode({ activity, slot, crew, source }: State): number {
  if (activity === 'unknown') return 0;
  const rank = ACTIVITIES.indexOf(activity) - 1;
  return (
    0x80 |
    (source === 'vu' ? 0 : 0x40) |
    (rank << 3) |
    (slot === 'co-driver' ? 4 : 0) |
    (crew ? 2 : 0) |
    (source === 'manual' ? 0 : 1)
  );
}

const UNKNOWN: State = { activity: 'unknown', slot: 'driver', crew: false, source: 'none' };

function decode(byte: number): State {
  if (byte < 0x80) return UNKNOWN;
  const source = (byte & 0x40) === 0 ? 'vu' : (byte & 1) === 0 ? 'manual' : 'card';
  return {
    activity: ACTIVITIES[((byte >> 3) & 3) + 1]!,
    slot: (byte & 4) === 0 ? 'driver' : 'co-driver',
    crew: (byte & 2) !== 0,
    source,
  };
}

/** The state of the driver in one activity change of a card. */
export function stateOfCard(change: ActivityChange): State {
  if (change.status === 'unknown') return UNKNOWN;
  const source = change.status === 'manual' ? 'manual' : 'card';
  return { activity: change.activity, slot: change.slot, crew: change.status === 'crew', source };
}

/** The state of the driver whose card is in `slot` in one activity change of a unit. */
export function stateOfUnit(change: ActivityChange, slot: Slot): State {
  return { activity: change.activity, slot, crew: change.status === 'crew', source: 'vu' };
}

/** Runs of equal minutes from the day `first` to the day `last` (days since 1970), days without data unknown. */
export function intervalsOf(days: ReadonlyMap<number, DayMinutes>, first: number, last: number): Interval[] {
  const intervals: Interval[] = [];
  let start: Minute = first * DAY;
  let current = -1;
  const end = (at: Minute): void => {
    if (current >= 0 && at > start) intervals.push({ from: start, to: at, ...decode(current) });
  };
  for (let day = first; day <= last; day++) {
    const states = days.get(day)?.states;
    // A damaged date can leave years without data between days.
    if (states === undefined && current === 0) continue;
    for (let minute = 0; minute < DAY; minute++) {
      const byte = (states?.[minute] ?? 0) & 0xff;
      if (byte === current) continue;
      end(day * DAY + minute);
      start = day * DAY + minute;
      current = byte;
    }
  }
  end((last + 1) * DAY);
  return intervals;
}

const DAYS_A_BLOCK = 32;

/** Allocates days from larger blocks, which is cheaper than many small allocations. */
export class DayPool {
  #block = new Uint16Array(0);
  #used = 0;

  next(): DayMinutes {
    if (this.#used === this.#block.length) {
      this.#block = new Uint16Array(DAYS_A_BLOCK * DAY);
      this.#used = 0;
    }
    const states = this.#block.subarray(this.#used, this.#used + DAY);
    this.#used += DAY;
    return new DayMinutes(states);
  }
}
