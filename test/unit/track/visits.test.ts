import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readPolygon } from '../../../src/geometry/polygon.ts';
import { AxisOrderCheck } from '../../../src/server/movement/track/axis-order.ts';
import { type Fix, toFixes } from '../../../src/server/movement/track/fixes.ts';
import { VisitFinder, type VisitOptions } from '../../../src/server/movement/track/visits.ts';

/** 12 to 13 east, 41 to 42 north */
const SQUARE = [
  [12, 41],
  [13, 41],
  [13, 42],
  [12, 42],
  [12, 41],
];
const MINUTE = 60_000;

const defaults: VisitOptions = { from: 0, maxGapMs: 10 * MINUTE, minDwellMs: 0, maxListed: 1_000 };
const find = (
  track: readonly Fix[],
  ring: readonly (readonly number[])[] = SQUARE,
  over: Partial<VisitOptions> = {},
) => {
  const finder = new VisitFinder(readPolygon(ring), { ...defaults, ...over });
  finder.feed(toFixes(track));
  return finder.finish();
};
/** fixes a minute apart on the parallel 41.5 north */
const along = (...longitudes: number[]): Fix[] =>
  longitudes.map((longitude, n) => ({ at: n * MINUTE, latitude: 41.5, longitude }));

describe('a visit', () => {
  test('is entered and left between the fixes around its crossings', () => {
    const { visits, ...rest } = find(along(11.5, 12.5, 12.6, 13.1));
    expect(visits).toEqual([
      {
        entry: { at: 30_000, latitude: 41.5, longitude: 12, interpolated: true, beforeInterval: false },
        exit: { at: 168_000, latitude: 41.5, longitude: expect.closeTo(13, 9), interpolated: true },
        dwellMs: 138_000,
        points: 2,
        crossedOnly: false,
        maxGapMs: MINUTE,
        uncertain: false,
      },
    ]);
    expect(rest).toEqual({
      visitCount: 1,
      totalDwellMs: 138_000,
      firstEntry: 30_000,
      lastExit: 168_000,
      stillInside: false,
      evaluatedPoints: 4,
      gaps: [],
      gapCount: 0,
    });
  });

  test('between two fixes outside is one that only crossed', () => {
    const { visits } = find(along(11.5, 13.5));
    expect(visits).toMatchObject([
      { entry: { at: 15_000, longitude: 12 }, exit: { at: 45_000, longitude: 13 }, crossedOnly: true, points: 0 },
    ]);
  });

  test('to both arms of a U, between two fixes, is two', () => {
    const u = [
      [0, 0],
      [5, 0],
      [5, 5],
      [4, 5],
      [4, 1],
      [1, 1],
      [1, 5],
      [0, 5],
      [0, 0],
    ];
    const crossing = [
      { at: 0, latitude: 3, longitude: 0.5 },
      { at: 8_000, latitude: 3, longitude: 4.5 },
    ];
    const { visits } = find(crossing, u);
    expect(visits).toMatchObject([
      { entry: { at: 0, interpolated: false }, exit: { at: 1_000, longitude: 1 }, points: 1 },
      { entry: { at: 7_000, longitude: 4 }, exit: null, points: 1, dwellMs: 1_000 },
    ]);
  });

  test('that has not ended has no exit', () => {
    const { visits, stillInside, lastExit } = find(along(11.5, 12.5, 12.5));
    expect(visits).toMatchObject([{ exit: null, dwellMs: 90_000 }]);
    expect({ stillInside, lastExit }).toEqual({ stillInside: true, lastExit: null });
  });

  test('on the boundary is one', () => {
    const edge = along(12, 12).map((fix) => ({ ...fix, latitude: 41.3 }));
    expect(find(edge).visits).toMatchObject([{ entry: { at: 0, interpolated: false }, exit: null, points: 2 }]);
    const corner = [{ at: 0, latitude: 42, longitude: 13 }];
    expect(find(corner).visits).toMatchObject([{ dwellMs: 0, points: 1, crossedOnly: false }]);
    // along the edge, from outside and out again
    const beside = along(11, 12.5, 14).map((fix) => ({ ...fix, latitude: 41 }));
    expect(find(beside).visits).toMatchObject([{ entry: { at: 40_000 }, exit: { at: 80_000 }, points: 1 }]);
  });

  test('does not exist where the path only touches a corner', () => {
    const tangent = [
      { at: 0, latitude: 41.5, longitude: 11.5 },
      { at: 1, latitude: 42.5, longitude: 12.5 },
    ];
    expect(find(tangent).visitCount).toBe(0);
  });

  test('shorter than asked for is left out, and counts nowhere', () => {
    const track = along(11.5, 12.5, 13.5, 12.5, 12.5, 12.5, 13.5);
    expect(find(track).visits).toHaveLength(2);
    expect(find(track, SQUARE, { minDwellMs: 100_000 })).toMatchObject({
      visitCount: 1,
      totalDwellMs: 180_000,
      firstEntry: 150_000,
    });
  });

  test('is counted when there are more than can be listed', () => {
    const answer = find(along(11.5, 12.5, 11.5, 12.5, 11.5), SQUARE, { maxListed: 1 });
    expect(answer).toMatchObject({ visitCount: 2, totalDwellMs: 120_000 });
    expect(answer.visits).toHaveLength(1);
  });
});

