import { DAY_SECONDS, secondsOf } from '../layout/days.ts';
import type { Seconds, VehicleUnitFile } from '../records.ts';

/** What a unit records of one UTC day of its vehicle. */
export interface UnitDayFacts {
  readonly date: string;
  /** at the end of the day; of the day of the download at its time */
  readonly odometerKm: number | null;
  readonly drivingMinutes: number;
  /** with no card in the slot of the driver */
  readonly withoutCardMinutes: number;
}

const DAY_MINUTES = 1_440;

export function unitDayFacts(unit: VehicleUnitFile): UnitDayFacts[] {
  const atEnd = odometersAtEnd(unit);
  return unit.days.map(({ date, changes }) => {
    const words = changes.filter(({ slot }) => slot === 'driver');
    let [drivingMinutes, withoutCardMinutes] = [0, 0];
    for (const [index, { minute, activity, inserted }] of words.entries()) {
      if (activity !== 'driving') continue;
      const length = Math.max(0, (words[index + 1]?.minute ?? DAY_MINUTES) - minute);
      drivingMinutes += length;
      if (!inserted) withoutCardMinutes += length;
    }
    return { date, odometerKm: atEnd.get(date) ?? null, drivingMinutes, withoutCardMinutes };
  });
}

/**
 * "The odometer at midnight" of a day is that of its end in downloads of units in use, and that of its begin in others: the
 * withdrawals of the same day decide. Without any it is that of the end.
 */
function odometersAtEnd({ days }: VehicleUnitFile): Map<string, number> {
  let votesForBegin = 0;
  for (const { date, odometerAtMidnightKm: km, insertions } of days) {
    const [begin, end] = [secondsOf(date), secondsOf(date) + DAY_SECONDS];
    const within = insertions.filter(
      ({ inserted, withdrawn }) => inserted >= begin && withdrawn !== null && withdrawn < end,
    );
    const last = Math.max(...within.map(({ odometerWithdrawnKm }) => odometerWithdrawnKm ?? 0));
    const first = Math.min(...within.map(({ odometerInsertedKm }) => odometerInsertedKm ?? 0));
    if (km === null || within.length === 0 || last <= first) continue;
    votesForBegin += km <= first ? 1 : km >= last ? -1 : 0;
  }
  return new Map(
    days.flatMap(({ date, odometerAtMidnightKm }, index): [string, number][] => {
      const next = days[index + 1];
      const isNext = next !== undefined && secondsOf(next.date) === secondsOf(date) + DAY_SECONDS;
      const km = votesForBegin <= 0 ? odometerAtMidnightKm : isNext ? next.odometerAtMidnightKm : null;
      return km === null ? [] : [[date, km]];
    }),
  );
}

/** The use of the vehicle with a driver's card in the slot of the driver. Odometers are kilometers. */
export interface CardUse {
  readonly driverId: string | null;
  readonly from: Seconds;
  /** `null`: it is not known when the card was withdrawn */
  readonly to: Seconds | null;
  readonly odometerFromKm: number;
  readonly odometerToKm: number | null;
}

export interface MileageDay extends UnitDayFacts {
  /** `null` where the day before is not known, or the odometer jumps */
  readonly distanceKm: number | null;
  readonly withoutCardKm: number | null;
}

/** Kilometers that no card has: driven between two known readings of the odometer. */
export interface MileageGap {
  readonly from: Seconds;
  readonly to: Seconds;
  readonly odometerFromKm: number;
  readonly odometerToKm: number;
  /** whose use ended and began next; `null` if none is known */
  readonly driverBefore: string | null;
  readonly driverAfter: string | null;
}

/** The odometer went back, or further than a vehicle can drive in the time. */
export interface OdometerJump {
  readonly from: Seconds;
  readonly to: Seconds;
  readonly odometerFromKm: number;
  readonly odometerToKm: number;
}

export interface Mileage {
  readonly days: readonly MileageDay[];
  readonly gaps: readonly MileageGap[];
  readonly jumps: readonly OdometerJump[];
  /** without jumps */
  readonly distanceKm: number;
  readonly withoutCardKm: number;
}

interface Reading {
  readonly at: Seconds;
  readonly km: number;
  /** of a use that ends or begins here */
  readonly ends?: CardUse;
  readonly begins?: CardUse;
}

/** No lorry or coach is faster on average; units round to whole kilometers and minutes. */
const MAX_KMH = 130;
const ROUNDING_KM = 2;

const isJump = (a: Reading, b: Reading): boolean =>
  b.km < a.km || b.km - a.km > ((b.at - a.at) / 3_600) * MAX_KMH + ROUNDING_KM;

