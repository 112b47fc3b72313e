import { expect, test } from 'vitest';
import { toFixes } from '../../../src/server/movement/track/fixes.ts';
import { TRIP_DEFAULTS, TRIP_VERSION, type Trip, TripDetector } from '../../../src/server/movement/track/trips.ts';
import { route } from '../../support/track.ts';

const START = Date.UTC(2026, 4, 1, 8);

/** Everything that the detection distinguishes. */
function day(ignition: boolean) {
  const track = route(START, 60);
  const turn = (on: boolean): void => void (ignition && track.ignition(on));
  turn(true);
  track.drive(20, 60).stand(120).drive(5, 40).silent(240, 5).drive(3, 50).stray(90).drive(3, 50);
  turn(false);
  track.stand(3_600, { noiseM: 20 }).drive(2, 20).stand(600);
  turn(true);
  track.stand(900).drive(12, 70).silent(7_200, 30).drive(8, 80).silent(1_800, 0.05).drive(0.1, 5).drive(9, 45);
  turn(false);
  track.stand(600);
  turn(true);
  return track.drive(4, 30).fixes;
}

const seconds = (at: number): number => Math.round((at - START) / 1_000);

/** Trips: start, end (s), distance (m), time moving, time idling (s). */
function found(ignition: boolean): { readonly trips: readonly number[][]; readonly state: string } {
  const trips: Trip[] = [];
  const detector = new TripDetector(TRIP_DEFAULTS, (trip) => trips.push(trip));
  detector.feed(toFixes(day(ignition)));
  // a state within a trip
  const { state } = detector;
  detector.finish();
  return {
    trips: trips.map(({ start, end, distanceM, movingMs, idleMs }) => [
      seconds(start.at),
      seconds(end.at),
      Math.round(distanceM / 10) * 10,
      Math.round(movingMs / 1_000),
      Math.round(idleMs / 1_000),
    ]),
    // the names and the nesting of its members
    state: state.replaceAll(/-?\d+(?:\.\d+)?(?:e-?\d+)?/g, '0'),
  };
}

// raise the version here and there with every change of what follows
const EXPECTED = {
  version: 1,
  reported: {
    trips: [
      [1, 2582, 35980, 2460, 121],
      [7143, 8643, 11990, 600, 900],
      [15843, 16203, 8000, 360, 0],
      [18003, 18784, 9100, 780, 1],
      [19385, 19865, 4000, 480, 0],
    ],
    state:
      '{"trip":{"start":{"at":0,"latitude":0,"longitude":0},"distanceM":0,"movingMs":0,"idleMs":0,"maxSpeed":0,"reachM":0,"last":{"at":0,"latitude":0,"longitude":0},"counted":[0,0]},"previousEnd":0,"isSettling":false,"rest":[0,0],"last":[0,0,0],"ignition":0,"ignitionAt":0,"wasMoving":true,"wasCarried":false,"off":[false,"NaN",0,0,0]}',
  },
  unknown: {
    trips: [
      [0, 2580, 35980, 2460, 120],
      [6180, 6540, 1980, 360, 0],
      [8040, 8640, 11990, 600, 0],
      [15840, 16200, 8000, 360, 0],
      [18060, 18780, 9000, 720, 0],
      [19380, 19860, 4000, 480, 0],
    ],
    state:
      '{"trip":{"start":{"at":0,"latitude":0,"longitude":0},"rest":{"at":0,"latitude":0,"longitude":0,"isOff":false,"distanceM":0,"movingMs":0,"idleMs":0,"maxSpeed":0},"distanceM":0,"movingMs":0,"idleMs":0,"maxSpeed":0,"reachM":0,"last":{"at":0,"latitude":0,"longitude":0},"counted":[0,0]},"previousEnd":0,"isSettling":true,"rest":[0,0],"last":[0,0,0],"ignition":0,"ignitionAt":"-Infinity","wasMoving":true,"wasCarried":false,"off":[false,"NaN",0,0,"NaN"]}',
  },
};

test('another result of the trip detection has another version, so that what was kept is calculated again', () => {
  expect({ version: TRIP_VERSION, reported: found(true), unknown: found(false) }).toEqual(EXPECTED);
});
