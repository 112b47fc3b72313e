import { DAY_SECONDS, dateOf, secondsOf } from '../layout/days.ts';
import type {
  ActivityChange,
  ActivityDay,
  CardFile,
  CardReference,
  SpecificCondition,
  TachographFile,
  VehicleUnitFile,
  VuDay,
} from '../records.ts';
import { type CardDay, CardDays, untilOf } from './card-days.ts';
import { type DayMinutes, DayPool, intervalsOf, type State, stateOfCard, stateOfUnit } from './layers.ts';
import { type Condition, DAY, type DayVersion, type Minute, type Timeline, type TimelineDay } from './timeline.ts';
import { type TimelineSource, type Trust, type TrustedSource, trustedPart } from './trust.ts';

export type { TimelineSource } from './trust.ts';

/** A driver, whichever of their cards is in use: renewals and replacements change what follows these characters. */
export interface DriverIdentity {
  readonly nation: number;
  /** The first 14 characters of the card number. */
  readonly number: string;
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
 * Files of one card that overlap count once, day by day. Where sources differ, the one that is trusted more counts.
 * `undefined` where no file has data of the driver.
 */
export function buildTimeline(
  sources: readonly TimelineSource[],
  driver: DriverIdentity | readonly DriverIdentity[],
): Timeline | undefined {
  const builder = new TimelineBuilder('number' in driver ? [driver] : driver);
  const seen = new Set<string>();
  for (const source of sources) {
    if (seen.has(source.fileId)) continue;
    seen.add(source.fileId);
    const trusted = trustedPart(source);
    const { file, original } = trusted;
    if (original.kind === 'vehicle-unit') builder.addUnit(trusted, original);
    const [card, whole] = [cardOf(file), cardOf(original)];
    if (card !== undefined && whole !== undefined) builder.addCard(trusted, card, whole);
  }
  return builder.build();
}

const cardOf = (file: TachographFile): CardFile | undefined => (file.kind === 'vehicle-unit' ? file.card : file);

/** What a unit records of the driver in one of its files and on one day. */
interface UnitDay {
  readonly date: number;
  readonly fileId: string;
  readonly trust: Trust;
  readonly generation: VuDay['generation'];
  readonly spans: { readonly from: number; readonly to: number; readonly state: State }[];
}

/** Units and cards round to minutes: one that differs is no conflict. */
const ROUNDING_MINUTES = 1;

/** EquipmentType of a driver card. */
const DRIVER_CARD = 1;

/** Minutes since 1970 in which the card was inserted or withdrawn, or the second driver's card was. */
function switchesOf(days: readonly ActivityDay[]): Minute[] {
  const found: Minute[] = [];
  let before: ActivityChange | undefined;
  for (const { date, changes } of days) {
    for (const change of changes) {
      if (before !== undefined && isSwitch(before, change)) found.push(dayNumber(date) * DAY + change.minute);
      before = change;
    }
  }
  return found;
}

const isSwitch = (a: ActivityChange, b: ActivityChange): boolean =>
  a.inserted !== b.inserted || (b.inserted && (a.status !== b.status || a.slot !== b.slot));

class TimelineBuilder {
  readonly #drivers: readonly DriverIdentity[];
  readonly #cards = new Map<string, CardDays>();
  readonly #units = new Map<string, UnitDay>();
  readonly #minutes = new Map<number, DayMinutes>();
  readonly #pool = new DayPool();
  readonly #files = new Map<number, Set<string>>();
  readonly #distances = new Map<number, { readonly rank: number; readonly km: number }>();
  readonly #conditions = new Map<string, { readonly rank: number; readonly record: SpecificCondition }>();
  /** Minutes in which a card was inserted into the unit of the driver, or withdrawn. */
  readonly #switches = new Set<Minute>();
  /** The rank of the best card of a day. */
  readonly #ranks = new Map<number, number>();
  readonly #versions = new Map<number, DayVersion[]>();
  readonly #conflicts = new Set<number>();

  constructor(drivers: readonly DriverIdentity[]) {
    this.#drivers = drivers;
  }

