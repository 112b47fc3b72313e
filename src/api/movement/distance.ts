import { TRIP_DEFAULTS, TripDetector } from '../../track/trips.ts';
import { readDriven, type Stretch } from './fixes/store.ts';
import type { Pools } from './trips.ts';

/** Meters of the routes of a device in these stretches. */
export async function readDistance(pools: Pools, tenantId: number, stretches: readonly Stretch[]): Promise<number> {
  let metres = 0;
  const detector = new TripDetector(TRIP_DEFAULTS, (trip) => {
    metres += trip.distanceM;
  });
  for (const stretch of stretches) {
    await readDriven(pools, tenantId, stretch, (fixes) => detector.feed(fixes));
    detector.changeDevice();
  }
  return metres;
}
