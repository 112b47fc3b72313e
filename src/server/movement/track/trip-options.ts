import { MOVING_KMH } from './motion.ts';

/** Options of trip detection. Distances in m, times in ms. */
export interface TripOptions {
  /** a shorter stop does not end a trip */
  readonly minStopMs: number;
  /** a trip that stays closer to its start is dropped: noise, or a vehicle that is moved in its yard */
  readonly minTripM: number;
  /** a longer time between two fixes ends a trip, unless the vehicle drove on through a tunnel */
  readonly gapMs: number;
  /** the longest gap that can be a tunnel, or a valley without satellites */
  readonly tunnelMs: number;
  /** a speed from here on is movement, km/h */
  readonly movingKmh: number;
  /** maximum points of a trip's polyline; 0: no polyline */
  readonly maxPolylinePoints: number;
}

export const TRIP_DEFAULTS: TripOptions = {
  minStopMs: 300_000,
  minTripM: 150,
  gapMs: 900_000,
  tunnelMs: 1_800_000,
  movingKmh: MOVING_KMH,
  maxPolylinePoints: 0,
};
