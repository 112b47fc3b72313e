import type { Fix } from '../../src/server/movement/track/fixes.ts';

/** m of a degree of latitude on the sphere of the mean radius */
const DEGREE_M = 111_195.08;

/** What a device reports as one lays its way: straight north, or as configured. `ignition` undefined: it reports none. */
export interface Route {
  /** so far north, at an even speed; a fix each `everyS` */
  drive(km: number, kmh: number, over?: Partial<Step>): Route;
  /** stays for so many seconds; a fix each `everyS`, as far off as the receiver's noise */
  stand(seconds: number, over?: Partial<Step>): Route;
  /** silent for so many seconds, while it goes so far */
  silent(seconds: number, km?: number): Route;
  /** one fix that is so many km off */
  stray(km: number): Route;
  ignition(on: boolean | undefined): Route;
  readonly fixes: readonly Fix[];
  /** epoch ms of the last fix */
  readonly now: number;
}

interface Step {
  readonly everyS: number;
  readonly noiseM: number;
  readonly speed: number | undefined;
}

export function route(startAt = Date.UTC(2026, 4, 1, 8), everyS = 30): Route {
  const fixes: Fix[] = [];
  let at = startAt;
  let metres = 0;
  let ignition: boolean | undefined;
  let n = 0;
  const put = (speed: number | undefined, noiseM = 0): void => {
    // noise that is the same each time: four corners around the place
    const [north, east] = [
      [1, 1],
      [-1, 1],
      [-1, -1],
      [1, -1],
    ][n++ % 4]!;
    fixes.push({
      at,
      latitude: 45 + (metres + north! * noiseM) / DEGREE_M,
      longitude: 9 + (east! * noiseM) / DEGREE_M,
      speed,
      ignition,
    });
  };
  put(0);
  const made: Route = {
    drive(km, kmh, over = {}) {
      const every = over.everyS ?? everyS;
      const steps = Math.round((km / kmh) * (3_600 / every));
      for (let i = 0; i < steps; i++) {
        at += every * 1000;
        metres += (km * 1000) / steps;
        put('speed' in over ? over.speed : kmh, over.noiseM);
      }
      return made;
    },
    stand(seconds, over = {}) {
      const every = over.everyS ?? everyS;
      for (let i = 0; i < Math.round(seconds / every); i++) {
        at += every * 1000;
        put('speed' in over ? over.speed : 0, over.noiseM);
      }
      return made;
    },
    silent(seconds, km = 0) {
      at += seconds * 1000;
      metres += km * 1000;
      put(0);
      return made;
    },
    stray(km) {
      at += everyS * 1000;
      metres += km * 1000;
      put(0);
      metres -= km * 1000;
      return made;
    },
    ignition(on) {
      ignition = on;
      // the device says so at once
      at += 1000;
      put(0);
      return made;
    },
    fixes,
    get now() {
      return at;
    },
  };
  return made;
}
