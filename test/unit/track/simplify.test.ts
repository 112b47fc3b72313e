import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Coordinate } from '../../../src/geometry/path.ts';
import { Simplifier } from '../../../src/geometry/simplify.ts';

const METRES = 111_195.08;

/** How far a place lies from the segment between two others, m, on the plane of the first. */
function awayM(place: Coordinate, from: Coordinate, to: Coordinate): number {
  const scale = Math.cos((from[0] * Math.PI) / 180);
  const [bx, by] = [(to[1] - from[1]) * scale, to[0] - from[0]];
  const [px, py] = [(place[1] - from[1]) * scale, place[0] - from[0]];
  const along = bx === 0 && by === 0 ? 0 : Math.max(0, Math.min(1, (px * bx + py * by) / (bx * bx + by * by)));
  return Math.hypot(px - along * bx, py - along * by) * METRES;
}

function simplify(places: readonly Coordinate[], withinM: number): Coordinate[] {
  const simplifier = new Simplifier(withinM);
  return [...places.flatMap((place) => [...simplifier.add(place)]), ...simplifier.end()];
}

/** The same by holding each place of a run against each line: what it must come to. */
function slowly(places: readonly Coordinate[], withinM: number): Coordinate[] {
  const kept = places.slice(0, 1);
  let run: Coordinate[] = [];
  for (const place of places.slice(1)) {
    if (run.length < 256 && run.every((left) => awayM(left, kept.at(-1)!, place) <= withinM)) run.push(place);
    else {
      kept.push(run.at(-1)!);
      run = [place];
    }
  }
  return [...kept, ...run.slice(-1)];
}

/** Paths of a vehicle: it drives, changes direction, is stationary with noise, drives back. */
const way = fc
  .array(fc.record({ turn: fc.double({ min: -3.2, max: 3.2, noNaN: true }), stepM: fc.integer({ min: 0, max: 60 }) }), {
    minLength: 1,
    maxLength: 400,
  })
  .chain((steps) => fc.record({ steps: fc.constant(steps), calm: fc.constantFrom(1, 0.1, 0.01) }))
  .map(({ steps, calm }) => {
    let [latitude, longitude, direction] = [45, 9, 0];
    return steps.map(({ turn, stepM }): Coordinate => {
      direction += turn * calm;
      latitude += (Math.sin(direction) * stepM) / METRES;
      longitude += (Math.cos(direction) * stepM) / METRES;
      return [latitude, longitude];
    });
  });

describe('a simplified path', () => {
  test('is the same as an exhaustive comparison of all points and lines', () => {
    fc.assert(
      fc.property(way, fc.constantFrom(5, 20, 100), (places, withinM) => {
        expect(simplify(places, withinM)).toEqual(slowly(places, withinM));
      }),
      { numRuns: 300 },
    );
  });

  test('leaves out a straight road, and keeps its corner', () => {
    const east = Array.from({ length: 100 }, (_, n): Coordinate => [45, 9 + n / 10_000]);
    const north = Array.from({ length: 100 }, (_, n): Coordinate => [45 + (n + 1) / 10_000, 9.0099]);
    expect(simplify([...east, ...north], 10)).toEqual([
      [45, 9],
      [45, 9.0099],
      [45.01, 9.0099],
    ]);
  });

  test('keeps a path that returns the same way', () => {
    const back: Coordinate[] = [
      [45, 9],
      [45, 9.01],
      [45, 9.002],
    ];
    expect(simplify(back, 10)).toEqual(back);
  });
});