  /** @param whole with the parts that do not contribute, which are compared with the others */
  addCard({ fileId, downloadedAt, trustIn }: TrustedSource, card: CardFile, whole: CardFile): void {
    if (!isOneOf(driverOf(whole), this.#drivers)) return;
    const number = (whole.gen2?.identification ?? whole.gen1?.identification)?.cardNumber ?? '';
    const cardDays = this.#cards.get(number) ?? new CardDays();
    this.#cards.set(number, cardDays);
    for (const name of ['gen2', 'gen1'] as const) {
      const section = whole[name];
      if (section === undefined) continue;
      const trust = trustIn({ section: name });
      const { generation } = section;
      for (const day of section.days) {
        cardDays.add({ day, fileId, generation, trust, until: untilOf(day, section, downloadedAt) });
      }
      for (const record of card[name]?.specificConditions ?? []) this.#addCondition(record, trust.rank);
      for (const at of switchesOf(card[name]?.days ?? [])) this.#switches.add(at);
    }
  }

  #addCondition(record: SpecificCondition, rank: number): void {
    const key = `${record.time}/${record.type}`;
    if ((this.#conditions.get(key)?.rank ?? -1) < rank) this.#conditions.set(key, { rank, record });
  }

  addUnit({ fileId, trustIn }: TrustedSource, unit: VehicleUnitFile): void {
    const days = [...unit.days, ...unit.incompleteDays];
    const trusts = days.map(({ date }) => trustIn({ date }));
    // An insertion is recorded on its first and last day, and covers those between.
    const insertionsOf = (of: readonly VuDay[]): VuDay['insertions'] =>
      of.flatMap(({ insertions }) => insertions).filter(({ card }) => isOneOf(identityOf(card), this.#drivers));
    const contributing = insertionsOf(days.filter((_, index) => trusts[index]!.contributes));
    const all = insertionsOf(days);
    this.#addSwitches(
      contributing,
      days.filter((_, index) => trusts[index]!.contributes),
    );
    for (const [index, day] of days.entries()) {
      const trust = trusts[index]!;
      const end = index < unit.days.length ? DAY : 0;
      const start = dayNumber(day.date) * DAY;
      for (const insertion of trust.contributes ? contributing : all) {
        const from = minuteOf(insertion.inserted) - start;
        const to = minuteOf(insertion.withdrawn ?? unit.overview?.currentTime ?? insertion.inserted) - start;
        if (to > 0 && from < DAY) this.#addInsertion(fileId, day, trust, insertion.slot, { from, to, end });
      }
    }
  }

  /** Of the driver's card, and of others of drivers in the other slot meanwhile. */
  #addSwitches(own: VuDay['insertions'], days: readonly VuDay[]): void {
    const all = days.flatMap(({ insertions }) => insertions).filter(({ card }) => card?.type === DRIVER_CARD);
    for (const { inserted, withdrawn } of own) {
      for (const at of all.flatMap((each) => [each.inserted, each.withdrawn ?? each.inserted])) {
        if (at >= inserted && at <= (withdrawn ?? at)) this.#switches.add(minuteOf(at));
      }
    }
  }

  /** Minutes of the day: of the insertion, and up to which the last activity lasts (0 if the day is truncated after it). */
  #addInsertion(
    fileId: string,
    day: VuDay,
    trust: Trust,
    place: number,
    { from, to, end }: Record<'from' | 'to' | 'end', number>,
  ): void {
    const date = dayNumber(day.date);
    const slot = place === 0 ? 'driver' : 'co-driver';
    const words = day.changes.filter((change) => change.slot === slot);
    for (const [index, word] of words.entries()) {
      const begin = Math.max(from, word.minute);
      const until = Math.min(to, words[index + 1]?.minute ?? end);
      if (until <= begin) continue;
      const key = `${fileId}/${date}/${trust.rank}`;
      const unitDay = this.#units.get(key) ?? { date, fileId, trust, generation: day.generation, spans: [] };
      this.#units.set(key, unitDay);
      unitDay.spans.push({ from: begin, to: until, state: stateOfUnit(word, slot) });
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
    for (const cardDays of this.#cards.values()) {
      for (const { counted, versions } of cardDays.days()) this.#addCardDay(counted, versions);
    }
    const units = [...this.#units.values()].sort(
      (a, b) => b.trust.rank - a.trust.rank || (a.fileId < b.fileId ? -1 : 1),
    );
    for (const unitDay of units) this.#putUnitDay(unitDay);
    const known = [...this.#minutes.keys()];
    if (known.length === 0) return undefined;
    const first = known.reduce((a, b) => Math.min(a, b));
    const last = known.reduce((a, b) => Math.max(a, b));
    return {
      from: first * DAY,
      to: (last + 1) * DAY,
      intervals: intervalsOf(this.#minutes, first, last),
      conditions: conditionsOf(this.#trustedConditions(), this.#switches, (last + 1) * DAY),
      days: Array.from({ length: last - first + 1 }, (_, index) => this.#dayOf(first + index)),
    };
  }

  /** A flag of a source that is trusted less than the card of its day could excuse what that card proves. */
  #trustedConditions(): SpecificCondition[] {
    const rankOn = ({ time }: SpecificCondition): number => this.#ranks.get(Math.floor(time / DAY_SECONDS)) ?? 0;
    return [...this.#conditions.values()].flatMap(({ rank, record }) => (rank < rankOn(record) ? [] : [record]));
  }

  /** @param counted the most trusted first, each from the minute on up to which the one before lasts */
  #addCardDay(counted: readonly CardDay[], versions: readonly CardDay[]): void {
    const date = dayNumber(versions[0]!.day.date);
    let covered = 0;
    for (const [index, { day, fileId, until, trust }] of counted.entries()) {
      if (index === 0) this.#addDistance(date, day.distanceKm, trust.rank);
      else if (until <= covered) continue;
      // A day with only unknown minutes still counts as reported by a file.
      const minutes = this.#day(date, fileId);
      const { changes } = day;
      for (let at = 0; at < changes.length; at++) {
        const word = changes[at]!;
        const end = Math.min(until, changes[at + 1]?.minute ?? until);
        minutes.put(Math.max(covered, word.minute), end, stateOfCard(word), trust.rank);
      }
      covered = Math.max(covered, until);
    }
    const found = versions.map(({ day, fileId, generation, trust, until }) =>
      versionOf({ fileId, generation, trust, source: 'card' }, cardSpans(day, until)),
    );
    this.#addVersions(date, found, versions.length > 1);
  }

  #addVersions(date: number, versions: readonly DayVersion[], isConflict: boolean): void {
    this.#versions.set(date, [...(this.#versions.get(date) ?? []), ...versions]);
    if (isConflict) this.#conflicts.add(date);
  }

  #addDistance(date: number, km: number, rank: number): void {
    this.#ranks.set(date, Math.max(rank, this.#ranks.get(date) ?? 0));
    const before = this.#distances.get(date);
    if (before === undefined || before.rank < rank) this.#distances.set(date, { rank, km });
    else if (before.rank === rank) this.#distances.set(date, { rank, km: before.km + km });
  }

  #putUnitDay({ date, fileId, generation, trust, spans }: UnitDay): void {
    const before = this.#minutes.get(date);
    const differing = spans.reduce(
      (sum, { from, to, state }) => sum + (before?.differing(from, to, state.activity) ?? 0),
      0,
    );
    const flat = spans.map(({ from, to, state }) => ({ from, to, activity: state.activity }));
    const version = versionOf({ fileId, generation, trust, source: 'vu' }, flat);
    this.#addVersions(date, [version], differing > ROUNDING_MINUTES);
    if (!trust.contributes) return;
    const minutes = this.#day(date, fileId);
    for (const { from, to, state } of spans) minutes.put(from, to, state, trust.rank);
  }

  #dayOf(date: number): TimelineDay {
    return {
      date: dateOf(date * DAY_SECONDS) ?? '1970-01-01',
      fileIds: [...(this.#files.get(date) ?? [])].sort(),
      distanceKm: this.#distances.get(date)?.km ?? 0,
      unknownMinutes: this.#minutes.get(date)?.unknownMinutes ?? DAY,
      ...(this.#conflicts.has(date) && { versions: (this.#versions.get(date) ?? []).toSorted(byFile) }),
    };
  }
}

const byFile = (a: DayVersion, b: DayVersion): number => {
  const [one, other] = [a, b].map(({ fileId, source, generation }) => `${fileId}/${source}/${generation}`);
  return Number(one! > other!) - Number(one! < other!);
};

interface ActivitySpan {
  readonly from: number;
  readonly to: number;
  readonly activity: State['activity'];
}

const cardSpans = ({ changes }: ActivityDay, until: number): ActivitySpan[] =>
  changes.map((word, index) => ({
    from: word.minute,
    to: Math.min(until, changes[index + 1]?.minute ?? until),
    activity: stateOfCard(word).activity,
  }));

function versionOf(
  { trust, ...of }: Pick<DayVersion, 'fileId' | 'generation' | 'source'> & { readonly trust: Trust },
  spans: readonly ActivitySpan[],
): DayVersion {
  const minutes = { rest: 0, availability: 0, work: 0, driving: 0, unknown: DAY };
  for (const { from, to, activity } of spans) {
    if (activity === 'unknown' || to <= from) continue;
    minutes[activity] += to - from;
    minutes.unknown -= to - from;
  }
  return { ...of, verdict: trust.verdict, contributes: trust.contributes, minutes };
}

/**
 * Flags from their begin and end records. Out of scope without an end record ends with the next insertion or withdrawal of
 * a card, at which the unit closes it (Annex IC, requirement 62), or with the data.
 * @param switches minutes of insertions and withdrawals
 */
function conditionsOf(records: readonly SpecificCondition[], switches: ReadonlySet<Minute>, end: Minute): Condition[] {
  const closing = [...switches].sort((a, b) => a - b);
  const found: Condition[] = [];
  const open: Record<Condition['kind'], number | undefined> = { 'out-of-scope': undefined, ferry: undefined };
  const close = (kind: Condition['kind'], at: number | null): void => {
    const from = open[kind];
    if (from !== undefined) found.push({ kind, from, to: at });
    open[kind] = undefined;
  };
  const unended = (kind: Condition['kind'], before: number): number | null =>
    kind === 'ferry' ? null : Math.min(closing.find((at) => at > (open[kind] ?? at)) ?? before, before);
  for (const { time, type } of records.toSorted((a, b) => a.time - b.time || a.type - b.type)) {
    if (type < 1 || type > 4) continue;
    const kind = type <= 2 ? 'out-of-scope' : 'ferry';
    if (type === 2 || type === 4) close(kind, minuteOf(time));
    else {
      close(kind, unended(kind, minuteOf(time)));
      open[kind] = minuteOf(time);
    }
  }
  close('out-of-scope', unended('out-of-scope', end));
  close('ferry', null);
  return found.sort((a, b) => a.from - b.from);
}
