import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Ruler } from '../../../src/geometry/ruler.ts';
import { type Fix, toFixes } from '../../../src/server/movement/track/fixes.ts';
import { NO_FIXES } from '../../../src/server/movement/track/trip-state.ts';
import {
  step,
  TRIP_DEFAULTS,
  type Trip,
  TripDetector,
  type TripOptions,
} from '../../../src/server/movement/track/trips.ts';
import { anyTrack } from '../../support/any-track.ts';
import { type Route, route } from '../../support/track.ts';

const START = Date.UTC(2026, 4, 1, 8);

function detect(fixes: readonly Fix[], over: Partial<TripOptions> = {}): Trip[] {
  const trips: Trip[] = [];
  const detector = new TripDetector({ ...TRIP_DEFAULTS, ...over }, (trip) => trips.push(trip));
  detector.feed(toFixes(fixes));
  detector.finish();
  return trips;
}

/** [start, end] in s since the track began, and the km, as one would write them on paper */
function labels({ fixes }: Route, over?: Partial<TripOptions>): number[][] {
  const trips = detect(fixes, over);
  // late, in another order and twice it is the same
  const mixed = fixes.map((fix, n) => [(n * 7919) % fixes.length, fix] as const).sort(([a], [b]) => a - b);
  expect(detect([...mixed.map(([, fix]) => fix), ...fixes.slice(0, 20)], over)).toEqual(trips);
  return trips.map(({ start, end, distanceM }) => [
    (start.at - START) / 1000,
    (end.at - START) / 1000,
    Math.round(distanceM / 100) / 10,
  ]);
}

