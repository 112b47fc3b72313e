import type { Seconds } from '../values.ts';
import { endOf, type Operation, startOf } from './operations.ts';
import { daysAfter, type PeriodEnd } from './periods.ts';
import { type Stay, stayAt } from './stays.ts';

/** Conditions of Regulation (EC) No 1072/2009, article 8, as amended by Regulation (EU) 2020/1055. */
export const CABOTAGE_REMARKS = [
  'no-incoming-carriage',
  'incoming-not-delivered',
  'fourth-operation',
  'after-seven-days',
  'second-in-state',
  'after-three-days',
  'cooling-off',
  'carriage-between',
  'entry-unknown',
  'not-unloaded',
  'several-points',
  'outside-union',
] as const;
export type CabotageRemark = (typeof CABOTAGE_REMARKS)[number];

/** `review`: it depends on public holidays, on data that are missing, or on how the text is read. */
export type CabotageStatus = 'allowed' | 'review' | 'not-allowed';

export interface CabotageOperation {
  readonly operation: Operation;
  readonly country: number;
  /** After the incoming carriage, from 1. */
  readonly number: number;
  readonly until: PeriodEnd | null;
  readonly status: CabotageStatus;
  readonly remarks: readonly CabotageRemark[];
}

/** What a vehicle has done and may still do. */
export interface CabotageRecord {
  readonly operations: readonly CabotageOperation[];
  /** After the last incoming carriage; `null` without one. */
  readonly open: {
    readonly country: number;
    readonly remaining: number;
    readonly until: PeriodEnd;
  } | null;
  /** Another operation is not allowed before this time. */
  readonly coolingOff: readonly { readonly country: number; readonly until: PeriodEnd }[];
}

const MAX_OPERATIONS = 3;
const WINDOW_DAYS = 7;
const ENTRY_DAYS = 3;
const COOLING_DAYS = 4;

interface Window {
  readonly country: number;
  readonly deliveredAt: Seconds;
  readonly until: PeriodEnd;
  used: number;
  readonly elsewhere: Set<number>;
  hasCarriageSince: boolean;
}

export interface CabotageInput {
  /** Of one motor vehicle, of all its drivers. */
  readonly operations: readonly Operation[];
  readonly stays: readonly Stay[];
  readonly establishment: number;
  /** States in which the regulation applies, by NationNumeric. */
  readonly hosts: ReadonlySet<number>;
  readonly zone: string;
  /** When it is asked. */
  readonly at: Seconds;
}

/** The counter of a vehicle: three in seven days, one in three days in other states, four days of cooling-off. */
export function cabotageOf({ operations, at, ...context }: CabotageInput): CabotageRecord {
  const counter = new Counter(context);
  const steps = operations.flatMap((operation) =>
    operation.kind === 'cabotage'
      ? [{ at: startOf(operation), order: 1, step: () => counter.cabotage(operation, operations) }]
      : [{ at: endOf(operation), order: 0, step: () => counter.carriage(operation) }],
  );
  for (const { step } of steps.sort((a, b) => a.at - b.at || a.order - b.order)) step();
  return counter.record(at);
}

class Counter {
  readonly #stays: readonly Stay[];
  readonly #establishment: number;
  readonly #hosts: ReadonlySet<number>;
  readonly #zone: string;
  readonly #found: CabotageOperation[] = [];
  /** The last cabotage operation in each country. */
  readonly #last = new Map<number, Operation>();
  #window: Window | undefined;
  #isUndetermined = false;

  constructor({ stays, establishment, hosts, zone }: Omit<CabotageInput, 'operations' | 'at'>) {
    this.#stays = stays;
    this.#establishment = establishment;
    this.#hosts = hosts;
    this.#zone = zone;
  }

