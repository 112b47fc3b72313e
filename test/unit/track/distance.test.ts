import geodesic from 'geographiclib-geodesic';
import { describe, expect, test } from 'vitest';
import { type Fix, toFixes } from '../../../src/track/fixes.ts';
import { Ruler } from '../../../src/track/ruler.ts';
import { SafetyMeter } from '../../../src/track/safety.ts';
import { TRIP_DEFAULTS, TripDetector } from '../../../src/track/trips.ts';

const WGS84 = geodesic.Geodesic.WGS84;
const START = Date.UTC(2026, 4, 1, 8);

interface Drive {
  readonly fixes: readonly Fix[];
  /** along each second of the road, by the library */
  readonly metres: number;
}

/**
 * Parked, two hours on a motorway with gentle bends, parked; a report each `everyS` and none besides when the ignition
 * changes.
 */
function motorway(everyS: number, latitude: number, bearing: number, ignition: 'reported' | 'not reported'): Drive {
  const fixes: Fix[] = [];
  const put = (second: number, at: Pick<Fix, 'latitude' | 'longitude'>, speed: number, on: boolean): void => {
    if (second % everyS !== 0) return;
    const { latitude: lat, longitude } = at;
    const state = ignition === 'reported' ? { ignition: on } : {};
    fixes.push({ at: START + second * 1000, latitude: lat, longitude, speed, ...state });
  };
  let place = { latitude, longitude: 179.5 };
  let second = 0;
  const stand = (seconds: number): void => {
    for (const end = second + seconds; second < end; second++) put(second, place, 0, false);
  };
  stand(3_600);
  let metres = 0;
  for (const end = second + 7_200; second < end; second++) {
    put(second, place, 100, true);
    const course = bearing + 4 * Math.sin(second / 400);
    const { lat2, lon2 } = WGS84.Direct(place.latitude, place.longitude, course, 100 / 3.6);
    metres += WGS84.Inverse(place.latitude, place.longitude, lat2!, lon2!).s12!;
    place = { latitude: lat2!, longitude: lon2! };
  }
  stand(3_600);
  return { fixes, metres };
}

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
