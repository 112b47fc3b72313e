/** a speed from here on is not receiver noise */
export const MOVING_KMH = 3;
/** where no speed is reported, a step must be this long and this fast to count as movement */
const STEP_M = 20;
const STEP_KMH = 5;
/** without ignition: a vehicle this far from its stop has departed */
export const REST_M = 100;
/** a faster step over more than JUMP_M is a wrong fix */
const IMPOSSIBLE_KMH = 300;
const JUMP_M = 500;
/** a vehicle does not leave its stop, and stand there again, within this time */
const EXCURSION_MS = 120_000;

export interface Sample {
  readonly at: number;
  readonly latitude: number;
  readonly longitude: number;
  /** NaN where none was reported */
  readonly speed: number;
  readonly ignition: number;
}

export const kmh = (metres: number, ms: number): number => (metres / Math.max(1_000, ms)) * 3_600;
export const isImpossible = (metres: number, ms: number): boolean =>
  metres > JUMP_M && kmh(metres, ms) > IMPOSSIBLE_KMH;

/** `movingKmh`: a speed from here on is movement */
export function movesBy(speed: number, step: number, elapsedMs: number, movingKmh = MOVING_KMH): boolean {
  if (Number.isNaN(speed)) return step >= STEP_M && kmh(step, elapsedMs) >= STEP_KMH;
  return speed >= movingKmh || (step > REST_M && kmh(step, elapsedMs) >= movingKmh);
}

/** Is one fix away from a stop wrong, since the next is at the stop again? `stop` and `next` are within REST_M. */
export function isExcursionWrong(away: Sample, stoppedAt: number, next: Sample): boolean {
  if (!(away.speed >= MOVING_KMH)) return true;
  return !(next.speed >= MOVING_KMH) && next.at - stoppedAt <= EXCURSION_MS;
}
