import type { TripDetection, TripSettings } from '../../../contract/trip-settings.ts';
import { distanceM } from '../../../geometry/globe.ts';
import type { Fixes } from './fixes.ts';
import { MOVING_KMH, REST_M } from './motion.ts';
import { TRIP_DEFAULTS, type Trip, TripDetector, type TripOptions, type Waypoint } from './trips.ts';

/** How trips were found: not `auto`. */
export type UsedDetection = Exclude<TripDetection, 'auto'>;

/** A stop within a trip, with the engine running or not known to be off. */
export interface TripStop extends Waypoint {
  readonly durationMs: number;
}

export interface FoundTrip {
  readonly trip: Trip;
  readonly detection: UsedDetection;
  readonly stops: readonly TripStop[];
}

/** an ignition that is on for so long with stops in between is wired to the battery, or does not say that the engine is off, ms */
const ALWAYS_ON_MS = 7_200_000;

/** Values of the first settings that have them, otherwise the defaults. */
export function tripOptionsOf(
  settings: readonly TripSettings[],
  maxPolylinePoints: number,
): { readonly detection: TripDetection; readonly options: TripOptions } {
  const settingOf = <K extends keyof TripSettings>(name: K): TripSettings[K] =>
    settings.find((each) => each[name] !== undefined)?.[name];
  const stopSeconds = settingOf('stopSeconds');
  return {
    detection: settingOf('tripDetection') ?? 'auto',
    options: {
      ...TRIP_DEFAULTS,
      minStopMs: stopSeconds === undefined ? TRIP_DEFAULTS.minStopMs : 1_000 * stopSeconds,
      minTripM: settingOf('minTripMetres') ?? TRIP_DEFAULTS.minTripM,
      movingKmh: settingOf('stopSpeedKmh') ?? MOVING_KMH,
      maxPolylinePoints,
    },
  };
}

/**
 * Finds the trips of one device by a method. `auto` looks for them by ignition and by motion until the ignition was off:
 * if it never was, trips are those by motion, and are known at the end only.
 */
export class TripFinder {
  readonly #byIgnition: TripDetector | undefined;
  #byMotion: TripDetector | undefined;
  readonly #found: { ignition: Trip[]; motion: Trip[] } = { ignition: [], motion: [] };
  readonly #isAuto: boolean;
  readonly #method: UsedDetection;
  readonly #stops: StopFinder;
  readonly #onTrip: (found: FoundTrip) => void;
  #firstOn = Number.NaN;
  #lastAt = Number.NaN;

  constructor(detection: TripDetection, options: TripOptions, onTrip: (found: FoundTrip) => void) {
    this.#isAuto = detection === 'auto';
    this.#method = detection === 'auto' ? 'ignition' : detection;
    this.#onTrip = onTrip;
    this.#stops = new StopFinder(options);
    if (this.#isAuto || detection === 'ignition') {
      this.#byIgnition = new TripDetector(options, (trip) => this.#found.ignition.push(trip));
    }
    if (detection !== 'ignition') this.#byMotion = new TripDetector(options, (trip) => this.#found.motion.push(trip));
  }

  /** A device that stands with the ignition off is read too only where the method does not look at the ignition. */
  get needsAllFixes(): boolean {
    return this.#method === 'motion';
  }

  feed(fixes: Fixes): void {
    if (this.#isAuto && this.#byMotion !== undefined) this.#look(fixes);
    this.#stops.feed(fixes);
    this.#byIgnition?.feed(fixes);
    this.#byMotion?.feed(withIgnition(fixes, this.#method === 'ignition-and-motion' ? 2 : -1));
    if (!this.#isAuto || this.#byMotion === undefined) this.#pass();
  }

  /** The track is over, or goes on with another device. */
  end(): void {
    this.#byIgnition?.changeDevice();
    this.#byMotion?.changeDevice();
    this.#pass();
  }

  /** Has the ignition been off? */
  #look({ count, at, ignition }: Fixes): void {
    for (let i = 0; i < count; i++) {
      if (ignition[i] === 0) {
        this.#byMotion = undefined;
        this.#found.motion = [];
        return;
      }
      if (ignition[i] === 1 && Number.isNaN(this.#firstOn)) this.#firstOn = at[i]!;
      this.#lastAt = at[i]!;
    }
  }

  #pass(): void {
    const { ignition, motion } = this.#found;
    const isByMotion = this.#isAuto ? this.#isAlwaysOn() : this.#byMotion !== undefined;
    const detection = this.#isAuto && isByMotion ? 'motion' : this.#method;
    const trips = isByMotion ? motion : ignition;
    [this.#found.ignition, this.#found.motion] = [[], []];
    for (const trip of trips) this.#onTrip({ trip, detection, stops: this.#stops.within(trip) });
  }

  #isAlwaysOn(): boolean {
    return (
      this.#byMotion !== undefined && this.#lastAt - this.#firstOn >= ALWAYS_ON_MS && this.#found.motion.length > 1
    );
  }
}

/** The same fixes with another value where the ignition is on, or with none where it is -1. */
function withIgnition(fixes: Fixes, on: 2 | -1): Fixes {
  const ignition = fixes.ignition.map((value) => (on === -1 ? -1 : value === 1 ? 2 : value));
  return { ...fixes, ignition };
}

/** Stops with the ignition on or unknown that last as long as those that end a trip by motion. */
class StopFinder {
  readonly #options: TripOptions;
  readonly #stops: TripStop[] = [];
  #at: Waypoint | undefined;
  #until = 0;

  constructor(options: TripOptions) {
    this.#options = options;
  }

  feed({ count, at, latitude, longitude, speed, ignition }: Fixes): void {
    for (let i = 0; i < count; i++) {
      const here = { at: at[i]!, latitude: latitude[i]!, longitude: longitude[i]! };
      const isSlow = !(speed[i]! >= this.#options.movingKmh);
      const known = this.#at;
      const isNear =
        known !== undefined && distanceM(known.latitude, known.longitude, here.latitude, here.longitude) <= REST_M;
      const isSilent = known !== undefined && here.at - this.#until > this.#options.gapMs;
      if (isSlow && isNear && !isSilent && ignition[i] !== 0) {
        this.#until = here.at;
        continue;
      }
      if (known !== undefined && !isSilent && isNear && ignition[i] !== 0) this.#until = here.at;
      this.#close();
      if (isSlow && ignition[i] !== 0) [this.#at, this.#until] = [here, here.at];
    }
  }

  /** Of a trip; earlier ones are forgotten. */
  within({ start, end }: Trip): TripStop[] {
    this.#close();
    const found = this.#stops.filter((stop) => stop.at > start.at && stop.at + stop.durationMs < end.at);
    while (this.#stops.length > 0 && this.#stops[0]!.at < end.at) this.#stops.shift();
    return found;
  }

  #close(): void {
    const stop = this.#at;
    this.#at = undefined;
    if (stop === undefined || this.#until - stop.at < this.#options.minStopMs) return;
    this.#stops.push({ ...stop, durationMs: this.#until - stop.at });
  }
}