describe('with ignition', () => {
  test('a trip lasts from on to off', () => {
    // off 0 … 600, on at 601, 10 km in 600 s from there, off at 1202, stationary
    const track = route().ignition(false).stand(599).ignition(true).drive(10, 60).ignition(false).stand(1200);
    const [trip, ...others] = detect(track.fixes);
    expect(others).toEqual([]);
    const on = track.fixes.find((fix) => fix.ignition === true)!.at;
    expect(trip).toMatchObject({
      start: { at: on },
      end: { at: on + 601_000 },
      durationMs: 601_000,
      movingMs: 600_000,
      stopBeforeMs: on - START,
      maxSpeed: 60,
    });
    // what the track lays out on a sphere is 0.06 % less on the ellipsoid
    expect(trip!.distanceM).toBeCloseTo(9_994.4, 0);
    expect(trip!.avgSpeed).toBeCloseTo(59.97, 1);
    expect(trip!.end.latitude).toBeCloseTo(45 + 10 / 111.195, 5);
  });

  test('being stationary with the engine on counts as idling and does not end the trip, however long it lasts', () => {
    const track = route().ignition(true).stand(300).drive(5, 50).stand(900).drive(5, 50).ignition(false).stand(600);
    expect(detect(track.fixes)).toMatchObject([{ idleMs: 1_201_000, movingMs: 720_000 }]);
  });

  test('a stop shorter than the minimum is part of the trip and counts as neither driving nor idling', () => {
    const track = (offS: number): Route =>
      route().ignition(true).drive(5, 50).ignition(false).stand(offS).ignition(true).drive(5, 50).ignition(false);
    const [trip, ...others] = detect(track(240).fixes);
    expect(others).toEqual([]);
    expect(trip).toMatchObject({ movingMs: 720_000, idleMs: 2_000 });
    expect(trip!.durationMs).toBe(360_000 + 1_000 + 241_000 + 360_000 + 1_000);
    const two = detect(track(300).fixes);
    expect(two).toMatchObject([{ movingMs: 360_000 }, { movingMs: 360_000, stopBeforeMs: 301_000 }]);
    expect(detect(track(300).fixes, { minStopMs: 600_000 })).toHaveLength(1);
  });

  test('running the engine or moving the vehicle in its yard does not make a trip', () => {
    expect(labels(route().ignition(true).stand(1800, { noiseM: 8 }).ignition(false).stand(600))).toEqual([]);
    expect(labels(route().ignition(true).drive(0.1, 10, { everyS: 5 }).ignition(false).stand(600))).toEqual([]);
  });

  test('a tow does not make a trip', () => {
    // on 1 … 361, off; towed 20 km from 962 on; stands; drives home from there
    const track = route()
      .ignition(true)
      .drive(5, 50)
      .ignition(false)
      .stand(600)
      .drive(20, 60, { speed: 60 })
      .stand(600)
      .ignition(true)
      .drive(5, 50)
      .ignition(false);
    expect(labels(track)).toEqual([
      [1, 362, 5],
      [2762 + 1, 2763 + 361, 5],
    ]);
  });

  test('the distance that a vehicle is carried during a short stop does not count', () => {
    const carried = route().ignition(true).drive(5, 50).ignition(false).drive(3, 60, { speed: 60 });
    expect(labels(carried.ignition(true).drive(5, 50).ignition(false))).toEqual([
      [1, 1 + 360 + 1 + 180 + 1 + 360 + 1, 10],
    ]);
  });

  test('a device that sleeps while the ignition is off does not turn a stop into a gap', () => {
    const track = route().ignition(true).drive(5, 50).ignition(false).silent(1_200).ignition(true).drive(5, 50);
    expect(labels(track, { minStopMs: 3_600_000 })).toEqual([[1, 1 + 360 + 1 + 1_200 + 1 + 360, 10]]);
    expect(labels(track)).toHaveLength(2);
  });

  test('a change of the device ends the trip and resets the ignition to unknown', () => {
    const trips: Trip[] = [];
    const detector = new TripDetector(TRIP_DEFAULTS, (trip) => trips.push(trip));
    const first = route().ignition(true).drive(5, 50).ignition(false).stand(600);
    const second = route(first.now + 600_000)
      .drive(10, 60)
      .stand(600);
    detector.feed(toFixes(first.fixes));
    detector.changeDevice();
    detector.feed(toFixes(second.fixes));
    detector.finish();
    expect(trips.map(({ distanceM }) => Math.round(distanceM / 1000))).toEqual([5, 10]);
    // 1 s, 6 min and 1 s of driving, then 20 min in which it stood
    expect(trips[1]).toMatchObject({ start: { at: first.now + 600_000 }, stopBeforeMs: 1_200_000 });
  });

  test('a ferry does not make a trip, with or without satellite reception', () => {
    const aboard = route().ignition(true).drive(10, 60).ignition(false);
    const seen = aboard.drive(40, 30, { speed: 30 }).ignition(true).drive(10, 60).ignition(false);
    expect(labels(seen).map(([, , km]) => km)).toEqual([10, 10]);
    const hidden = route().ignition(true).drive(10, 60).ignition(false).silent(5_400, 40).ignition(true).drive(10, 60);
    expect(labels(hidden.ignition(false)).map(([, , km]) => km)).toEqual([10, 10]);
  });

  test('a ferry with the ignition on is a gap that ends the trip; the next trip begins after it', () => {
    const aboard = route().ignition(true).drive(10, 60).stand(300).silent(5_400, 30);
    expect(labels(aboard.drive(10, 60).ignition(false))).toEqual([
      [1, 901, 10],
      [6_301, 6_902, 10],
    ]);
  });

  test('position noise and jumps of a parked vehicle do not make a trip', () => {
    const night = route().ignition(true).drive(10, 60).ignition(false).stand(28_800, { noiseM: 60 }).stray(3).stray(40);
    expect(labels(night.stand(600, { noiseM: 60 }).ignition(true).drive(10, 60).ignition(false))).toEqual([
      [1, 602, 10],
      [expect.any(Number), expect.any(Number), 10],
    ]);
  });

  test('fixes without ignition data keep the last reported state of the ignition', () => {
    const track = route().ignition(true).drive(10, 60).ignition(false).stand(600);
    const sparse = track.fixes.map((fix, n) =>
      n % 3 === 1 ? fix : { ...fix, ignition: fix.speed === 0 ? fix.ignition : undefined },
    );
    expect(detect(sparse)).toEqual(detect(track.fixes));
  });
});

