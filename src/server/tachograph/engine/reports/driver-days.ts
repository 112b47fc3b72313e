import type {
  Activity,
  BorderCrossing,
  CardFile,
  GnssRecord,
  LoadUnload,
  Place,
  Position,
  Seconds,
  VehicleUnitFile,
} from '../records.ts';
import { buildTimeline, type DriverIdentity, driverOf, type TimelineSource } from '../timeline/build.ts';
import {
  type Condition,
  DAY,
  type DayVersion,
  type Interval,
  type Minute,
  type Timeline,
} from '../timeline/timeline.ts';
import { trustedPart } from '../timeline/trust.ts';
import { factsOf, sectionsOf, type VehicleUse } from './file-facts.ts';

/** Where a daily work period began or ended, a border was crossed, goods were loaded, or the driver was on the way. */
export interface PlaceNote {
  readonly at: Seconds;
  readonly kind: 'begin' | 'end' | 'border' | 'way' | 'load' | 'unload' | 'load-unload';
  /** NationNumeric (Annex IC, appendix 1, 2.101); 0: no information. */
  readonly country: number;
  readonly odometerKm: number | null;
  readonly position: Position | null;
}

/** Minutes of a day that a correction changes. */
export interface CorrectedSpan {
  readonly id: string;
  readonly from: Minute;
  readonly to: Minute;
  readonly was: Interval['activity'];
  readonly activity: Activity;
}

/** A stored UTC day of a driver. Minutes of its spans and conditions are those of the day. */
export interface DriverDay {
  readonly date: string;
  readonly distanceKm: number;
  readonly fileIds: readonly string[];
  /** From 0 to 1440 without a gap. */
  readonly spans: readonly Interval[];
  /** `to` is `null` where the end is not recorded: then it applies to its first day only. */
  readonly conditions: readonly Condition[];
  readonly uses: readonly Omit<VehicleUse, 'driver'>[];
  readonly places: readonly PlaceNote[];
  /** Sources that differ; absent if they agree. */
  readonly versions?: readonly DayVersion[];
  /** Where a person has corrected what files report; never stored. */
  readonly corrected?: readonly CorrectedSpan[];
}

/** The days of a driver over all files with data of them, including days without data between. */
export function driverDays(sources: readonly TimelineSource[], drivers: readonly DriverIdentity[]): DriverDay[] {
  const timeline = buildTimeline(sources, drivers);
  if (timeline === undefined) return [];
  const notes = new NoteCollector(drivers);
  for (const { file } of sources.map(trustedPart)) {
    if (file.kind !== 'vehicle-unit') notes.addCard(file);
    else notes.addUnit(file);
  }
  return daysOf(timeline, notes);
}

/** OperationType (Annex IC, appendix 1, 2.114a). */
const TRANSFERS: Readonly<Record<number, PlaceNote['kind']>> = { 1: 'load', 2: 'unload', 3: 'load-unload' };

const isOneOf = (drivers: readonly DriverIdentity[], one: DriverIdentity | undefined): boolean =>
  one !== undefined && drivers.some(({ nation, number }) => nation === one.nation && number === one.number);

/** Collects places, vehicles and conditions of a driver; duplicates of several files are dropped. */
class NoteCollector {
  readonly #drivers: readonly DriverIdentity[];
  readonly #stays = new Map<string, VehicleUse>();
  readonly #places = new Map<string, PlaceNote>();

  constructor(drivers: readonly DriverIdentity[]) {
    this.#drivers = drivers;
  }

