import { DAY_SECONDS, dateOf, secondsOf } from '../layout/days.ts';
import type {
  ActivityDay,
  CardFile,
  CardReference,
  CardSection,
  SpecificCondition,
  TachographFile,
  VehicleUnitFile,
  VuDay,
} from '../records.ts';
import { type DayMinutes, DayPool, intervalsOf, stateOfCard, stateOfUnit } from './layers.ts';
import { type Condition, DAY, type Timeline, type TimelineDay } from './timeline.ts';

/** A driver, whichever of their cards is in use: renewals and replacements change what follows these characters. */
export interface DriverIdentity {
  readonly nation: number;
  /** The first 14 characters of the card number. */
  readonly number: string;
}

export interface TimelineSource {
  readonly fileId: string;
  readonly file: TachographFile;
  /** Seconds, where it is known: the newest day of a card continues until then. */
  readonly downloadedAt?: number;
}

/** The holder of the card; `undefined` where the file does not contain it. */
export function driverOf(card: CardFile): DriverIdentity | undefined {
  const identification = card.gen2?.identification ?? card.gen1?.identification;
  if (card.kind !== 'driver-card' || identification === undefined || identification.cardNumber === '') return undefined;
  return { nation: identification.nation, number: identification.cardNumber.slice(0, 14) };
}

const isOneOf = (a: DriverIdentity | undefined, drivers: readonly DriverIdentity[]): boolean =>
  a !== undefined && drivers.some(({ nation, number }) => a.nation === nation && a.number === number);

const identityOf = (card: CardReference | null): DriverIdentity | undefined =>
  card === null ? undefined : { nation: card.nation, number: card.number.slice(0, 14) };

const dayNumber = (date: string): number => secondsOf(date) / 86_400;
const minuteOf = (seconds: number): number => Math.floor(seconds / 60);

/**
 * The time of `driver` (more than one identity where they have moved between states) over files of theirs and of the vehicles they drove, in any order; files of other drivers are ignored.
 * Files of one card that overlap count once, day by day; `undefined` where no file has data of the driver.
 */
export function buildTimeline(
  sources: readonly TimelineSource[],
  driver: DriverIdentity | readonly DriverIdentity[],
): Timeline | undefined {
  const builder = new TimelineBuilder('number' in driver ? [driver] : driver);
  for (const source of sources) {
    const { file } = source;
    if (file.kind !== 'vehicle-unit') builder.addCard(source, file);
    else {
      builder.addUnit(source, file);
      if (file.card !== undefined) builder.addCard(source, file.card);
    }
  }
  return builder.build();
}

/** A day of one card, from the file with the most complete record of it. */
interface CardDay {
  readonly day: ActivityDay;
  readonly fileId: string;
  /** Minute of the day up to which its last activity lasts. */
  readonly until: number;
}

class TimelineBuilder {
  readonly #drivers: readonly DriverIdentity[];
  /** By card number, then by date. */
  readonly #cards = new Map<string, Map<string, CardDay>>();
  readonly #minutes = new Map<number, DayMinutes>();
  readonly #pool = new DayPool();
  readonly #files = new Map<number, Set<string>>();
  readonly #distances = new Map<number, number>();
  readonly #conditions = new Map<string, SpecificCondition>();

  constructor(drivers: readonly DriverIdentity[]) {
    this.#drivers = drivers;
  }

