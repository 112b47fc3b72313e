import type { Minute } from '../timeline/timeline.ts';

/** Minutes that a reduced weekly rest lacks. They are taken en bloc with one rest that begins at or after `from`. */
export interface Owed {
  readonly minutes: number;
  readonly from: Minute;
  readonly dueBy: Minute;
}

/** A rest, and its minutes beyond the required ones. */
export interface Room {
  readonly from: Minute;
  readonly spare: number;
}

/**
 * Which rest compensates which debt, article 8(7); `undefined` for a debt that remains. A rest compensates several debts if
 * its spare time suffices for their sum, and each of them ends by its deadline. As few minutes as possible remain; of the
 * assignments with this minimum, the earliest debt is repaid with the earliest rest, then the next debt.
 *
 * The search is exact. Its state is the spare time used of the rests that later debts can use as well. A debt lasts four weeks
 * at most and a fortnight has one reduced rest, or two with article 8(6b), so that few debts compete for a rest.
 */
export function assignRepayments<R extends Room>(debts: readonly Owed[], rooms: readonly R[]): (R | undefined)[] {
  // the compensation due first is taken first within a rest, so that a sum decides whether all are in time
  const order = [...debts.keys()].sort((a, b) => debts[a]!.dueBy - debts[b]!.dueBy || a - b);
  const search = new Search(
    order.map((index) => debts[index]!),
    rooms,
  );
  const assigned: (R | undefined)[] = debts.map(() => undefined);
  for (const [step, room] of search.best().entries()) {
    if (room !== undefined) assigned[order[step]!] = rooms[room];
  }
  return assigned;
}

class Search {
  readonly #debts: readonly Owed[];
  readonly #rooms: readonly Room[];
  /** Indices of the rests that each debt fits into by itself, earliest first. */
  readonly #fitting: readonly (readonly number[])[];
  /** Rests that a debt or one after it fits into. */
  readonly #shared: readonly ReadonlySet<number>[];
  /** Minutes of a debt and those after it that fit into no rest. */
  readonly #lost: readonly number[];
  readonly #used = new Map<number, number>();
  readonly #known = new Map<string, number>();

  constructor(debts: readonly Owed[], rooms: readonly Room[]) {
    this.#debts = debts;
    this.#rooms = rooms;
    this.#fitting = debts.map((debt) => [...rooms.keys()].filter((room) => this.#fits(debt, room)));
    const shared: ReadonlySet<number>[] = [new Set()];
    const lost = [0];
    for (const [index, debt] of [...debts.entries()].reverse()) {
      const fitting = this.#fitting[index]!;
      shared.unshift(new Set([...shared[0]!, ...fitting]));
      lost.unshift(lost[0]! + (fitting.length === 0 ? debt.minutes : 0));
    }
    this.#shared = shared;
    this.#lost = lost;
  }

  /** The rest of each debt. */
  best(): (number | undefined)[] {
    return this.#debts.map((debt, index) => {
      const least = this.#least(index);
      const room = this.#fitting[index]!.find(
        (each) => this.#fits(debt, each) && this.#with(each, debt.minutes, () => this.#least(index + 1)) === least,
      );
      if (room !== undefined) this.#take(room, debt.minutes);
      return room;
    });
  }

  /** Minutes that remain of the debts from `index` on. */
  #least(index: number): number {
    const debt = this.#debts[index];
    if (debt === undefined) return 0;
    const key = this.#keyOf(index);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    let least = Number.POSITIVE_INFINITY;
    for (const room of this.#fitting[index]!) {
      if (!this.#fits(debt, room)) continue;
      least = Math.min(
        least,
        this.#with(room, debt.minutes, () => this.#least(index + 1)),
      );
      if (least === this.#lost[index]) break;
    }
    if (least > this.#lost[index]!) least = Math.min(least, debt.minutes + this.#least(index + 1));
    this.#known.set(key, least);
    return least;
  }

  #fits({ minutes, from, dueBy }: Owed, index: number): boolean {
    const room = this.#rooms[index]!;
    return room.from >= from && (this.#used.get(index) ?? 0) + minutes <= Math.min(room.spare, dueBy - room.from);
  }

  #take(room: number, minutes: number): void {
    this.#used.set(room, (this.#used.get(room) ?? 0) + minutes);
  }

  #with<T>(room: number, minutes: number, work: () => T): T {
    this.#take(room, minutes);
    const result = work();
    this.#take(room, -minutes);
    return result;
  }

  #keyOf(index: number): string {
    const used = [...this.#used].filter(([room, minutes]) => minutes > 0 && this.#shared[index]!.has(room));
    return `${index} ${used.sort(([a], [b]) => a - b).join(' ')}`;
  }
}
