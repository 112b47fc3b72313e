import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPolygon } from '../../../src/geometry/polygon.ts';
import { toFixes } from '../../../src/server/movement/track/fixes.ts';
import { VisitFinder } from '../../../src/server/movement/track/visits.ts';
import { problemOf } from '../../support/any-ring.ts';

/**
 * Compares visits with a computation in exact fractions. Corners and fixes lie on a grid, as those of geofences that are
 * drawn by round numbers do, so that tracks run along edges, through corners, and have fixes on the boundary.
 */

type Point = readonly [x: bigint, y: bigint];
/** n/d with d > 0 */
type Fraction = readonly [n: bigint, d: bigint];

const fraction = (n: bigint, d: bigint): Fraction => (d < 0n ? [-n, -d] : [n, d]);
const compare = (a: Fraction, b: Fraction): number => {
  const difference = a[0] * b[1] - b[0] * a[1];
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
};
const middle = (a: Fraction, b: Fraction): Fraction => [a[0] * b[1] + b[0] * a[1], 2n * a[1] * b[1]];
const ZERO: Fraction = [0n, 1n];
const ONE: Fraction = [1n, 1n];
const isFromZeroToOne = (t: Fraction): boolean => compare(t, ZERO) >= 0 && compare(t, ONE) <= 0;
const edgesOf = (ring: readonly Point[]): [Point, Point][] => ring.slice(1).map((point, n) => [ring[n]!, point]);

/** Is from + t·(to − from) in the closed polygon? All numbers times t's denominator are whole. */
function isIn(ring: readonly Point[], from: Point, to: Point, [n, d]: Fraction): boolean {
  const px = from[0] * d + n * (to[0] - from[0]);
  const py = from[1] * d + n * (to[1] - from[1]);
  let isInside = false;
  for (const [a, b] of edgesOf(ring)) {
    const [ax, ay, bx, by] = [a[0] * d, a[1] * d, b[0] * d, b[1] * d];
    const cross = (bx - ax) * (py - ay) - (by - ay) * (px - ax);
    const dot = (px - ax) * (px - bx) + (py - ay) * (py - by);
    if (cross === 0n && dot <= 0n) return true;
    if (ay > py !== by > py && (by > ay ? cross > 0n : cross < 0n)) isInside = !isInside;
  }
  return isInside;
}

/** Where the segment may enter or leave: crossings of edges, and corners on it. */
function candidates(ring: readonly Point[], from: Point, to: Point): Fraction[] {
  const [rx, ry] = [to[0] - from[0], to[1] - from[1]];
  const found: Fraction[] = [ZERO, ONE];
  if (rx === 0n && ry === 0n) return found;
  for (const [a, b] of edgesOf(ring)) {
    const [sx, sy, qx, qy] = [b[0] - a[0], b[1] - a[1], a[0] - from[0], a[1] - from[1]];
    const cross = rx * sy - ry * sx;
    if (cross !== 0n) {
      const u = fraction(qx * ry - qy * rx, cross);
      if (isFromZeroToOne(u)) found.push(fraction(qx * sy - qy * sx, cross));
    } else if (qx * ry === qy * rx) {
      const length = rx * rx + ry * ry;
      found.push([qx * rx + qy * ry, length], [(qx + sx) * rx + (qy + sy) * ry, length]);
    }
  }
  return found.filter(isFromZeroToOne).sort(compare);
}

/** [start, end] of each visit, ms; a touch between two fixes takes no time and counts as no visit. */
function exactVisits(ring: readonly Point[], track: readonly Point[], stepMs: number): [number, number][] {
  const visits: [number, number][] = [];
  const add = (start: number, end: number): void => {
    const last = visits.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else visits.push([start, end]);
  };
  const at = (n: number, [num, den]: Fraction): number => stepMs * n + (stepMs * Number(num)) / Number(den);
  if (isIn(ring, track[0]!, track[0]!, ZERO)) add(0, 0);
  for (let n = 1; n < track.length; n++) {
    const [from, to] = [track[n - 1]!, track[n]!];
    const stops = candidates(ring, from, to);
    for (let i = 1; i < stops.length; i++) {
      const [start, end] = [stops[i - 1]!, stops[i]!];
      if (compare(start, end) !== 0 && isIn(ring, from, to, middle(start, end))) add(at(n - 1, start), at(n - 1, end));
    }
    if (isIn(ring, from, to, ONE)) add(stepMs * n, stepMs * n);
  }
  return visits;
}

const SIZE = 6;
const cell = fc.integer({ min: 0, max: SIZE });
const cellPoint = fc.tuple(cell, cell);
/** Any ring of corners on the grid that is taken: mostly neither convex nor free of edges along the axes. */
const ring = fc
  .array(cellPoint, { minLength: 3, maxLength: 7 })
  .map((corners) => [...corners, corners[0]!])
  .filter((corners) => problemOf(corners) === undefined);
const track = fc.array(fc.tuple(fc.integer({ min: -2, max: SIZE + 2 }), fc.integer({ min: -2, max: SIZE + 2 })), {
  minLength: 2,
  maxLength: 12,
});
/** Decimal grids, whose points no binary fraction holds, near places where fleets drive. */
const grid = fc.constantFrom(
  { step: 1 / 64, longitude: 9, latitude: 45 },
  { step: 0.001, longitude: 12.3, latitude: 45.1 },
  { step: 0.01, longitude: -71.07, latitude: 42.3 },
  { step: 0.1, longitude: 179.7, latitude: -17.2 },
);
const STEP_MS = 60_000;

test('visits of grid-aligned polygons are those of exact computation', () => {
  fc.assert(
    fc.property(ring, track, grid, (corners, points, { step, longitude, latitude }) => {
      const place = ([x, y]: readonly [number, number]): [number, number] => [
        longitude + x * step,
        latitude + y * step,
      ];
      const exact = ([x, y]: readonly [number, number]): Point => [BigInt(x), BigInt(y)];
      const finder = new VisitFinder(readPolygon(corners.map(place)), {
        from: 0,
        maxGapMs: 10 * STEP_MS,
        minDwellMs: 0,
        maxListed: 1_000,
      });
      finder.feed(
        toFixes(
          points.map((point, n) => {
            const [east, north] = place(point);
            return { at: n * STEP_MS, latitude: north, longitude: east > 180 ? east - 360 : east };
          }),
        ),
      );
      const last = (points.length - 1) * STEP_MS;
      const found = finder.finish().visits.map(({ entry, exit }) => [entry.at, exit?.at ?? last]);
      const wanted = exactVisits(corners.map(exact), points.map(exact), STEP_MS);
      expect(found).toHaveLength(wanted.length);
      for (const [n, [start, end]] of wanted.entries()) {
        expect(Math.abs(found[n]![0]! - start)).toBeLessThanOrEqual(1);
        expect(Math.abs(found[n]![1]! - end)).toBeLessThanOrEqual(1);
      }
    }),
    { numRuns: 3_000 },
  );
});