  /** Not cabotage: unloading in another Member State, the host of article 8(2), opens the seven days there. */
  carriage({ kind, unloadedIn, unloadedAt }: Operation): void {
    if (kind === 'undetermined') this.#isUndetermined = true;
    if (kind === 'undetermined' || unloadedAt === null || unloadedIn === null) return;
    if (unloadedIn === this.#establishment || !this.#hosts.has(unloadedIn)) {
      if (this.#window !== undefined) this.#window.hasCarriageSince = true;
      return;
    }
    this.#isUndetermined = false;
    this.#window = {
      country: unloadedIn,
      deliveredAt: unloadedAt,
      until: daysAfter(unloadedAt, WINDOW_DAYS, this.#zone),
      used: 0,
      elsewhere: new Set(),
      hasCarriageSince: false,
    };
  }

  cabotage(operation: Operation, all: readonly Operation[]): void {
    const country = operation.loadedIn!;
    // road legs of combined transport are not cabotage (Directive 92/106/EEC, article 4)
    if (operation.isCombined) return;
    if (!this.#hosts.has(country)) {
      // the regulation neither allows nor counts carriage within a third country (article 1)
      const remarks = ['outside-union'] as const;
      this.#found.push({ operation, country, number: 0, until: null, status: 'review', remarks });
      return;
    }
    const refused = new Set<CabotageRemark>();
    const doubtful = new Set<CabotageRemark>();
    const window = this.#window;
    if (window === undefined) (this.#isUndetermined ? doubtful : refused).add('no-incoming-carriage');
    else this.#inWindow(operation, window, all, refused, doubtful);
    const isAboard = (other: Operation): boolean =>
      (other.kind === 'bilateral' || other.kind === 'cross-trade') &&
      other.loadedIn !== country &&
      startOf(other) < startOf(operation) &&
      (other.unloadedAt ?? Number.POSITIVE_INFINITY) > startOf(operation);
    // goods for other states too: by the Commission's reading the vehicle has to be empty
    for (const { unloadedIn } of all.filter(isAboard)) {
      (unloadedIn === country ? refused : doubtful).add('incoming-not-delivered');
    }
    this.#afterCooling(operation, country, all, refused, doubtful);
    if (operation.unloadedAt === null) doubtful.add('not-unloaded');
    // one operation by the Commission's reading; a state may count more than one (Court of Justice, C-541/16)
    if (operation.isAssumed) doubtful.add('several-points');
    this.#last.set(country, operation);
    this.#found.push({
      operation,
      country,
      number: window?.used ?? 0,
      until: window?.until ?? null,
      status: refused.size > 0 ? 'not-allowed' : doubtful.size > 0 ? 'review' : 'allowed',
      remarks: CABOTAGE_REMARKS.filter((remark) => refused.has(remark) || doubtful.has(remark)),
    });
  }

  #inWindow(
    operation: Operation,
    window: Window,
    all: readonly Operation[],
    refused: Set<CabotageRemark>,
    doubtful: Set<CabotageRemark>,
  ): void {
    const country = operation.loadedIn!;
    window.used++;
    if (window.used > MAX_OPERATIONS) refused.add('fourth-operation');
    if (window.hasCarriageSince) doubtful.add('carriage-between');
    beyond(endOf(operation), window.until, 'after-seven-days', refused, doubtful);
    const isHost = country === window.country;
    if (isHost && !this.#hasLeft(country, window.deliveredAt, startOf(operation), all)) return;
    // the first subparagraph ends with leaving the host; that the second applies to it from then on is a reading of the text
    const wrong = isHost ? doubtful : refused;
    if (window.elsewhere.has(country)) wrong.add('second-in-state');
    window.elsewhere.add(country);
    const entry = stayAt(this.#stays, startOf(operation));
    if (entry?.country !== country || !entry.isCrossing) doubtful.add('entry-unknown');
    else beyond(endOf(operation), daysAfter(entry.from, ENTRY_DAYS, this.#zone), 'after-three-days', wrong, doubtful);
  }

  /** Was the vehicle in another state between the two times? */
  #hasLeft(country: number, from: Seconds, to: Seconds, all: readonly Operation[]): boolean {
    const isAway = (at: Seconds | null, where: number | null): boolean =>
      at !== null && where !== null && where !== country && at > from && at < to;
    return (
      this.#stays.some((stay) => isAway(stay.from, stay.country)) ||
      all.some((each) => isAway(each.loadedAt, each.loadedIn) || isAway(each.unloadedAt, each.unloadedIn))
    );
  }

  /** Article 8(2a) applies when the vehicle has left the state after its operations there. */
  #afterCooling(
    operation: Operation,
    country: number,
    all: readonly Operation[],
    refused: Set<CabotageRemark>,
    doubtful: Set<CabotageRemark>,
  ): void {
    const before = this.#last.get(country);
    if (before === undefined) return;
    const [from, to] = [endOf(before), startOf(operation)];
    if (!this.#hasLeft(country, from, to, all)) return;
    const end = daysAfter(from, COOLING_DAYS, this.#zone);
    if (to < end.calendar) refused.add('cooling-off');
    else if (to < end.extended) doubtful.add('cooling-off');
  }

  record(at: Seconds): CabotageRecord {
    const window = this.#window;
    const coolingOff = [...this.#last].flatMap(([country, operation]) => {
      const until = daysAfter(endOf(operation), COOLING_DAYS, this.#zone);
      const isThere = stayAt(this.#stays, at)?.country === country;
      return isThere || until.extended <= at ? [] : [{ country, until }];
    });
    const isOpen = window !== undefined && window.until.extended > at;
    return {
      operations: this.#found,
      open: isOpen
        ? { country: window.country, remaining: Math.max(0, MAX_OPERATIONS - window.used), until: window.until }
        : null,
      coolingOff,
    };
  }
}

/** After the calendar days it depends on public holidays and weekends. */
function beyond(
  at: Seconds,
  end: PeriodEnd,
  remark: CabotageRemark,
  refused: Set<CabotageRemark>,
  doubtful: Set<CabotageRemark>,
): void {
  if (at > end.extended) refused.add(remark);
  else if (at > end.calendar) doubtful.add(remark);
}
