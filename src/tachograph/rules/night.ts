import { DAY, type Minute } from '../timeline/timeline.ts';

/** Hours of the night, each day anew, in a zone's own time. */
export class Night {
  readonly #from: number;
  readonly #to: number;
  readonly #format: Intl.DateTimeFormat | undefined;

  /** @param from and `to`: minutes of the day; `to` may lie beyond midnight (1740 is 05:00 of the next day). */
  constructor({ from, to, zone }: { readonly from: number; readonly to: number; readonly zone?: string }) {
    this.#from = from;
    this.#to = to < from ? to + DAY : to;
    if (zone === undefined || zone === 'UTC') return;
    const parts = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const;
    this.#format = new Intl.DateTimeFormat('en', { timeZone: zone, hourCycle: 'h23', ...parts });
  }

  touches(from: Minute, to: Minute): boolean {
    const offset = this.#offsetAt(from);
    const [begin, end] = [from + offset, to + offset];
    for (let day = Math.floor(begin / DAY) * DAY - DAY; day < end; day += DAY) {
      if (begin < day + this.#to && end > day + this.#from) return true;
    }
    return false;
  }

  #offsetAt(at: Minute): number {
    if (this.#format === undefined) return 0;
    const of = Object.fromEntries(
      this.#format.formatToParts(at * 60_000).map(({ type, value }) => [type, Number(value)]),
    );
    const local = Date.UTC(of['year']!, of['month']! - 1, of['day']!, of['hour']!, of['minute']!) / 60_000;
    return local - at;
  }
}