/** Ascending in time, split where the odometer jumps. */
function runsOf(readings: readonly Reading[]): { readonly runs: Reading[][]; readonly jumps: OdometerJump[] } {
  const runs: Reading[][] = [];
  const jumps: OdometerJump[] = [];
  for (const reading of readings) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run === undefined || last === undefined) runs.push([reading]);
    else if (isJump(last, reading)) {
      jumps.push({ from: last.at, to: reading.at, odometerFromKm: last.km, odometerToKm: reading.km });
      runs.push([reading]);
    } else run.push(reading);
  }
  return { runs, jumps };
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Of the odometer, each kilometer once, ascending. */
function coveredIn(run: readonly Reading[]): Span[] {
  const end = run.at(-1)!.km;
  const spans = run
    .flatMap(({ begins }, index) => {
      if (begins === undefined) return [];
      // without a withdrawal the card is in until the next one is inserted
      const next = run.slice(index + 1).find((each) => each.begins !== undefined)?.km ?? end;
      return [{ from: begins.odometerFromKm, to: Math.min(end, begins.odometerToKm ?? next) }];
    })
    .sort((a, b) => a.from - b.from);
  const joined: { from: number; to: number }[] = [];
  for (const { from, to } of spans) {
    const last = joined.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else if (to > from) joined.push({ from, to });
  }
  return joined;
}

const lengthWithin = (spans: readonly Span[], from: number, to: number): number =>
  spans.reduce((sum, span) => sum + Math.max(0, Math.min(to, span.to) - Math.max(from, span.from)), 0);

function gapsIn(run: readonly Reading[], covered: readonly Span[]): MileageGap[] {
  const [begin, end] = [run[0]!.km, run.at(-1)!.km];
  const edges = [begin, ...covered.flatMap(({ from, to }) => [from, to]), end];
  const gaps: MileageGap[] = [];
  for (let index = 0; index < edges.length; index += 2) {
    const [from, to] = [edges[index]!, edges[index + 1]!];
    if (to <= from) continue;
    const before = run.findLast(({ km }) => km <= from)!;
    const after = run.find(({ km }) => km >= to)!;
    gaps.push({
      from: before.at,
      to: after.at,
      odometerFromKm: from,
      odometerToKm: to,
      driverBefore: run.findLast(({ km, ends }) => ends !== undefined && km <= from)?.ends?.driverId ?? null,
      driverAfter: run.find(({ km, begins }) => begins !== undefined && km >= to)?.begins?.driverId ?? null,
    });
  }
  return gaps;
}

/**
 * Kilometers of a vehicle without a card: of the odometer's kilometers between all known readings, those that lie in no use
 * with a card. Readings are midnights of units, and insertions and withdrawals of cards, so that days that no unit file
 * contains are covered too.
 * @param days each once, in any order
 */
export function mileageOf(days: readonly UnitDayFacts[], uses: readonly CardUse[]): Mileage {
  const sorted = days.toSorted((a, b) => (a.date < b.date ? -1 : 1));
  const endOf = (date: string): Seconds => secondsOf(date) + DAY_SECONDS;
  const readings = [
    ...sorted.flatMap(({ date, odometerKm: km }): Reading[] => (km === null ? [] : [{ at: endOf(date), km }])),
    ...uses.flatMap((use): Reading[] => [
      { at: use.from, km: use.odometerFromKm, begins: use },
      ...(use.to === null || use.odometerToKm === null ? [] : [{ at: use.to, km: use.odometerToKm, ends: use }]),
    ]),
  ].sort((a, b) => a.at - b.at || a.km - b.km);
  const { runs, jumps } = runsOf(readings);
  const parts = runs.map((run) => ({ run, covered: coveredIn(run) }));
  const gaps = parts.flatMap(({ run, covered }) => gapsIn(run, covered));
  const sum = (of: (part: (typeof parts)[number]) => number): number =>
    parts.reduce((total, part) => total + of(part), 0);
  return {
    days: sorted.map((day, index): MileageDay => {
      const before = sorted[index - 1];
      const isNext = before !== undefined && endOf(before.date) === secondsOf(day.date);
      const [a, b] = [before?.odometerKm ?? null, day.odometerKm];
      const at = endOf(day.date);
      const part = parts.find(({ run }) => run[0]!.at <= at - DAY_SECONDS && run.at(-1)!.at >= at);
      if (!isNext || a === null || b === null || part === undefined)
        return { ...day, distanceKm: null, withoutCardKm: null };
      return { ...day, distanceKm: b - a, withoutCardKm: b - a - lengthWithin(part.covered, a, b) };
    }),
    gaps,
    jumps,
    distanceKm: sum(({ run }) => run.at(-1)!.km - run[0]!.km),
    withoutCardKm: gaps.reduce((total, { odometerFromKm, odometerToKm }) => total + odometerToKm - odometerFromKm, 0),
  };
}