describe('a gap', () => {
  const track: Fix[] = [
    ...along(12.1, 12.2),
    { at: 20 * MINUTE, latitude: 41.5, longitude: 12.3 },
    { at: 21 * MINUTE, latitude: 41.5, longitude: 14 },
  ];
  test('ends a visit where it was last seen; what comes after is another', () => {
    const { visits, gaps } = find(track);
    expect(visits).toMatchObject([
      { exit: { at: MINUTE, longitude: 12.2, interpolated: false }, uncertain: true, points: 2 },
      { entry: { at: 20 * MINUTE, interpolated: false }, uncertain: true, points: 1 },
    ]);
    expect(gaps).toEqual([{ from: MINUTE, to: 20 * MINUTE }]);
  });
  test('is never crossed', () => {
    const leap = [
      { at: 0, latitude: 41.5, longitude: 11 },
      { at: 11 * MINUTE, latitude: 41.5, longitude: 14 },
    ];
    expect(find(leap)).toMatchObject({ visitCount: 0, gapCount: 1 });
    expect(find(leap, SQUARE, { maxGapMs: 11 * MINUTE })).toMatchObject({ visitCount: 1, gapCount: 0 });
  });
  test('does not exist for a longer allowed gap', () => {
    expect(find(track, SQUARE, { maxGapMs: 19 * MINUTE }).visits).toMatchObject([
      { uncertain: false, maxGapMs: 19 * MINUTE, points: 3 },
    ]);
  });
});

describe('the fix before the interval', () => {
  test('reports that the vehicle was inside already; the visit counts from there on', () => {
    const { visits, evaluatedPoints } = find(along(12.2, 12.4, 12.6), SQUARE, { from: 30_000 });
    expect(visits).toMatchObject([
      { entry: { at: 30_000, longitude: expect.closeTo(12.3, 9), beforeInterval: true }, dwellMs: 90_000, points: 2 },
    ]);
    expect(evaluatedPoints).toBe(2);
  });
  test('reports an entry after its beginning', () => {
    expect(find(along(11.5, 12.5), SQUARE, { from: 10_000 }).visits).toMatchObject([
      { entry: { at: 30_000, beforeInterval: false } },
    ]);
    expect(find(along(11.5, 12.5), SQUARE, { from: 40_000 }).visits).toMatchObject([
      { entry: { at: 40_000, beforeInterval: true, interpolated: true } },
    ]);
  });
  test('does not bring visits that ended before', () => {
    expect(find(along(11.5, 13.5), SQUARE, { from: 50_000 }).visitCount).toBe(0);
    expect(find(along(12.5), SQUARE, { from: 50_000 })).toMatchObject({ visitCount: 0, stillInside: false });
  });
  test('is not believed over a gap, nor is the time before the interval one', () => {
    const track = [
      { at: 0, latitude: 41.5, longitude: 12.5 },
      { at: 60 * MINUTE, latitude: 41.5, longitude: 12.6 },
    ];
    expect(find(track, SQUARE, { from: 59 * MINUTE })).toMatchObject({
      visits: [{ entry: { at: 60 * MINUTE, beforeInterval: false } }],
      gaps: [],
    });
  });
});

