import booleanPointInPolygon from '@turf/boolean-point-in-polygon';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPolygon } from '../../../src/geometry/polygon.ts';
import { type Fix, toFixes } from '../../../src/server/movement/track/fixes.ts';
import { VisitFinder } from '../../../src/server/movement/track/visits.ts';
import { point, simple } from '../../support/any-ring.ts';

const MAX_GAP_MS = 300_000;
/** moments between two fixes at which another library is asked */
const LOOKS = 200;

/** Fixes each up to seven minutes after the one before: some of these are gaps. */
const track = fc
  .array(fc.tuple(point, fc.integer({ min: 1, max: 420 })), { minLength: 1, maxLength: 8 })
  .map((list) => {
    let at = 0;
    return list.map(([[longitude, latitude], seconds]): Fix => {
      at += seconds * 1000;
      return { at, latitude, longitude };
    });
  });

test('visits are what another library sees along the way, late, shuffled and repeated as it may come', () => {
  fc.assert(
    fc.property(simple, track, fc.infiniteStream(fc.nat()), (ring, fixes, order) => {
      const polygon = { type: 'Polygon' as const, coordinates: [ring] };
      const isIn = (x: number, y: number): boolean => booleanPointInPolygon([x, y], polygon);
      const shuffled = [...fixes, ...fixes.slice(0, 3)]
        .map((fix) => [order.next().value as number, fix] as const)
        .sort(([a], [b]) => a - b)
        .map(([, fix]) => fix);
      const options = { from: 0, maxGapMs: MAX_GAP_MS, minDwellMs: 0, maxListed: 1_000 };
      const finder = new VisitFinder(readPolygon(ring), options);
      finder.feed(toFixes(shuffled));
      const found = finder.finish();

      let insideMs = 0;
      let knownMs = 0;
      const gaps: object[] = [];
      for (const [i, b] of fixes.entries()) {
        const a = fixes[i - 1];
        if (a === undefined) continue;
        const took = b.at - a.at;
        if (took > MAX_GAP_MS) {
          gaps.push({ from: a.at, to: b.at });
          continue;
        }
        knownMs += took;
        for (let n = 0; n < LOOKS; n++) {
          const t = (n + 0.5) / LOOKS;
          const x = a.longitude + t * (b.longitude - a.longitude);
          const y = a.latitude + t * (b.latitude - a.latitude);
          if (isIn(x, y)) insideMs += took / LOOKS;
        }
      }
      // between two looks an edge may lie: a few of them on each way
      expect(Math.abs(found.totalDwellMs - insideMs)).toBeLessThanOrEqual(0.04 * knownMs + 5);
      expect(found.gaps).toEqual(gaps);
      expect(found.evaluatedPoints).toBe(fixes.length);
      const inside = fixes.filter(({ longitude, latitude }) => isIn(longitude, latitude)).length;
      expect(found.visits.reduce((sum, { points }) => sum + points, 0)).toBe(inside);
      for (const { entry, exit } of found.visits) {
        for (const end of [entry, exit]) {
          if (end === null || !end.interpolated) continue;
          // on the boundary: a hair's breadth away there are both
          const around = [0, 1, 2, 3, 4, 5, 6, 7].map((n) => (n * Math.PI) / 4);
          const sides = around.map((phi) =>
            isIn(end.longitude + 1e-6 * Math.cos(phi), end.latitude + 1e-6 * Math.sin(phi)),
          );
          expect(new Set(sides).size).toBe(2);
        }
      }
    }),
    { numRuns: 500 },
  );
});