describe('without ignition', () => {
  test('a trip lasts from departure to the next stop', () => {
    // stands to 600, 10 km to 1200, stands
    expect(labels(route().stand(600).drive(10, 60).stand(1200))).toEqual([[600, 1200, 10]]);
  });

  test('a trip is found where no speed is reported', () => {
    const none = { speed: undefined };
    expect(labels(route().stand(600, none).drive(10, 60, none).stand(1200, none))).toEqual([[600, 1200, 10]]);
  });

  test('a trip is found with one fix per second', () => {
    const track = route(START, 1).stand(600, { noiseM: 3 }).drive(10, 60).stand(1200, { noiseM: 3 });
    const [[start, end, km] = [], ...others] = labels(track);
    expect(others).toEqual([]);
    // it has left when it is 100 m away: 6 s
    expect(start).toBeGreaterThanOrEqual(600);
    expect(start).toBeLessThanOrEqual(606);
    expect(end).toBeCloseTo(1200, -1);
    expect(km).toBeCloseTo(10, 0);
  });

  test('a stop shorter than the minimum is part of the trip', () => {
    expect(labels(route().drive(5, 50).stand(240).drive(5, 50).stand(600))).toEqual([[0, 960, 10]]);
    expect(labels(route().drive(5, 50).stand(330).drive(5, 50).stand(600))).toEqual([
      [0, 360, 5],
      [690, 1050, 5],
    ]);
  });

  test('position noise of a stationary vehicle makes no trip and adds no distance', () => {
    expect(labels(route().stand(86_400, { noiseM: 30, speed: undefined }))).toEqual([]);
    expect(labels(route().stand(86_400, { noiseM: 30, speed: 2 }))).toEqual([]);
    const track = route().stand(600, { noiseM: 20 }).drive(10, 60).stand(7_200, { noiseM: 20 });
    const [[start, end, km] = [], ...others] = labels(track);
    expect(others).toEqual([]);
    expect([start, end]).toEqual([600, 1200]);
    expect(km).toBeCloseTo(10, 1);
  });
});

describe('a wrong fix', () => {
  test('that is far away adds no distance', () => {
    const clean = labels(route().ignition(true).drive(10, 60).drive(10, 60).ignition(false));
    const track = route().ignition(true).drive(10, 60).stray(40).drive(10, 60).ignition(false);
    const [[, , km] = [], ...others] = labels(track);
    expect(others).toEqual([]);
    expect(km).toBeCloseTo(clean[0]![2]!, 1);
  });
  test('while the vehicle stands does not start a trip', () => {
    expect(labels(route().stand(600).stray(40).stand(600))).toEqual([]);
    expect(labels(route().stand(600).stray(1_000).stand(600))).toEqual([]);
  });
  test.each<[string, number, boolean | undefined, Partial<Fix>]>([
    ['30 s apart', 30, undefined, {}],
    ['30 s apart, with a speed', 30, undefined, { speed: 25 }],
    ['ten minutes apart', 600, undefined, {}],
    ['while the engine runs', 30, true, {}],
    ['without speeds', 60, undefined, { speed: undefined }],
  ])('a few hundred meters from where it is parked makes no trip: %s', (_, everyS, ignition, over) => {
    const parked = Array.from({ length: 20 }, (__, n) => ({
      at: START + n * everyS * 1000,
      latitude: n === 9 ? 45.006 : 45,
      longitude: 9,
      speed: 0,
      ignition,
      ...(n === 9 || over.speed === undefined ? over : {}),
    }));
    expect(detect(parked)).toEqual([]);
  });
  test('is distinguished from a short drive with a single report', () => {
    const places = [45, 45, 45.02, 45, 45];
    const seen = places.map((latitude, n) => ({
      at: START + n * 360_000,
      latitude,
      longitude: 9,
      speed: n === 2 ? 40 : 0,
    }));
    expect(detect(seen)).toMatchObject([{ distanceM: expect.closeTo(4_445, -2) }]);
  });
  test('at the end of a track does not hide the last drive', () => {
    const seen = [45, 45, 45.02].map((latitude, n) => ({ at: START + n * 360_000, latitude, longitude: 9, speed: 0 }));
    expect(detect(seen)).toHaveLength(1);
  });
  test('that later fixes confirm was right, but the jump adds no distance', () => {
    const track = route().ignition(true).drive(10, 60).silent(30, 500).drive(10, 60).ignition(false);
    expect(labels(track)).toEqual([[1, 1 + 600 + 30 + 600 + 1, 20]]);
  });
});

