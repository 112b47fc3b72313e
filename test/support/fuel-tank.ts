/**
 * A simulated tank: what a vehicle does, what happens to its fuel, and what a sensor in a moving liquid reports.
 * Shares no code with the detector.
 */
export interface TankReading {
  /** epoch ms */
  readonly at: number;
  readonly level: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly speed: number;
  readonly ignition: boolean | undefined;
}

export interface TankEvent {
  readonly kind: 'refuel' | 'drain';
  /** epoch ms */
  readonly from: number;
  readonly to: number;
  readonly litres: number;
}

export interface TankRun {
  readonly readings: readonly TankReading[];
  readonly events: readonly TankEvent[];
}

export interface Sensor {
  /** standard deviation of the surface at 80 km/h and at rest, l */
  readonly sloshL: number;
  readonly restL?: number;
  /** the surface swings: share of the last deviation that remains after 10 s */
  readonly swing?: number;
  /** readings are rounded to so many l */
  readonly stepL?: number;
  /** s between reports, moving and at rest */
  readonly everyS: readonly [moving: number, rest: number];
  readonly hasIgnition?: boolean;
}

type Step =
  | { readonly drive: number; readonly kmh?: number; readonly per100Km?: number }
  | { readonly park: number; readonly isIdling?: boolean }
  | { readonly refuel: number; readonly perMinute?: number }
  | { readonly drain: number; readonly perMinute: number };

/** Numbers of a seed, from 0 to 1 (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** km, min and liters: `drive` km, `park` min, `refuel` and `drain` liters. Simulated second by second. */
export function simulateTank(
  start: number,
  level: number,
  steps: readonly Step[],
  sensor: Sensor,
  seed: number,
): TankRun {
  const random = seeded(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const { sloshL, restL = 0.3, swing = 0.3, stepL = 0.1, everyS, hasIgnition = true } = sensor;
  const readings: TankReading[] = [];
  const events: TankEvent[] = [];
  let [s, liters, metres, wave, agitation, nextS] = [0, level, 0, 0, 0, 0];
  const second = (kmh: number, flow: number, isOn: boolean): void => {
    liters += flow;
    metres += kmh / 3.6;
    // the surface follows the movement within half a minute
    agitation += (Math.min(1, kmh / 80) - agitation) / 15;
    const keep = swing ** 0.1;
    wave = keep * wave + Math.sqrt(1 - keep * keep) * normal();
    if (s >= nextS) {
      const noise = sloshL * agitation * wave + restL * normal();
      readings.push({
        at: start + s * 1_000,
        level: Math.max(0, Math.round((liters + noise) / stepL) * stepL),
        latitude: 45 + metres / 111_195,
        longitude: 9,
        speed: kmh,
        ignition: hasIgnition ? isOn : undefined,
      });
      nextS = s + (kmh > 0 ? everyS[0] : everyS[1]);
    }
    s++;
  };
  const flowOf = (kind: TankEvent['kind'], amount: number, perMinute: number): void => {
    const from = start + s * 1_000;
    const seconds = Math.max(1, Math.round((amount / perMinute) * 60));
    for (let n = 0; n < seconds; n++) second(0, ((kind === 'refuel' ? 1 : -1) * amount) / seconds, false);
    events.push({ kind, from, to: start + s * 1_000, litres: amount });
  };
  for (const step of steps) {
    if ('drive' in step) {
      const { drive, kmh = 80, per100Km = 30 } = step;
      nextS = s;
      const seconds = Math.round((drive / kmh) * 3_600);
      for (let n = 0; n < seconds; n++) second(kmh, (-per100Km / 100_000) * (kmh / 3.6), true);
    } else if ('park' in step) {
      if (everyS[1] < 900) nextS = s;
      for (let n = 0; n < step.park * 60; n++) second(0, step.isIdling ? -2.5 / 3_600 : 0, step.isIdling === true);
    } else if ('refuel' in step) flowOf('refuel', step.refuel, step.perMinute ?? 60);
    else flowOf('drain', step.drain, step.perMinute);
  }
  return { readings, events };
}
