import { describe, expect, it } from 'vitest';
import { parseTachograph } from '../../../src/server/tachograph/engine/index.ts';
import type { VehicleUnitFile, VuDay } from '../../../src/server/tachograph/engine/records.ts';
import {
  type CardUse,
  mileageOf,
  type UnitDayFacts,
  unitDayFacts,
} from '../../../src/server/tachograph/engine/reports/mileage.ts';
import { insertion, ordinary, unitDay, unitFile } from '../../support/tachograph.ts';

const at = (text: string): number => Date.parse(`2026-03-${text}Z`) / 1000;
const day = (date: string, odometerKm: number | null): UnitDayFacts => ({
  date: `2026-03-${date}`,
  odometerKm,
  drivingMinutes: 0,
  withoutCardMinutes: 0,
});
const use = (driverId: string, from: string, to: string | null, km: readonly [number, number | null]): CardUse => ({
  driverId,
  from: at(from),
  to: to === null ? null : at(to),
  odometerFromKm: km[0],
  odometerToKm: km[1],
});

describe('kilometers without a card', () => {
  const ann = use('ann', '03T06:00', '03T12:00', [1_000, 1_300]);
  const bob = use('bob', '04T06:00', '04T12:00', [1_450, 1_700]);

  it('are those of the odometer that lie in no use', () => {
    const { days, gaps, ...totals } = mileageOf([day('02', 1_000), day('03', 1_400), day('04', 1_760)], [ann, bob]);
    expect(days.map(({ distanceKm, withoutCardKm }) => [distanceKm, withoutCardKm])).toEqual([
      [null, null],
      [400, 100],
      [360, 110],
    ]);
    expect(gaps).toEqual([
      {
        from: at('03T12:00'),
        to: at('04T06:00'),
        odometerFromKm: 1_300,
        odometerToKm: 1_450,
        driverBefore: 'ann',
        driverAfter: 'bob',
      },
      {
        from: at('04T12:00'),
        to: at('05T00:00'),
        odometerFromKm: 1_700,
        odometerToKm: 1_760,
        driverBefore: 'bob',
        driverAfter: null,
      },
    ]);
    expect(totals).toEqual({ jumps: [], distanceKm: 760, withoutCardKm: 210 });
  });

  it('follow from cards alone, and none are where each use begins where the last one ended', () => {
    expect(mileageOf([], [ann, bob]).gaps).toMatchObject([{ odometerFromKm: 1_300, odometerToKm: 1_450 }]);
    const next = use('bob', '04T06:00', '04T12:00', [1_300, 1_700]);
    expect(mileageOf([day('03', 1_300), day('04', 1_700)], [ann, next])).toMatchObject({ gaps: [], withoutCardKm: 0 });
  });

  it('do not include a use that goes on, or that overlaps another', () => {
    const open = use('ann', '03T06:00', null, [1_000, null]);
    expect(mileageOf([day('02', 1_000), day('03', 1_400)], [open]).withoutCardKm).toBe(0);
    const second = use('bob', '03T07:00', '03T13:00', [1_050, 1_400]);
    expect(mileageOf([day('02', 1_000), day('03', 1_400)], [ann, second]).withoutCardKm).toBe(0);
  });

  it('are not counted where the odometer jumps', () => {
    const back = mileageOf([day('02', 1_000), day('03', 1_300), day('04', 900)], [ann]);
    expect(back).toMatchObject({
      withoutCardKm: 0,
      jumps: [{ from: at('04T00:00'), to: at('05T00:00'), odometerFromKm: 1_300, odometerToKm: 900 }],
    });
    expect(back.days[2]).toMatchObject({ distanceKm: null, withoutCardKm: null });
    const far = mileageOf([day('02', 1_000), day('03', 9_000)], []);
    expect(far).toMatchObject({ withoutCardKm: 0, jumps: [{ odometerFromKm: 1_000, odometerToKm: 9_000 }] });
  });
});

describe('the odometer at midnight of a unit', () => {
  const stay = (date: string, km: readonly [number, number]) => ({
    ...insertion('I000000012345600', `${date}T06:00:00Z`, `${date}T16:00:00Z`),
    odometerInsertedKm: km[0],
    odometerWithdrawnKm: km[1],
  });
  const unit = (days: readonly VuDay[]) =>
    parseTachograph(unitFile({ plate: 'AB123CD', now: '2026-03-06T08:00:00Z', days })) as VehicleUnitFile;
  const dayAt = (date: string, odometerAtMidnightKm: number, km: readonly [number, number]): VuDay => ({
    ...unitDay(date, [stay(date, km)], ordinary),
    odometerAtMidnightKm,
  });
  const odometers = (days: readonly VuDay[]) => unitDayFacts(unit(days)).map(({ odometerKm }) => odometerKm);

  it('is that of the end of the day, or of its begin where withdrawals show it', () => {
    const atEnd = [dayAt('2026-03-02', 1_300, [1_000, 1_300]), dayAt('2026-03-03', 1_650, [1_300, 1_640])];
    expect(odometers(atEnd)).toEqual([1_300, 1_650]);
    const atBegin = [dayAt('2026-03-02', 1_000, [1_000, 1_300]), dayAt('2026-03-03', 1_310, [1_310, 1_640])];
    expect(odometers(atBegin)).toEqual([1_310, null]);
  });

  it('comes with the driving of the day, and that without a card', () => {
    const day = dayAt('2026-03-02', 1_300, [1_000, 1_300]);
    const changes = day.changes.map((change) => ({ ...change, inserted: change.minute < 600 }));
    expect(unitDayFacts(unit([{ ...day, changes }]))).toMatchObject([{ drivingMinutes: 510, withoutCardMinutes: 255 }]);
  });
});