  addCard(card: CardFile): void {
    if (!isOneOf(this.#drivers, driverOf(card))) return;
    for (const { places, borderCrossings, gnss, loadUnloads } of sectionsOf(card)) {
      for (const place of places) this.#addPlace(place);
      for (const crossing of borderCrossings) this.#addBorder(crossing);
      for (const record of gnss) this.#addWay(record);
      for (const transfer of loadUnloads) this.#addTransfer(transfer);
    }
    this.#addStays(factsOf(card, {}).stays);
  }

  addUnit(unit: VehicleUnitFile): void {
    if (unit.card !== undefined) this.addCard(unit.card);
    this.#addStays(factsOf(unit, { blocks: [] }).stays);
    for (const { places, borderCrossings, gnss, loadUnloads } of [...unit.days, ...unit.incompleteDays]) {
      for (const place of places) if (this.#isOwn(place.card)) this.#addPlace(place);
      for (const crossing of borderCrossings) {
        if (this.#isOwn(crossing.driver) || this.#isOwn(crossing.coDriver)) this.#addBorder(crossing);
      }
      for (const record of gnss) if (this.#isOwn(record.driver) || this.#isOwn(record.coDriver)) this.#addWay(record);
      for (const transfer of loadUnloads) {
        if (this.#isOwn(transfer.driver) || this.#isOwn(transfer.coDriver)) this.#addTransfer(transfer);
      }
    }
  }

  #isOwn(card: { readonly nation: number; readonly number: string } | null): boolean {
    return card !== null && isOneOf(this.#drivers, { nation: card.nation, number: card.number.slice(0, 14) });
  }

  #addPlace({ time, entryType, country, odometerKm, gnss }: Place): void {
    const kind = entryType % 2 === 0 ? 'begin' : 'end';
    this.#note({ at: time, kind, country, odometerKm, position: gnss?.position ?? null });
  }

  #addBorder({ gnss, countryEntered, odometerKm }: BorderCrossing): void {
    if (gnss.time === null) return;
    this.#note({ at: gnss.time, kind: 'border', country: countryEntered, odometerKm, position: gnss.position });
  }

  #addWay({ time, gnss, odometerKm }: GnssRecord): void {
    this.#note({ at: time, kind: 'way', country: 0, odometerKm, position: gnss.position });
  }

  #addTransfer({ time, operation, gnss, odometerKm }: LoadUnload): void {
    const kind = TRANSFERS[operation];
    if (kind !== undefined) this.#note({ at: time, kind, country: 0, odometerKm, position: gnss.position });
  }

  /** The two applications of a card record the same; the second one includes the position. */
  #note(place: PlaceNote): void {
    const key = `${place.at}/${place.kind}`;
    if (place.position === null && this.#places.has(key)) return;
    this.#places.set(key, place);
  }

  /** The unit's record takes precedence; an insertion that is open in one file is closed in a later one. */
  #addStays(uses: readonly VehicleUse[]): void {
    for (const use of uses) {
      if (!isOneOf(this.#drivers, use.driver)) continue;
      const key = `${use.plate}/${Math.floor(use.from / 60)}`;
      const before = this.#stays.get(key);
      if (before === undefined || before.to === null || (before.source === 'card' && use.source === 'vu')) {
        this.#stays.set(key, use);
      }
    }
  }

  uses(): Omit<VehicleUse, 'driver'>[] {
    return [...this.#stays.values()].map(({ driver: _, ...use }) => use).sort((a, b) => a.from - b.from);
  }

  places(): PlaceNote[] {
    return [...this.#places.values()].sort((a, b) => a.at - b.at);
  }
}

/** Groups items by the days from `first` to before `end` (days since 1970), each list in the order of `items`. */
function byDay<T>(
  items: readonly T[],
  first: number,
  end: number,
  daysOf: (item: T) => { readonly from: number; readonly to: number },
): T[][] {
  const days: T[][] = Array.from({ length: end - first }, () => []);
  for (const item of items) {
    const { from, to } = daysOf(item);
    for (let day = Math.max(first, from); day <= to && day < end; day++) days[day - first]!.push(item);
  }
  return days;
}

const DAY_SECONDS = DAY * 60;

function daysOf(timeline: Timeline, notes: NoteCollector): DriverDay[] {
  const [begin, end] = [timeline.from / DAY, timeline.to / DAY];
  const dayOf = (seconds: Seconds): number => Math.floor(seconds / DAY_SECONDS);
  const uses = byDay(notes.uses(), begin, end, ({ from, to }) => ({ from: dayOf(from), to: dayOf(to ?? from) }));
  const places = byDay(notes.places(), begin, end, ({ at }) => ({ from: dayOf(at), to: dayOf(at) }));
  // A span that ends at midnight does not belong to the day that begins there.
  const conditions = byDay(timeline.conditions, begin, end, ({ from, to }) => ({
    from: Math.floor(from / DAY),
    to: to === null ? Math.floor(from / DAY) : Math.ceil(to / DAY) - 1,
  }));
  let first = 0;
  return timeline.days.map(({ date, distanceKm, fileIds, versions }, index): DriverDay => {
    const from = timeline.from + index * DAY;
    const spans: Interval[] = [];
    while (timeline.intervals[first] !== undefined && timeline.intervals[first]!.to <= from) first++;
    for (let i = first; timeline.intervals[i] !== undefined && timeline.intervals[i]!.from < from + DAY; i++) {
      spans.push(within(timeline.intervals[i]!, from));
    }
    const flags = conditions[index]!.map(
      ({ kind, ...each }): Condition =>
        each.to === null
          ? { kind, from: each.from - from, to: null }
          : { kind, ...within({ ...each, to: each.to }, from) },
    );
    return {
      date,
      distanceKm,
      fileIds,
      spans,
      conditions: flags,
      uses: uses[index]!,
      places: places[index]!,
      ...(versions && { versions }),
    };
  });
}

const within = <T extends { readonly from: Minute; readonly to: Minute }>(span: T, day: Minute): T => ({
  ...span,
  from: Math.max(0, span.from - day),
  to: Math.min(DAY, span.to - day),
});

const LETTERS: Readonly<Record<Activity | 'unknown', string>> = {
  rest: 'R',
  availability: 'A',
  work: 'W',
  driving: 'D',
  unknown: 'U',
};
const ACTIVITIES = Object.fromEntries(Object.entries(LETTERS).map(([activity, letter]) => [letter, activity]));
const SOURCES = { card: 'c', vu: 'v', manual: 'm', person: 'p', none: 'n' } as const;
const SOURCE_NAMES = Object.fromEntries(Object.entries(SOURCES).map(([source, letter]) => [letter, source]));

/** `[from, to, "D1sc"]`: activity, slot, single or crew, source. */
type StoredSpan = readonly [from: number, to: number, state: string];
export type StoredDay = Omit<DriverDay, 'date' | 'spans'> & { readonly spans: readonly StoredSpan[] };

/** The form in the database. */
export function packDay({ date: _, spans, ...rest }: DriverDay): StoredDay {
  const pack = ({ from, to, activity, slot, crew, source }: Interval): StoredSpan => [
    from,
    to,
    `${LETTERS[activity]}${slot === 'driver' ? 1 : 2}${crew ? 'c' : 's'}${SOURCES[source]}`,
  ];
  return { ...rest, spans: spans.map(pack) };
}

export function unpackDay(date: string, { spans, ...rest }: StoredDay): DriverDay {
  const unpack = ([from, to, state]: StoredSpan): Interval => ({
    from,
    to,
    activity: ACTIVITIES[state[0]!] as Interval['activity'],
    slot: state[1] === '1' ? 'driver' : 'co-driver',
    crew: state[2] === 'c',
    source: SOURCE_NAMES[state[3]!] as Interval['source'],
  });
  return { ...rest, date, spans: spans.map(unpack) };
}

const minuteOf = (date: string): Minute => Date.parse(`${date}T00:00:00Z`) / 60_000;

/** The timeline of stored days; missing days are unknown. `undefined` without days. */
export function timelineOf(days: readonly DriverDay[]): Timeline | undefined {
  const sorted = days.toSorted((a, b) => (a.date < b.date ? -1 : 1));
  const from = sorted[0] && minuteOf(sorted[0].date);
  const last = sorted.at(-1);
  if (from === undefined || last === undefined) return undefined;
  const intervals: Interval[] = [];
  const conditions: { kind: Condition['kind']; from: Minute; to: Minute | null }[] = [];
  let end = from;
  for (const { date, spans, conditions: flags } of sorted) {
    const start = minuteOf(date);
    if (start > end) join(intervals, unknown(end, start));
    for (const span of spans) join(intervals, { ...span, from: start + span.from, to: start + span.to });
    for (const { kind, from: a, to: b } of flags) {
      const open = conditions.findLast((each) => each.kind === kind && each.to === start + a && a === 0);
      const to = b === null ? null : start + b;
      if (open === undefined) conditions.push({ kind, from: start + a, to });
      else open.to = to;
    }
    end = start + DAY;
  }
  return {
    from,
    to: end,
    intervals,
    conditions,
    days: sorted.map(({ date, fileIds, distanceKm, spans }) => ({
      date,
      fileIds,
      distanceKm,
      unknownMinutes: spans.reduce((sum, s) => sum + (s.activity === 'unknown' ? s.to - s.from : 0), 0),
    })),
  };
}

const unknown = (from: Minute, to: Minute): Interval => ({
  from,
  to,
  activity: 'unknown',
  slot: 'driver',
  crew: false,
  source: 'none',
});

/** Joins spans across midnight. */
function join(intervals: Interval[], next: Interval): void {
  const last = intervals.at(-1);
  const isSame =
    last?.activity === next.activity &&
    last.slot === next.slot &&
    last.crew === next.crew &&
    last.source === next.source;
  if (last !== undefined && isSame && last.to === next.from) intervals[intervals.length - 1] = { ...last, to: next.to };
  else intervals.push(next);
}
