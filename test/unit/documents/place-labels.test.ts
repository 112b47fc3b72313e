import fc from 'fast-check';
import { expect, test } from 'vitest';
import { placeLabels } from '../../../src/server/documents/map/place-map.ts';

const frame = { left: 36, top: 50, width: 700, height: 300 };
const spot = fc.record({
  x: fc.integer({ min: 36, max: 736 }),
  y: fc.integer({ min: 50, max: 350 }),
  label: fc.constantFrom('05/10 11:00 A', '06/10 09:00', ''),
  width: fc.integer({ min: 10, max: 40 }),
});

test('no label of a map covers another or leaves it', () => {
  fc.assert(
    fc.property(fc.array(spot, { maxLength: 60 }), (spots) => {
      const labels = placeLabels(spots, frame);
      const width = Math.max(0, ...spots.map((each) => each.width));
      for (const [index, { x, y }] of labels.entries()) {
        expect(x >= 36 && x < 736 && y >= 50 && y < 350).toBe(true);
        for (const other of labels.slice(index + 1)) {
          expect(Math.abs(other.y - y) > 5 || Math.abs(other.x - x) >= Math.min(10, width)).toBe(true);
        }
      }
    }),
    { numRuns: 100 },
  );
});

test('labels of one place stand below each other, and those without room are left out', () => {
  const spots = Array.from({ length: 30 }, () => ({ x: 300, y: 200, label: 'A', width: 20 }));
  const labels = placeLabels(spots, frame);
  expect(new Set(labels.map(({ x, y }) => `${x}/${y}`)).size).toBe(labels.length);
  expect(labels.length).toBe(14);
  expect(placeLabels([{ x: 730, y: 200, label: 'A', width: 30 }], frame)[0]!.x).toBeLessThan(701);
});
