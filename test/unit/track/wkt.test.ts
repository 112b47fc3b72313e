import { expect, test } from 'vitest';
import { type Area, lineDistanceOf, readArea, writeArea } from '../../../src/geometry/wkt.ts';

const ringOf = (area: Area) => (area.type === 'polygon' ? area.coordinates : []);

test('a circle and a polygon turn round: longitude before latitude', () => {
  expect(readArea('CIRCLE (45.46 9.19, 250.5)')).toEqual({ type: 'circle', center: [9.19, 45.46], radiusM: 250.5 });
  expect(readArea('POLYGON ((45 9, 45 9.1, 45.1 9.1, 45 9))')).toEqual({
    type: 'polygon',
    coordinates: [
      [9, 45],
      [9.1, 45],
      [9.1, 45.1],
      [9, 45],
    ],
  });
  // open, and with a corner twice, as its page may have drawn it
  expect(readArea('POLYGON((45 9,45 9.1,45 9.1,45.1 9.1))')).toEqual(
    readArea('POLYGON ((45 9, 45 9.1, 45.1 9.1, 45 9))'),
  );
});

test('a line becomes the band along it, out to its distance on each side and at its ends', () => {
  // a kilometre to the east on the equator, 111.19 m to each side: a thousandth of a degree
  const area = readArea('LINESTRING (0 0, 0 0.01)', 111.195);
  expect(area.type).toBe('polygon');
  const ring = ringOf(area).map((place) => place.map((degrees) => Number(degrees.toFixed(5))));
  expect(ring).toEqual([
    [-0.001, 0.001],
    [0.011, 0.001],
    [0.011, -0.001],
    [-0.001, -0.001],
    [-0.001, 0.001],
  ]);
  // around a corner: as many corners on each side as the line has
  expect(ringOf(readArea('LINESTRING (45 9, 45 9.1, 45.1 9.1)'))).toHaveLength(7);
});

test.each([
  ['', 'no WKT'],
  ['POLYGON ((45 9, 45 9.1))', 'fewer than three'],
  ['POLYGON ((45 9, 46 9, 46 10, 45 9), (45.1 9.1, 45.2 9.1, 45.2 9.2, 45.1 9.1))', 'hole'],
  ['POLYGON ((95 9, 45 9.1, 45.1 9.1, 45 9))', 'no latitude'],
  ['CIRCLE (45 9, -1)', 'no circle'],
  ['MULTIPOINT (45 9)', 'no MULTIPOINT'],
  ['LINESTRING (45 9)', 'fewer than two'],
  ['LINESTRING (45 9, 45 9.1, 45.05 9.1, 44.95 9.05)', 'self-intersecting'],
])('%s is rejected: %s', (wkt, why) => {
  expect(() => readArea(wkt)).toThrow(why);
});

test.each([
  'CIRCLE (45.46 9.19, 250.5)',
  'POLYGON ((45 9, 45 9.1, 45.1 9.1, 45 9))',
  'LINESTRING (45 9, 45 9.1, 45.1 9.1)',
])('%s is written as it was read', (wkt) => {
  expect(writeArea(readArea(wkt, 40))).toBe(wkt);
  expect(lineDistanceOf(readArea(wkt, 40))).toBe(wkt.startsWith('LINE') ? 40 : undefined);
});
