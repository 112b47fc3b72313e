import fc from 'fast-check';
import { PolygonError, readPolygon } from '../../src/geometry/polygon.ts';

export type Pair = [number, number];

/** What is wrong with a ring; undefined: nothing. */
export const problemOf = (ring: number[][]): string | undefined => {
  try {
    readPolygon(ring);
    return undefined;
  } catch (error) {
    if (error instanceof PolygonError) return error.problem;
    throw error;
  }
};

/** Multiples of 1/64: what lies on an edge lies on it exactly. */
const grid = fc.integer({ min: -640, max: 640 }).map((n) => n / 64);
export const point = fc.tuple(grid, grid);
/** Corners sorted by their angle around a middle: a ring that does not intersect itself, mostly not convex. */
const star = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 3_599 }), fc.integer({ min: 1, max: 8 })), { minLength: 5, maxLength: 40 })
  .map((spokes) => {
    const byAngle = new Map(spokes);
    const corners = [...byAngle]
      .sort(([a], [b]) => a - b)
      .map(([angle, radius]): Pair => {
        const phi = (angle * Math.PI) / 1_800;
        return [Math.round(Math.cos(phi) * radius * 64) / 64, Math.round(Math.sin(phi) * radius * 64) / 64];
      });
    return [...corners, corners[0]!];
  });
/** Rings that are taken. */
export const simple = star.filter((ring) => problemOf(ring) === undefined);
