import { describe, expect, test } from 'vitest';
import { Ruler } from '../../../src/geometry/ruler.ts';
import { type Fix, toFixes } from '../../../src/server/movement/track/fixes.ts';
import { SafetyMeter } from '../../../src/server/movement/track/safety.ts';
import { TRIP_DEFAULTS, TripDetector } from '../../../src/server/movement/track/trips.ts';
import { motorway, WGS84 } from '../../support/motorway.ts';

const ofTrips = (fixes: readonly Fix[]): number => {
  let sum = 0;
  const detector = new TripDetector(TRIP_DEFAULTS, (trip) => {
    sum += trip.distanceM;
  });
  detector.feed(toFixes(fixes));
  detector.finish();
  return sum;
};

const ofSafety = (fixes: readonly Fix[]): number => {
  const meter = new SafetyMeter({ limitKmh: 130, isNight: () => false });
  meter.feed(toFixes(fixes));
  meter.finish();
  return meter.totals.distanceM;
};

describe.each([10, 30, 60, 120, 300, 360])('reports each %i s', (everyS) => {
  test.each<[number, number, 'reported' | 'not reported']>([
    [0, 0, 'reported'],
    [0, 90, 'reported'],
    [45, 0, 'reported'],
    [45, 90, 'not reported'],
    [45, 135, 'reported'],
    [68, 270, 'not reported'],
    [-34, 60, 'reported'],
  ])(
    'from latitude %i on a course of %i°, ignition %s: within 0.5 %% of the geodesic',
    (latitude, course, ignition) => {
      const { fixes, metres } = motorway(everyS, latitude, course, ignition);
      const found = ofTrips(fixes);
      expect(Math.abs(found / metres - 1)).toBeLessThan(0.005);
      expect(ofSafety(fixes)).toBe(found);
    },
  );
});

test('short and long distances are those of the library', () => {
  const ruler = new Ruler();
  for (const latitude of [-79, -45, -10, 0, 20, 52, 70, 85]) {
    for (const bearing of [0, 37, 90, 190, 300]) {
      for (const length of [1, 250, 8_000, 40_000, 300_000, 4_000_000]) {
        const { lat2, lon2 } = WGS84.Direct(latitude, 179.99, bearing, length);
        const found = ruler.measure(latitude, 179.99, lat2!, lon2!);
        expect(Math.abs(found / length - 1)).toBeLessThan(0.001);
      }
    }
  }
});
