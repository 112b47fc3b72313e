import { expect, test } from 'vitest';
import type { PlaceNote } from '../../../src/server/tachograph/engine/reports/driver-days.ts';
import type { ReportDay } from '../../../src/server/tachograph/engine/reports/report-days.ts';
import { labelsOf } from '../../../src/server/tachograph/reports/labels.ts';
import { placeMapOf } from '../../../src/server/tachograph/reports/place-map.ts';

const at = (instant: string): number => Date.parse(instant) / 1000;
const place = (instant: string, kind: PlaceNote['kind'], latitude: number): PlaceNote => ({
  at: at(instant),
  kind,
  country: 26,
  odometerKm: null,
  position: { latitude, longitude: 11.55 },
});

test('a place that is reached again and again has one label, with how often', () => {
  const days = ['2026-10-01', '2026-10-02', '2026-10-03'].map((date) => ({
    date,
    places: [
      place(`${date}T04:30:00Z`, 'begin', 45.551),
      place(`${date}T09:00:00Z`, 'border', 47 + Number(date.slice(-1))),
    ],
  })) as unknown as readonly ReportDay[];
  const { points } = placeMapOf(days, 'UTC', labelsOf('it'));
  expect(points.map(({ label }) => label)).toEqual([
    '01/10 04:30 I ×3',
    '01/10 09:00 I',
    '',
    '02/10 09:00 I',
    '',
    '03/10 09:00 I',
  ]);
});
