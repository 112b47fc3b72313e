import { expect, test } from 'vitest';
import { readOutlines } from '../../../src/server/documents/map/outlines.ts';
import { toPdf } from '../../../src/server/documents/pdf.ts';
import type { PlaceMap, Report } from '../../../src/server/documents/report.ts';
import { readPdf } from '../../support/documents.ts';

/** Degrees from a place to the nearest segment of an outline. */
function degreesTo(longitude: number, latitude: number): number {
  const narrow = Math.cos((latitude * Math.PI) / 180);
  const toPlane = ([lon, lat]: readonly [number, number]) => [(lon - longitude) * narrow, lat - latitude] as const;
  let least = Number.POSITIVE_INFINITY;
  for (const { points } of readOutlines()) {
    const plane = points.map(toPlane);
    for (let n = 1; n < plane.length; n++) {
      const [[ax, ay], [bx, by]] = [plane[n - 1]!, plane[n]!];
      const length = (bx - ax) ** 2 + (by - ay) ** 2;
      const share = length === 0 ? 0 : Math.max(0, Math.min(1, -(ax * (bx - ax) + ay * (by - ay)) / length));
      least = Math.min(least, Math.hypot(ax + share * (bx - ax), ay + share * (by - ay)));
    }
  }
  return least;
}

test.each([
  ['Brennero', 11.507, 47.003],
  ['Ventimiglia', 7.53, 43.785],
  ['Irun', -1.79, 43.34],
  ['Kehl', 7.8, 48.573],
  ['Terespol', 23.63, 52.08],
])('the border of %s is an outline', (_name, longitude, latitude) => {
  expect(degreesTo(longitude, latitude)).toBeLessThan(0.1);
});

test('a place in the middle of a country is no outline', () => {
  expect(degreesTo(12.39, 43.11)).toBeGreaterThan(0.5);
});

const mapOf = (points: PlaceMap['points']): PlaceMap => ({
  title: 'Map of places',
  points,
  kinds: { border: { color: '#d1495b', text: 'Border' }, way: { color: '#6b7f99', text: 'GNSS position' } },
});
const reportOf = (map: PlaceMap): Report => ({
  title: 'Activities',
  language: 'en',
  sections: [{ title: 'Driver', facts: [], map, tables: [] }],
  footer: '',
  legend: { rest: '', availability: '', work: '', driving: '', unknown: '' },
});
const border = { longitude: 11.507, latitude: 47.003, kind: 'border', label: '02/03 14:05 A' };
const way = { longitude: 11.35, latitude: 46.5, kind: 'way', label: '' };

test('places are drawn with their labels, and only kinds that occur have a legend', async () => {
  const { text, fills, pages } = await readPdf(await toPdf(reportOf(mapOf([way, border]))));
  expect(pages).toBe(1);
  expect(text).toContain('Map of places');
  expect(text).toContain('02/03 14:05 A');
  // one in the legend, one on the map
  expect([fills.get('#d1495b'), fills.get('#6b7f99')]).toEqual([2, 2]);
  const alone = await readPdf(await toPdf(reportOf(mapOf([border]))));
  expect(alone.text).not.toContain('GNSS position');
});

test('a report without positions has no map', async () => {
  expect((await readPdf(await toPdf(reportOf(mapOf([]))))).text).not.toContain('Map of places');
});