describe('across the antimeridian', () => {
  const ring = [
    [179, -17],
    [-179, -17],
    [-179, -16],
    [179, -16],
    [179, -17],
  ];
  test.each([1, -1])('a path eastward or westward is one visit', (direction) => {
    const track = [178.5, 179.5, -179.5, -178.5].map((longitude, n) => ({
      at: (direction > 0 ? n : 3 - n) * MINUTE,
      latitude: -16.5,
      longitude,
    }));
    const [east, west] = [expect.closeTo(-179, 9), expect.closeTo(179, 9)];
    expect(find(track, ring).visits).toMatchObject([
      {
        entry: { at: 30_000, longitude: direction > 0 ? west : east },
        exit: { at: 150_000, longitude: direction > 0 ? east : west },
        points: 2,
      },
    ]);
  });
  test('a place on the opposite side of the globe is not inside', () => {
    expect(find([{ at: 0, latitude: -16.5, longitude: 0 }], ring).visitCount).toBe(0);
  });
  test('a ring whose longitudes exceed 180 gives the same result', () => {
    const on = ring.map(([x, y]) => [x! < 0 ? x! + 360 : x!, y!]);
    expect(find([{ at: 0, latitude: -16.5, longitude: -179.5 }], on).visitCount).toBe(1);
  });
});

test('shuffled and repeated fixes give the same', () => {
  const way = fc.array(
    fc.record({
      at: fc.integer({ min: 0, max: 3_600_000 }),
      latitude: fc.integer({ min: 0, max: 40 }).map((n) => 40.5 + n / 20),
      longitude: fc.integer({ min: 0, max: 40 }).map((n) => 11.5 + n / 20),
    }),
    { minLength: 1, maxLength: 30 },
  );
  fc.assert(
    fc.property(way, fc.infiniteStream(fc.nat()), (track, order) => {
      const shuffled = [...track, ...track.slice(0, 5)]
        .map((fix) => [order.next().value as number, fix] as const)
        .sort(([a], [b]) => a - b)
        .map(([, fix]) => fix);
      expect(find(shuffled)).toEqual(find(track));
    }),
  );
});

test('fixes in pieces give the same as in one', () => {
  const track = along(11.5, 12.5, 12.7, 13.5, 12.9, 12.8, 11);
  const finder = new VisitFinder(readPolygon(SQUARE), defaults);
  for (const fix of track) finder.feed(toFixes([fix]));
  expect(finder.finish()).toEqual(find(track));
});

describe('the order of axes', () => {
  const suspect = (ring: number[][], track: readonly Fix[]) => {
    const swapped = ring.map(([x, y]) => [y!, x!]);
    const check = new AxisOrderCheck(readPolygon(ring), readPolygon(swapped), 10 * MINUTE);
    check.feed(toFixes(track));
    return check.isSuspect;
  };
  const swappedSquare = SQUARE.map(([x, y]) => [y!, x!]);
  test('is suspect where the track is far and touches the swapped polygon', () => {
    expect(suspect(swappedSquare, along(12.5, 12.6))).toBe(true);
    expect(suspect(swappedSquare, along(11.5, 13.5))).toBe(true);
  });
  test('is not where the track is near, or touches neither', () => {
    expect(suspect(SQUARE, along(12.5))).toBe(false);
    expect(suspect(swappedSquare, along(30, 31))).toBe(false);
    const both = [...along(12.5), { at: MINUTE, latitude: 12.5, longitude: 42.5 }];
    expect(suspect(swappedSquare, both)).toBe(false);
  });
});