  addCard({ fileId, downloadedAt }: TimelineSource, card: CardFile): void {
    if (!isOneOf(driverOf(card), this.#drivers)) return;
    const number = (card.gen2?.identification ?? card.gen1?.identification)?.cardNumber ?? '';
    const cardDay = this.#cards.get(number) ?? new Map<string, CardDay>();
    this.#cards.set(number, cardDay);
    for (const section of [card.gen2, card.gen1]) {
      if (section === undefined) continue;
      for (const day of section.days) keepLonger(cardDay, { day, fileId, until: untilOf(day, section, downloadedAt) });
      for (const condition of section.specificConditions) {
        this.#conditions.set(`${condition.time}/${condition.type}`, condition);
      }
    }
  }

  addUnit({ fileId }: TimelineSource, unit: VehicleUnitFile): void {
    const days = [...unit.days, ...unit.incompleteDays];
    // An insertion is recorded on its first and last day, and covers those between.
    const insertions = days
      .flatMap(({ insertions }) => insertions)
      .filter(({ card }) => isOneOf(identityOf(card), this.#drivers));
    for (const [index, day] of days.entries()) {
      const end = index < unit.days.length ? DAY : 0;
      const start = dayNumber(day.date) * DAY;
      for (const insertion of insertions) {
        const from = minuteOf(insertion.inserted) - start;
        const to = minuteOf(insertion.withdrawn ?? unit.overview?.currentTime ?? insertion.inserted) - start;
        if (to > 0 && from < DAY) this.#addInsertion(fileId, day, insertion.slot, { from, to, end });
      }
    }
  }

  /** Minutes of the day: of the insertion, and up to which the last activity lasts (0 where the day is truncated after it). */
  #addInsertion(
    fileId: string,
    day: VuDay,
    place: number,
    { from, to, end }: Record<'from' | 'to' | 'end', number>,
  ): void {
    const date = dayNumber(day.date);
    const slot = place === 0 ? 'driver' : 'co-driver';
    const words = day.changes.filter((change) => change.slot === slot);
    for (const [index, word] of words.entries()) {
      const begin = Math.max(from, word.minute);
      const until = Math.min(to, words[index + 1]?.minute ?? end);
      if (until > begin) this.#day(date, fileId).put(begin, until, stateOfUnit(word, slot));
    }
  }

  /** The minutes of a day that a file covers. */
  #day(date: number, fileId: string): DayMinutes {
    let minutes = this.#minutes.get(date);
    if (minutes === undefined) {
      minutes = this.#pool.next();
      this.#minutes.set(date, minutes);
      this.#files.set(date, new Set());
    }
    this.#files.get(date)!.add(fileId);
    return minutes;
  }

  build(): Timeline | undefined {
    for (const cardDay of this.#cards.values()) {
      for (const { day, fileId, until } of cardDay.values()) this.#addDay(day, fileId, until);
    }
    const known = [...this.#minutes.keys()];
    if (known.length === 0) return undefined;
    const first = known.reduce((a, b) => Math.min(a, b));
    const last = known.reduce((a, b) => Math.max(a, b));
    return {
      from: first * DAY,
      to: (last + 1) * DAY,
      intervals: intervalsOf(this.#minutes, first, last),
      conditions: conditionsOf([...this.#conditions.values()]),
      days: Array.from({ length: last - first + 1 }, (_, index) => this.#dayOf(first + index)),
    };
  }

  #addDay(day: ActivityDay, fileId: string, until: number): void {
    const date = dayNumber(day.date);
    this.#distances.set(date, (this.#distances.get(date) ?? 0) + day.distanceKm);
    // A day with only unknown minutes still counts as reported by a file.
    const minutes = this.#day(date, fileId);
    const { changes } = day;
    for (let index = 0; index < changes.length; index++) {
      const word = changes[index]!;
      minutes.put(word.minute, changes[index + 1]?.minute ?? until, stateOfCard(word));
    }
  }

  #dayOf(date: number): TimelineDay {
    return {
      date: dateOf(date * DAY_SECONDS) ?? '1970-01-01',
      fileIds: [...(this.#files.get(date) ?? [])].sort(),
      distanceKm: this.#distances.get(date) ?? 0,
      unknownMinutes: this.#minutes.get(date)?.unknownMinutes ?? DAY,
    };
  }
}

/** The newest day of a download ends with it, not at 24:00; without the time of the download, with the last change. */
function untilOf(day: ActivityDay, section: CardSection, downloadedAt: number | undefined): number {
  if (day !== section.days.at(-1)) return DAY;
  const last = day.changes.at(-1)?.minute ?? 0;
  // A unit writes the time of a download before it sends the card: if it is later than the last change, it belongs to this download.
  const ended = downloadedAt ?? section.lastDownload;
  if (ended === undefined || ended === null) return last;
  return Math.max(last, Math.min(DAY, minuteOf(ended) - dayNumber(day.date) * DAY));
}

/** The day that is recorded to its end; of two different ones the names of the files decide. */
function keepLonger(cardDay: Map<string, CardDay>, next: CardDay): void {
  const before = cardDay.get(next.day.date);
  if (before === undefined || compare(next, before) > 0) cardDay.set(next.day.date, next);
}

const compare = (next: CardDay, before: CardDay): number =>
  next.day.changes.length - before.day.changes.length ||
  next.until - before.until ||
  (next.fileId > before.fileId ? 1 : 0);

/** Flags from their begin and end records. Out of scope without an end record ends with the day. */
function conditionsOf(records: readonly SpecificCondition[]): Condition[] {
  const found: Condition[] = [];
  const open: Record<Condition['kind'], number | undefined> = { 'out-of-scope': undefined, ferry: undefined };
  const close = (kind: Condition['kind'], at: number | null): void => {
    const from = open[kind];
    if (from !== undefined) found.push({ kind, from, to: at });
    open[kind] = undefined;
  };
  const unended = (kind: Condition['kind']): number | null =>
    kind === 'ferry' ? null : (Math.floor((open[kind] ?? 0) / DAY) + 1) * DAY;
  for (const { time, type } of records.toSorted((a, b) => a.time - b.time || a.type - b.type)) {
    if (type < 1 || type > 4) continue;
    const kind = type <= 2 ? 'out-of-scope' : 'ferry';
    if (type === 2 || type === 4) close(kind, minuteOf(time));
    else {
      close(kind, unended(kind));
      open[kind] = minuteOf(time);
    }
  }
  close('out-of-scope', unended('out-of-scope'));
  close('ferry', null);
  return found.sort((a, b) => a.from - b.from);
}