describe('a gap', () => {
  test('that the vehicle drove through, such as a tunnel, is part of the trip', () => {
    // 13 km in 20 min
    const track = route().ignition(true).drive(10, 60).silent(1_200, 13).drive(10, 60).ignition(false);
    expect(labels(track)).toEqual([[1, 1 + 600 + 1_200 + 600 + 1, 33]]);
    const blind = route().drive(10, 60).silent(1_200, 13).drive(10, 60).stand(600);
    expect(labels(blind)).toEqual([[0, 2_400, 33]]);
  });
  test('that is short is part of the trip', () => {
    expect(labels(route().ignition(true).drive(10, 60).silent(600, 0.2).drive(10, 60).ignition(false))).toHaveLength(1);
  });
  test('in which the vehicle hardly moved ends the trip; the next trip begins after it', () => {
    const track = route().ignition(true).drive(10, 60).silent(1_200, 0.1).drive(10, 60).ignition(false);
    expect(labels(track)).toEqual([
      [1, 601, 10],
      [1_801, 2_402, 10],
    ]);
  });
  test('that is too long for a tunnel ends the trip regardless of the distance', () => {
    const track = route().drive(10, 60).silent(7_200, 100).drive(10, 60).stand(600);
    expect(labels(track)).toEqual([
      [0, 600, 10],
      [7_800, 8_400, 10],
    ]);
  });
});

test('a trip at the end of the track ends with its last fix', () => {
  expect(labels(route().ignition(true).drive(10, 60))).toEqual([[1, 601, 10]]);
  expect(labels(route().drive(10, 60))).toEqual([[0, 600, 10]]);
});

test('crossing the antimeridian is not a jump', () => {
  const fixes = Array.from({ length: 21 }, (_, n) => ({
    at: START + n * 30_000,
    latitude: 0,
    longitude: n < 11 ? 179.95 + n * 0.005 : -180 + (n - 10) * 0.005,
    ignition: true,
  }));
  expect(detect(fixes)[0]!.distanceM).toBeCloseTo(20 * 0.005 * 111_319.5, -1);
});

test('a trip keeps a simplified path', () => {
  const track = route(START, 1).ignition(true).drive(10, 60).ignition(false);
  const [trip] = detect(track.fixes, { maxPolylinePoints: 100 });
  expect(trip!.polyline.length).toBeLessThanOrEqual(101);
  expect(trip!.polyline.length).toBeGreaterThan(50);
  expect(trip!.polyline[0]).toEqual([45, 9]);
  expect(detect(track.fixes)[0]!.polyline).toEqual([]);
});

