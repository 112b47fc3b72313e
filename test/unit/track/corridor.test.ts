import turfArea from '@turf/area';
import pointInPolygon from '@turf/boolean-point-in-polygon';
import { describe, expect, test } from 'vitest';
import { corridorRing, MAX_LINE_PLACES } from '../../../src/geometry/corridor.ts';
import { readPolygon } from '../../../src/geometry/polygon.ts';
import { WGS84 } from '../../support/motorway.ts';

type Place = readonly [longitude: number, latitude: number];

/** Lines of several places, each segment much longer than the width. */
const LINES: Readonly<Record<string, { line: readonly Place[]; widthM: number }>> = {
  'a street at the equator': {
    line: [
      [0, 0],
      [0.01, 0],
      [0.01, 0.01],
    ],
    widthM: 50,
  },
  'a road of Lombardy': {
    line: [
      [9, 45],
      [9.1, 45],
      [9.1, 45.1],
      [9.25, 45.16],
    ],
    widthM: 500,
  },
  'Sicily to the Brenner': {
    line: [
      [15.09, 37.5],
      [14.25, 40.85],
      [11.34, 44.49],
      [11.51, 47],
    ],
    widthM: 10_000,
  },
  'due north for 330 km': {
    line: [
      [18, 63],
      [18, 66],
    ],
    widthM: 2_000,
  },
  'northern Norway': {
    line: [
      [25, 70],
      [27, 70.4],
      [29, 70.1],
    ],
    widthM: 1_000,
  },
  'Tierra del Fuego': {
    line: [
      [-68.3, -54.8],
      [-67.7, -53.8],
      [-68.6, -52.9],
    ],
    widthM: 800,
  },
  'across the antimeridian': {
    line: [
      [179.6, -16.5],
      [-179.8, -16.9],
      [-179.5, -16.4],
    ],
    widthM: 3_000,
  },
};

/** Longitudes of the antimeridian continue, for a library that knows none. */
const eastward = ([x, y]: Place): [number, number] => [x < -90 ? x + 360 : x, y];

/** Places beside the inner part of each segment, by the geodesics of another project. */
function besides({ line, widthM }: { line: readonly Place[]; widthM: number }, share: number): [number, number][] {
  const places = line.map(eastward);
  return places.slice(1).flatMap(([x2, y2], i) => {
    const [x1, y1] = places[i]!;
    const at = (part: number): [number, number] => [x1 + part * (x2 - x1), y1 + part * (y2 - y1)];
    return [0.2, 0.35, 0.5, 0.65, 0.8].flatMap((part) => {
      const [x, y] = at(part);
      const [ahead, aheadY] = at(part + 1e-4);
      const { azi1 } = WGS84.Inverse(y, x, aheadY, ahead);
      return [-90, 90].map((turn): [number, number] => {
        const { lat2, lon2 } = WGS84.Direct(y, x, azi1! + turn, (widthM / 2) * share);
        return eastward([lon2!, lat2!]);
      });
    });
  });
}

describe.each(Object.entries(LINES))('%s', (_, given) => {
  const ring = corridorRing(given.line, given.widthM / 2)!;
  const polygon = { type: 'Polygon' as const, coordinates: [ring.map(eastward)] };

  test('is surrounded to half of the width on each side, within 2 %', () => {
    for (const place of besides(given, 0.98)) expect(pointInPolygon(place, polygon), String(place)).toBe(true);
    for (const place of besides(given, 1.02)) expect(pointInPolygon(place, polygon), String(place)).toBe(false);
  });

  test('ends half of the width beyond its ends', () => {
    for (const [end, before] of [
      [given.line.at(-1)!, given.line.at(-2)!],
      [given.line[0]!, given.line[1]!],
    ]) {
      const { azi1 } = WGS84.Inverse(end![1], end![0], before![1], before![0]);
      for (const [share, isInside] of [
        [0.98, true],
        [1.02, false],
      ] as const) {
        const { lat2, lon2 } = WGS84.Direct(end![1], end![0], azi1! + 180, (given.widthM / 2) * share);
        expect(pointInPolygon(eastward([lon2!, lat2!]), polygon), `${share}`).toBe(isInside);
      }
    }
  });

  test('has the area of its length and width, within 2 %, and is a valid polygon', () => {
    const lengthM = given.line
      .slice(1)
      .reduce((sum, [x, y], i) => sum + WGS84.Inverse(given.line[i]![1], given.line[i]![0], y, x).s12!, 0);
    const expected = (lengthM + given.widthM) * given.widthM;
    expect(Math.abs(turfArea(polygon) / expected - 1)).toBeLessThan(0.02);
    expect(readPolygon(ring).pairs).toBe(2 * given.line.length + 1);
  });
});

test('repeated places do not matter', () => {
  const { line, widthM } = LINES['a road of Lombardy']!;
  const twice = line.flatMap((place) => [place, place]);
  expect(corridorRing(twice, widthM / 2)).toEqual(corridorRing(line, widthM / 2));
});

test.each<[string, readonly Place[], number]>([
  [
    'one place',
    [
      [9, 45],
      [9, 45],
    ],
    100,
  ],
  [
    'a line that comes back beside itself',
    [
      [9, 45],
      [9.1, 45],
      [9.02, 45.001],
    ],
    500,
  ],
  [
    'a line at a pole',
    [
      [9, 89.99],
      [40, 89.999],
    ],
    5_000,
  ],
])('%s has no corridor', (_, line, widthM) => {
  expect(corridorRing(line, widthM / 2)).toBeUndefined();
});

test('the longest line has as many corners as a polygon may have', () => {
  const line = Array.from({ length: MAX_LINE_PLACES }, (_, n): Place => [9 + n * 0.01, 45 + (n % 2) * 0.005]);
  expect(readPolygon(corridorRing(line, 20)!).pairs).toBe(999);
});
