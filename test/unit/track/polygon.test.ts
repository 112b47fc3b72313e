import area from '@turf/area';
import booleanPointInPolygon from '@turf/boolean-point-in-polygon';
import { distance } from '@turf/distance';
import { kinks } from '@turf/kinks';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clip, contains } from '../../../src/geometry/clip.ts';
import { distanceM } from '../../../src/geometry/globe.ts';
import { readPolygon } from '../../../src/geometry/polygon.ts';
import { type Pair, point, problemOf, simple } from '../../support/any-ring.ts';

describe('a ring', () => {
  const square: Pair[] = [
    [12, 41],
    [13, 41],
    [13, 42],
    [12, 42],
    [12, 41],
  ];
  test.each<[string, number[][], string | undefined]>([
    ['closed', square, undefined],
    [
      'of three corners',
      [
        [0, 0],
        [1, 0],
        [0, 1],
        [0, 0],
      ],
      undefined,
    ],
    [
      'that names a corner twice',
      [
        [0, 0],
        [1, 0],
        [1, 0],
        [0, 1],
        [0, 0],
      ],
      undefined,
    ],
    [
      'that spans the globe',
      [
        [-180, -90],
        [180, -90],
        [180, 90],
        [-180, 90],
        [-180, -90],
      ],
      undefined,
    ],
    ['of three pairs', square.slice(0, 3), 'polygon-size'],
    ['of 1,001 pairs', Array.from({ length: 1001 }, (_, i) => [i, 0]), 'polygon-size'],
    ['open', square.slice(0, 4), 'polygon-not-closed'],
    [
      'like a bow tie',
      [
        [0, 0],
        [1, 1],
        [1, 0],
        [0, 1],
        [0, 0],
      ],
      'polygon-self-intersects',
    ],
    [
      'that touches itself',
      [
        [0, 0],
        [2, 0],
        [1, 1],
        [2, 2],
        [0, 2],
        [1, 1],
        [0, 0],
      ],
      'polygon-self-intersects',
    ],
    [
      'with a spike',
      [
        [0, 0],
        [2, 0],
        [3, 0],
        [2, 0],
        [2, 2],
        [0, 0],
      ],
      'polygon-self-intersects',
    ],
    [
      'that is a line',
      [
        [0, 0],
        [1, 1],
        [2, 2],
        [0, 0],
      ],
      'polygon-self-intersects',
    ],
    [
      'that is a point',
      [
        [1, 1],
        [1, 1],
        [1, 1],
        [1, 1],
      ],
      'polygon-self-intersects',
    ],
    [
      'off the globe',
      [
        [0, 91],
        [1, 0],
        [2, 0],
        [0, 91],
      ],
      'polygon-off-globe',
    ],
    [
      'of other than numbers',
      [
        [0, Number.NaN],
        [1, 0],
        [2, 0],
        [0, Number.NaN],
      ],
      'polygon-off-globe',
    ],
    ['of single numbers', [[0], [1], [2], [0]], 'polygon-off-globe'],
    [
      'around a pole',
      [
        [0, 80],
        [120, 80],
        [-120, 80],
        [0, 80],
      ],
      'polygon-around-pole',
    ],
  ])('%s', (_, ring, problem) => {
    expect(problemOf(ring)).toBe(problem);
  });

  test('may give latitude first', () => {
    const swapped = square.map(([x, y]) => [y, x]);
    const polygon = readPolygon(swapped, 'latlon');
    expect(contains(polygon, 12.5, 41.5)).toBe(true);
    expect(polygon).toMatchObject({ west: 12, east: 13, south: 41, north: 42, pairs: 5 });
  });
});

const turfPolygon = (ring: number[][]) => ({ type: 'Polygon' as const, coordinates: [ring] });

describe('compared with turf', () => {
  test('a point is inside or not', () => {
    fc.assert(
      fc.property(simple, point, fc.nat(), ([...ring], [x, y], n) => {
        const polygon = readPolygon(ring);
        expect(contains(polygon, x, y)).toBe(booleanPointInPolygon([x, y], turfPolygon(ring)));
        // corners and middles of edges are inside
        const [[ax, ay], [bx, by]] = [ring[n % (ring.length - 1)]!, ring[(n % (ring.length - 1)) + 1]!];
        expect(contains(polygon, ax, ay)).toBe(true);
        expect(contains(polygon, (ax + bx) / 2, (ay + by) / 2)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test('a ring crosses itself or not', () => {
    // turf takes a corner that is named twice for a crossing
    const corners = fc.uniqueArray(point, { minLength: 3, maxLength: 8, selector: String });
    const any = corners.map((list) => [...list, list[0]!]);
    fc.assert(
      fc.property(any, (ring) => {
        const crossings = kinks(turfPolygon(ring)).features.length;
        if (crossings > 0) expect(problemOf(ring)).toBe('polygon-self-intersects');
        if (problemOf(ring) === undefined) expect(crossings).toBe(0);
      }),
      { numRuns: 2_000 },
    );
  });

  test('an area is the same', () => {
    fc.assert(
      fc.property(simple, (ring) => {
        expect(readPolygon(ring).areaM2 / area(turfPolygon(ring))).toBeCloseTo(1, 6);
      }),
    );
  });

  test('a distance is the same', () => {
    fc.assert(
      fc.property(point, point, ([ax, ay], [bx, by]) => {
        expect(distanceM(ay, ax, by, bx)).toBeCloseTo(distance([ax, ay], [bx, by]) * 1000, 3);
      }),
    );
  });

  test('a path is inside exactly where its points are', () => {
    fc.assert(
      fc.property(simple, point, point, (ring, [ax, ay], [bx, by]) => {
        const polygon = readPolygon(ring);
        const spans = clip(polygon, ax, ay, bx, by, contains(polygon, ax, ay));
        for (let n = 0; n <= 50; n++) {
          const t = n / 50;
          const [x, y] = [ax + t * (bx - ax), ay + t * (by - ay)];
          const isNearEnd = spans.some(({ start, end }) => Math.abs(t - start) < 1e-9 || Math.abs(t - end) < 1e-9);
          const inSpan = spans.some(({ start, end }) => t >= start && t <= end);
          // where it only touches it is not inside for long
          if (isNearEnd || (!inSpan && touches(ring, x, y))) continue;
          expect(inSpan, `at ${t}`).toBe(booleanPointInPolygon([x, y], turfPolygon(ring)));
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

const touches = (ring: number[][], x: number, y: number): boolean =>
  booleanPointInPolygon([x, y], turfPolygon(ring)) &&
  !booleanPointInPolygon([x, y], turfPolygon(ring), { ignoreBoundary: true });
