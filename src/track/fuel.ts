import { distanceM } from './globe.ts';

/** One reading of a tank. */
export interface FuelSample {
  /** epoch ms */
  readonly at: number;
  /** liters, or percent where the size of the tank is unknown */
  readonly level: number;
  readonly latitude: number | undefined;
  readonly longitude: number | undefined;
}

export interface FuelChange {
  readonly kind: 'refuel' | 'drain';
  /** epoch ms: when it began */
  readonly at: number;
  /** how much, in the unit of the levels */
  readonly amount: number;
  readonly latitude: number | undefined;
  readonly longitude: number | undefined;
}

export interface FuelOptions {
  /** a smaller change is slosh or consumption */
  readonly least: number;
  /** one point of the series for so many ms */
  readonly resolutionMs: number;
}

/** size of the median filter: slosh in two readings has no effect */
const SMOOTHED = 5;
/** a change as large as the threshold within this time is a refill or a loss; consumption takes longer */
const WINDOW_MS = 600_000;
const MOST_IN_WINDOW = 120;
/** a change is over when the level has not moved further for this long */
const SETTLED_MS = 180_000;
/** a decrease over such a distance is consumption */
const DRIVEN_M = 5_000;

/**
 * Follows the level of a tank, reading by reading in order of time: a series at a resolution, and sudden changes of the
 * level. Memory does not grow with the readings.
 */
export class FuelMeter {
  readonly #options: FuelOptions;
  readonly #onPoint: (at: number, level: number) => void;
  readonly #onChange: (change: FuelChange) => void;
  #raw: number[] = [];
  #window: FuelSample[] = [];
  #change: { kind: FuelChange['kind']; before: FuelSample; extreme: number; movedAt: number } | undefined;
  #bucket = Number.NaN;
  #last: FuelSample | undefined;

  constructor(
    options: FuelOptions,
    onPoint: (at: number, level: number) => void,
    onChange: (change: FuelChange) => void,
  ) {
    this.#options = options;
    this.#onPoint = onPoint;
    this.#onChange = onChange;
  }

  add(sample: FuelSample): void {
    // after a gap the earlier readings must not smooth the new ones
    if (this.#last !== undefined && sample.at - this.#last.at > WINDOW_MS) this.#raw = [];
    this.#raw.push(sample.level);
    if (this.#raw.length > SMOOTHED) this.#raw.shift();
    const smooth = { ...sample, level: middleOf(this.#raw) };
    this.#point(smooth);
    if (this.#change === undefined) this.#watch(smooth);
    else this.#follow(smooth);
    this.#last = smooth;
  }

  finish(): void {
    this.#emit();
  }

  #point({ at, level }: FuelSample): void {
    const bucket = Math.floor(at / this.#options.resolutionMs);
    if (bucket === this.#bucket) return;
    this.#bucket = bucket;
    this.#onPoint(at, level);
  }

  #watch(sample: FuelSample): void {
    while (this.#window.length > 1 && sample.at - this.#window[0]!.at > WINDOW_MS) this.#window.shift();
    let lowest = this.#window[0];
    let highest = lowest;
    for (const each of this.#window) {
      // the first of the lowest, the last of the highest
      if (each.level < lowest!.level) lowest = each;
      if (each.level >= highest!.level) highest = each;
    }
    const { least } = this.#options;
    if (lowest !== undefined && sample.level - lowest.level >= least) {
      this.#begin('refuel', lowest, sample);
    } else if (highest !== undefined && highest.level - sample.level >= least && !wasDriven(highest, sample)) {
      this.#begin('drain', highest, sample);
    } else {
      this.#window.push(sample);
      if (this.#window.length > MOST_IN_WINDOW) this.#window = this.#window.filter((_, i) => i % 2 === 0);
    }
  }

  #begin(kind: FuelChange['kind'], before: FuelSample, sample: FuelSample): void {
    this.#change = { kind, before, extreme: sample.level, movedAt: sample.at };
  }

  #follow(sample: FuelSample): void {
    const change = this.#change!;
    const goesOn = change.kind === 'refuel' ? sample.level > change.extreme : sample.level < change.extreme;
    if (sample.at - change.movedAt > SETTLED_MS) {
      this.#emit();
      this.#watch(sample);
    } else if (goesOn) {
      change.extreme = sample.level;
      change.movedAt = sample.at;
    }
  }

  #emit(): void {
    const change = this.#change;
    if (change === undefined) return;
    this.#change = undefined;
    const { kind, before, extreme } = change;
    this.#window = [{ ...before, at: change.movedAt, level: extreme }];
    const { at, latitude, longitude, level } = before;
    this.#onChange({ kind, at, amount: Math.abs(extreme - level), latitude, longitude });
  }
}

function middleOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1]!;
}

function wasDriven(from: FuelSample, to: FuelSample): boolean {
  if (from.latitude === undefined || from.longitude === undefined) return false;
  if (to.latitude === undefined || to.longitude === undefined) return false;
  return distanceM(from.latitude, from.longitude, to.latitude, to.longitude) > DRIVEN_M;
}

/** Liters of a reading by an ascending table of [reading, liters]; linear between its rows, clamped outside. */
export function calibrate(table: readonly (readonly [number, number])[], reading: number): number {
  const next = table.findIndex(([at]) => at >= reading);
  if (next === -1) return table.at(-1)![1];
  const [atB, litresB] = table[next]!;
  if (next === 0) return litresB;
  const [atA, litresA] = table[next - 1]!;
  return atB === atA ? litresB : litresA + ((litresB - litresA) * (reading - atA)) / (atB - atA);
}
