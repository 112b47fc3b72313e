import { Ruler } from '../../../geometry/ruler.ts';
import type { Fixes } from './fixes.ts';
import { MOVING_KMH } from './motion.ts';
import { TRIP_DEFAULTS, TripDetector } from './trips.ts';

export type HarshKind = 'hardBraking' | 'hardAcceleration' | 'hardCornering';
export const HARSH: readonly HarshKind[] = ['hardBraking', 'hardAcceleration', 'hardCornering'];

export interface SafetyTotals {
  /** of its trips */
  readonly distanceM: number;
  /** driven faster than the limit, ms */
  readonly overspeedMs: number;
  /** stationary with the ignition on, ms */
  readonly idlingMs: number;
  /** driven between 22 and 6 o'clock, ms */
  readonly nightMs: number;
}

export interface SafetyOptions {
  /** km/h */
  readonly limitKmh: number;
  /** is this moment (epoch ms) at night, where the vehicle is? */
  readonly isNight: (at: number) => boolean;
}

/** a longer time between two fixes counts as unknown */
const KNOWN_MS = TRIP_DEFAULTS.gapMs;
const IMPOSSIBLE_KMH = 300;

/** Aggregates indicators of driving style, fix by fix in order of time. */
export class SafetyMeter {
  readonly #options: SafetyOptions;
  readonly #ruler = new Ruler();
  readonly #trips = new TripDetector(TRIP_DEFAULTS, (trip) => {
    this.#distanceM += trip.distanceM;
  });
  #distanceM = 0;
  #overspeedMs = 0;
  #idlingMs = 0;
  #nightMs = 0;
  #at = Number.NaN;
  #latitude = 0;
  #longitude = 0;

  constructor(options: SafetyOptions) {
    this.#options = options;
  }

  /** The following fixes are of another device. */
  changeDevice(): void {
    this.#trips.changeDevice();
    this.#at = Number.NaN;
  }

  /** The track is over. */
  finish(): void {
    this.#trips.finish();
  }

  feed(fixes: Fixes): void {
    this.#trips.feed(fixes);
    const { count, at, latitude, longitude, speed, ignition } = fixes;
    for (let i = 0; i < count; i++) {
      const elapsedMs = at[i]! - this.#at;
      if (elapsedMs > 0 && elapsedMs <= KNOWN_MS) {
        const step = this.#ruler.measure(this.#latitude, this.#longitude, latitude[i]!, longitude[i]!);
        const shown = Number.isNaN(speed[i]!) ? (step / elapsedMs) * 3_600 : speed[i]!;
        if (shown <= IMPOSSIBLE_KMH) this.#add(at[i]!, elapsedMs, shown, ignition[i]!);
      }
      this.#at = at[i]!;
      this.#latitude = latitude[i]!;
      this.#longitude = longitude[i]!;
    }
  }

  #add(at: number, elapsedMs: number, kmh: number, ignition: number): void {
    if (kmh < MOVING_KMH) {
      if (ignition === 1) this.#idlingMs += elapsedMs;
      return;
    }
    if (kmh > this.#options.limitKmh) this.#overspeedMs += elapsedMs;
    if (this.#options.isNight(at)) this.#nightMs += elapsedMs;
  }

  get totals(): SafetyTotals {
    return {
      distanceM: this.#distanceM,
      overspeedMs: this.#overspeedMs,
      idlingMs: this.#idlingMs,
      nightMs: this.#nightMs,
    };
  }
}

/** points deducted for one event per 100 km */
const COST: Readonly<Record<HarshKind, number>> = { hardBraking: 4, hardAcceleration: 2, hardCornering: 3 };
/** points deducted for a minute over the limit per 100 km */
const OVERSPEED_COST = 2;
/** a shorter distance counts as this: one hard stop in the yard does not ruin a day */
const MIN_KM = 20;

/**
 * 100 is the best, 0 the worst score; null without any distance. Points are deducted for harsh events and minutes over
 * the limit, per 100 km. Idling and night driving are reported beside it and deduct nothing. `extraPoints` come
 * from other sources, such as tachograph events.
 */
export function scoreOf(
  totals: SafetyTotals,
  harshCounts: Readonly<Record<HarshKind, number>>,
  extraPoints = 0,
): number | null {
  if (totals.distanceM === 0) return null;
  const per100Km = Math.max(MIN_KM, totals.distanceM / 1000) / 100;
  const overspeed = (OVERSPEED_COST * totals.overspeedMs) / 60_000;
  const deduction = HARSH.reduce((total, kind) => total + COST[kind] * harshCounts[kind], overspeed + extraPoints);
  return Math.max(0, Math.round(100 - deduction / per100Km));
}
