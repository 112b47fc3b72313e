import { DAY, type Minute } from '../timeline/timeline.ts';
import { offsetAt } from '../timeline/zone.ts';

/** The night hours of each day, in the local time of a zone. */
export class Night {
  readonly #from: number;
  readonly #to: number;
  readonly #zone: string;

  /** @param from and `to`: minutes of the day; `to` may lie beyond midnight (1740 is 05:00 of the next day). */
  constructor({ from, to, zone = 'UTC' }: { readonly from: number; readonly to: number; readonly zone?: string }) {
    this.#from = from;
    this.#to = to < from ? to + DAY : to;
    this.#zone = zone;
  }

  touches(from: Minute, to: Minute): boolean {
    const offset = offsetAt(from, this.#zone);
    const [begin, end] = [from + offset, to + offset];
    for (let day = Math.floor(begin / DAY) * DAY - DAY; day < end; day += DAY) {
      if (begin < day + this.#to && end > day + this.#from) return true;
    }
    return false;
  }
}
