import type { Fixes } from './fixes.ts';
import { Ruler } from './ruler.ts';

export type HarshKind = 'hardBraking' | 'hardAcceleration' | 'hardCornering';
export const HARSH: readonly HarshKind[] = ['hardBraking', 'hardAcceleration', 'hardCornering'];

export interface SafetySums {
  readonly distanceM: number;
  /** driven faster than the limit, ms */
  readonly overspeedMs: number;
  /** standing with the ignition on, ms */
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

const MOVING_KMH = 3;
/** longer between two fixes: nobody knows what it did */
const KNOWN_MS = 300_000;
const IMPOSSIBLE_KMH = 300;

/** Adds up what tells of the way that a vehicle is driven, fix by fix in order of time. */
export class SafetyMeter {
  readonly #options: SafetyOptions;
  readonly #ruler = new Ruler();
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

  feed({ count, at, latitude, longitude, speed, ignition }: Fixes): void {
    for (let i = 0; i < count; i++) {
      const took = at[i]! - this.#at;
      if (took > 0 && took <= KNOWN_MS) {
        const step = this.#ruler.measure(this.#latitude, this.#longitude, latitude[i]!, longitude[i]!);
        const shown = Number.isNaN(speed[i]!) ? (step / took) * 3_600 : speed[i]!;
        if (shown <= IMPOSSIBLE_KMH) this.#add(at[i]!, took, step, shown, ignition[i]!);
      }
      this.#at = at[i]!;
      this.#latitude = latitude[i]!;
      this.#longitude = longitude[i]!;
    }
  }

  #add(at: number, took: number, step: number, kmh: number, ignition: number): void {
    if (kmh < MOVING_KMH) {
      if (ignition === 1) this.#idlingMs += took;
      return;
    }
    this.#distanceM += step;
    if (kmh > this.#options.limitKmh) this.#overspeedMs += took;
    if (this.#options.isNight(at)) this.#nightMs += took;
  }

  get sums(): SafetySums {
    return {
      distanceM: this.#distanceM,
      overspeedMs: this.#overspeedMs,
      idlingMs: this.#idlingMs,
      nightMs: this.#nightMs,
    };
  }
}

/** points that one of a kind costs on 100 km */
const COST: Readonly<Record<HarshKind, number>> = { hardBraking: 4, hardAcceleration: 2, hardCornering: 3 };
/** points that a minute over the limit costs on 100 km */
const OVERSPEED_COST = 2;
/** less way is counted as so much: one hard stop in the yard does not ruin a day */
const LEAST_KM = 20;

/**
 * 100 is faultless, 0 the worst; null where nothing was driven. Points are taken off for harsh events and minutes over
 * the limit, on 100 km. Idling and night tell of cost and risk beside it, and take nothing off. `further` points come
 * from other sources, a tachograph's events.
 */
export function scoreOf(sums: SafetySums, harsh: Readonly<Record<HarshKind, number>>, further = 0): number | null {
  if (sums.distanceM === 0) return null;
  const hundreds = Math.max(LEAST_KM, sums.distanceM / 1000) / 100;
  const overspeed = (OVERSPEED_COST * sums.overspeedMs) / 60_000;
  const off = HARSH.reduce((sum, kind) => sum + COST[kind] * harsh[kind], overspeed + further);
  return Math.max(0, Math.round(100 - off / hundreds));
}