describe('whatever the track', () => {
  test('late, shuffled and repeated fixes give the same trips', () => {
    fc.assert(
      fc.property(anyTrack(), fc.infiniteStream(fc.nat()), (fixes, order) => {
        const shuffled = [...fixes, ...fixes.slice(0, 10)]
          .map((fix) => [order.next().value as number, fix] as const)
          .sort(([a], [b]) => a - b)
          .map(([, fix]) => fix);
        expect(detect(shuffled)).toEqual(detect(fixes));
      }),
    );
  });

  test('fixes between the first and the last one of a stop with the ignition off do not change the result', () => {
    fc.assert(
      fc.property(anyTrack(), fc.infiniteStream(fc.boolean()), (fixes, keep) => {
        const isOff = (i: number): boolean => fixes[i]?.ignition === false;
        const ends = fixes.filter((_, i) => !(isOff(i - 1) && isOff(i) && isOff(i + 1)) || keep.next().value);
        expect(detect(ends)).toEqual(detect(fixes));
      }),
    );
  });

  test('trips do not overlap, and their times add up to their duration', () => {
    fc.assert(
      fc.property(anyTrack(), (fixes) => {
        let end = fixes[0]!.at;
        for (const trip of detect(fixes)) {
          expect(trip.start.at).toBeGreaterThanOrEqual(end);
          expect(trip.start.at - trip.stopBeforeMs).toBe(end);
          expect(trip.durationMs).toBe(trip.end.at - trip.start.at);
          expect(trip.movingMs + trip.idleMs).toBeLessThanOrEqual(trip.durationMs);
          expect(trip.distanceM).toBeGreaterThanOrEqual(150);
          expect(trip.maxSpeed).toBeLessThanOrEqual(300);
          end = trip.end.at;
        }
      }),
    );
  });

  test('a step leaves the state that it starts from as it was', () => {
    const freeze = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      Object.freeze(value);
      Object.values(value).forEach(freeze);
    };
    const options = { ...TRIP_DEFAULTS, maxPolylinePoints: 10 };
    fc.assert(
      fc.property(anyTrack(), fc.integer({ min: 1, max: 40 }), (track, size) => {
        const trips: Trip[] = [];
        const rules = { options, ruler: new Ruler() };
        let state = NO_FIXES;
        for (let i = 0; i < track.length; i += size) {
          freeze(state);
          const fixes = toFixes(track.slice(i, i + size));
          const result = step(state, fixes, rules);
          trips.push(...result.ended);
          ({ state } = result);
        }
        expect(detect(track, options).slice(0, trips.length)).toEqual(trips);
      }),
    );
  });

  test('a detector that is restored from its state finds the same trips', () => {
    fc.assert(
      fc.property(anyTrack(), fc.integer({ min: 1, max: 40 }), (track, size) => {
        const trips: Trip[] = [];
        const take = (trip: Trip) => void trips.push(trip);
        let detector = new TripDetector(TRIP_DEFAULTS, take);
        for (let i = 0; i < track.length; i += size) {
          detector.feed(toFixes(track.slice(i, i + size)));
          const { state } = detector;
          detector = TripDetector.resume(state, TRIP_DEFAULTS, take);
          expect(detector.state).toBe(state);
        }
        detector.finish();
        const expected = detect(track);
        const numbers = ({ distanceM, avgSpeed, maxSpeed }: Trip) => [distanceM, avgSpeed, maxSpeed];
        const others = ({ distanceM: _, avgSpeed: __, maxSpeed: ___, ...rest }: Trip) => rest;
        expect(trips.map(others)).toEqual(expected.map(others));
        // a new ruler rounds differently
        for (const [n, trip] of trips.entries()) {
          for (const [i, value] of numbers(trip).entries()) {
            expect(Math.abs(value - numbers(expected[n]!)[i]!)).toBeLessThanOrEqual(1e-5 * value);
          }
        }
      }),
    );
  });

  test('fixes that are fed one by one give the same trips', () => {
    fc.assert(
      fc.property(anyTrack(), (fixes) => {
        const trips: Trip[] = [];
        const detector = new TripDetector(TRIP_DEFAULTS, (trip) => trips.push(trip));
        for (const fix of fixes) detector.feed(toFixes([fix]));
        detector.finish();
        expect(trips).toEqual(detect(fixes));
      }),
    );
  });
});
