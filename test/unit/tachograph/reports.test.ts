import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildTimeline, parseTachograph } from '../../../src/server/tachograph/engine/index.ts';
import { isHoliday } from '../../../src/server/tachograph/engine/reports/calendar.ts';
import {
  driverDays,
  packDay,
  timelineOf,
  unpackDay,
} from '../../../src/server/tachograph/engine/reports/driver-days.ts';
import { lulMonth, neededFor, type PayrollTerms } from '../../../src/server/tachograph/engine/reports/month.ts';
import { type PayrollDay, payrollDays } from '../../../src/server/tachograph/engine/reports/payroll-days.ts';
import { reportDays } from '../../../src/server/tachograph/engine/reports/report-days.ts';
import {
  clockAt,
  dateAt,
  easterOf,
  isoWeekOf,
  localDays,
  mondayOf,
  weekdayOf,
} from '../../../src/server/tachograph/engine/timeline/zone.ts';
import {
  cardFile,
  datesFrom,
  dayOf,
  ITALY,
  insertion,
  ordinary,
  type Plan,
  secondsOf,
  unitDay,
  unitFile,
  use,
} from '../../support/tachograph.ts';
import { changes } from './scenario.ts';

const DRIVER = { nation: ITALY, number: 'I0000000123456' };
const sourceOf = (bytes: Uint8Array, fileId = 'a') => ({ fileId, file: parseTachograph(bytes)! });
const daysOf = (...plans: readonly (readonly [date: string, plan: Plan])[]) =>
  driverDays([sourceOf(cardFile({ days: plans.map(([date, plan]) => dayOf(date, plan)) }))], [DRIVER]);

describe('days that are kept', () => {
  it('give the timeline that they were cut from, packed and unpacked', () => {
    const some = fc.array(fc.tuple(fc.integer({ min: 0, max: 20 }), changes), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(some, (plans) => {
        const words = new Map(plans.map(([day, each]) => [datesFrom('2026-03-02', 21)[day]!, each]));
        const days = [...words]
          .map(([date, each]) => ({ date, presenceCounter: 1, distanceKm: 7, changes: each }))
          .sort((a, b) => (a.date < b.date ? -1 : 1));
        const source = sourceOf(cardFile({ days }));
        const kept = driverDays([source], [DRIVER]).map((day) => unpackDay(day.date, packDay(day)));
        expect(timelineOf(kept)).toEqual(buildTimeline([source], DRIVER));
      }),
      { numRuns: 50 },
    );
  });

  it('join the records of one driver on cards of two states', () => {
    const italian = sourceOf(
      cardFile({
        days: [
          dayOf('2026-03-02', [
            ['06:00', 'driving'],
            ['08:00', 'rest'],
          ]),
        ],
      }),
      'a',
    );
    const french = cardFile({
      nation: 17,
      number: 'F000000099999900',
      days: [dayOf('2026-03-04', [['06:00', 'work']])],
    });
    const both = [DRIVER, { nation: 17, number: 'F0000000999999' }];
    const days = driverDays([italian, sourceOf(french, 'b')], both);
    expect(days.map(({ date, fileIds }) => [date, ...fileIds])).toEqual([
      ['2026-03-02', 'a'],
      ['2026-03-03'],
      ['2026-03-04', 'b'],
    ]);
    expect(days[1]!.spans).toMatchObject([{ from: 0, to: 1440, activity: 'unknown' }]);
  });

  it('prefer the insertion of a unit to the card’s', () => {
    const stay = ['2026-03-02T05:00:00Z', '2026-03-02T15:00:00Z'] as const;
    const card = cardFile({ days: [dayOf('2026-03-02', [])], vehicles: [use('fg 123-hi', ...stay, [10, 20])] });
    const unit = unitFile({
      plate: 'FG 123 HI',
      now: '2026-03-03T00:00:00Z',
      days: [unitDay('2026-03-02', [insertion('I000000012345600', ...stay)], [])],
    });
    const [day] = driverDays([sourceOf(card, 'c'), sourceOf(unit, 'u')], [DRIVER]);
    expect(day!.uses).toMatchObject([{ plate: 'FG123HI', source: 'vu', odometerFromKm: 1_000, slot: 'driver' }]);
  });
});

describe('a zone', () => {
  it('has days of 23 and 25 hours where its clock changes, and of other lengths never', () => {
    const days = localDays('2026-01-01', '2026-12-31', 'Europe/Rome');
    const odd = days.filter(({ from, to }) => to - from !== 1_440);
    expect(odd.map(({ date, from, to }) => [date, (to - from) / 60])).toEqual([
      ['2026-03-29', 23],
      ['2026-10-25', 25],
    ]);
    expect(days.every(({ date, from }) => dateAt(from, 'Europe/Rome') === date)).toBe(true);
    expect(days.every(({ from }) => clockAt(from, 'Europe/Rome') === '00:00')).toBe(true);
    expect(localDays('2026-03-29', '2026-03-29', 'UTC')[0]).toMatchObject({
      from: secondsOf('2026-03-29T00:00:00Z') / 60,
    });
  });

  it('uses ISO 8601 weeks and the date of Easter', () => {
    expect(['2026-01-01', '2027-01-01', '2024-12-30', '2026-03-08'].map(isoWeekOf)).toEqual([
      '2026-W01',
      '2026-W53',
      '2025-W01',
      '2026-W10',
    ]);
    expect([weekdayOf('2026-03-02'), weekdayOf('2026-03-08'), mondayOf('2026-03-08')]).toEqual([1, 7, '2026-03-02']);
    expect([2024, 2025, 2026, 2038].map(easterOf)).toEqual(['2024-03-31', '2025-04-20', '2026-04-05', '2038-04-25']);
  });

  it('has the holidays of Italy and the tenant’s own', () => {
    const days = ['2026-04-06', '2026-06-02', '2026-03-08', '2026-10-04', '2026-12-07', '2026-03-09'];
    expect(days.map((day) => isHoliday(day, ['12-07']))).toEqual([true, true, true, true, true, false]);
    expect(isHoliday('2025-10-04')).toBe(false);
  });
});

const minutesOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
const rome = { zone: 'Europe/Rome', night: { from: 0, to: 240 } } as const;

describe('days for payroll', () => {
  /** From 20:00 UTC on the 2nd (21:00 in Rome) to 02:00 on the 3rd. */
  const overnight = () =>
    daysOf(
      [
        '2026-03-02',
        [
          ['20:00', 'work'],
          ['21:00', 'driving'],
        ],
      ],
      [
        '2026-03-03',
        [
          ['00:00', 'driving'],
          ['02:00', 'rest'],
        ],
      ],
      ['2026-03-04', []],
    );
  const on = (days: readonly PayrollDay[], date: string): PayrollDay => days.find((day) => day.date === date)!;

  it('split a shift at local midnight, or assign it to the day on which it began', () => {
    const calendar = payrollDays(overnight(), { ...rome, attribution: 'calendar' });
    expect(on(calendar, '2026-03-02')).toMatchObject({
      work: 60,
      driving: 120,
      spread: 180,
      night: 120,
      nightPeriod: 0,
    });
    expect(on(calendar, '2026-03-03')).toMatchObject({
      work: 0,
      driving: 180,
      spread: 180,
      night: 180,
      nightPeriod: 180,
    });
    const shift = payrollDays(overnight(), { ...rome, attribution: 'shift' });
    expect(on(shift, '2026-03-02')).toMatchObject({
      work: 60,
      driving: 300,
      spread: 360,
      night: 300,
      nightPeriod: 180,
    });
    expect(on(shift, '2026-03-03')).toMatchObject({ work: 0, driving: 0, spread: 0, night: 0, start: null });
  });

  it('distinguish pauses within a shift from the rest that ends it', () => {
    const plan: Plan = [
      ['05:00', 'driving'],
      ['08:00', 'rest'],
      ['09:00', 'driving'],
      ['11:00', 'rest'],
      ['19:00', 'work'],
      ['20:00', 'rest'],
    ];
    const days = payrollDays(daysOf(['2026-03-02', plan], ['2026-03-03', []]), {
      ...rome,
      zone: 'UTC',
      attribution: 'calendar',
    });
    expect(on(days, '2026-03-02')).toMatchObject({
      breaks: 60,
      spread: 360 + 60,
      driving: 300,
      work: 60,
      dailyRest: 480,
    });
  });

  it.each([
    // 23:30 in Rome, an hour later in summer
    ['2026-10-24', 25, '22:30', ['2026-10-25', '00:30']],
    ['2026-03-28', 23, '23:30', ['2026-03-29', '00:30']],
    ['2026-12-31', 24, '23:30', ['2027-01-01', '00:30']],
    ['2026-02-28', 24, '23:30', ['2026-03-01', '00:30']],
  ] as const)('begin with the local day: after %s UTC a day of %i hours', (date, hours, clock, [local, start]) => {
    const next = datesFrom(date, 2)[1]!;
    const days = payrollDays(
      daysOf(
        [date, [[clock, 'driving']]],
        [
          next,
          [
            ['00:00', 'driving'],
            ['03:00', 'rest'],
          ],
        ],
        [datesFrom(date, 3)[2]!, []],
      ),
      { ...rome, attribution: 'calendar' },
    );
    const day = on(days, local);
    expect(on(days, date)).toMatchObject({ driving: 0, start: null });
    expect(day.driving).toBe(24 * 60 - minutesOf(clock) + 180);
    expect([day.minutesInDay, clockAt(day.start!, 'Europe/Rome')]).toEqual([hours * 60, start]);
  });

  it('say that a rest is assumed where data of the pause before a shift are missing', () => {
    const days = payrollDays(
      daysOf(
        ['2026-03-02', ordinary],
        ['2026-03-03', ordinary],
        [
          '2026-03-04',
          [
            ['00:00', 'rest'],
            ['02:00', 'unknown'],
            ['03:00', 'rest'],
            ['06:00', 'driving'],
            ['07:00', 'unknown'],
            ['08:00', 'driving'],
            ['10:00', 'rest'],
          ],
        ],
        ['2026-03-06', ordinary],
      ),
      { ...rome, zone: 'UTC', attribution: 'calendar' },
    );
    // not the first shift of the data, whose pause before is not known at all
    expect(days.map(({ isRestAssumed = false }) => isRestAssumed)).toEqual([false, false, true, false, true]);
  });

  it('have every minute of the day once', () => {
    const days = daysOf(
      ['2026-03-28', [['22:30', 'driving']]],
      [
        '2026-03-29',
        [
          ['00:00', 'driving'],
          ['03:00', 'rest'],
        ],
      ],
      ['2026-03-30', []],
    );
    for (const { from, to, minutes } of reportDays(days, '2026-03-28', '2026-03-30', 'Europe/Rome')) {
      expect(Object.values(minutes).reduce((sum, each) => sum + each, 0)).toBe(to - from);
    }
  });
});

describe('a month', () => {
  const terms: PayrollTerms = {
    weeklyMinutes: 2_340,
    availabilityAsWork: false,
    holidays: [],
    travelFromMinutes: 360,
    homeNation: ITALY,
    bases: [],
    baseRadiusM: 1_000,
  };
  const day = (date: string, driving: number, more: Partial<PayrollDay> = {}): PayrollDay => ({
    date,
    minutesInDay: 1_440,
    driving,
    work: 0,
    availability: 0,
    rest: 1_440 - driving,
    unknown: 0,
    start: 0,
    end: driving,
    spread: driving,
    breaks: 0,
    dailyRest: 660,
    night: 0,
    nightPeriod: 0,
    km: 1,
    plates: [],
    countries: [],
    endedAt: null,
    ...more,
  });

  it('needs whole weeks, and four months back', () => {
    expect(neededFor('2026-03')).toEqual({ from: '2025-12-01', to: '2026-04-05' });
  });

  it('counts each hour once: ordinary time and overtime add up to the time worked', () => {
    const worked = fc.array(fc.integer({ min: 0, max: 900 }), { minLength: 42, maxLength: 42 });
    fc.assert(
      fc.property(worked, (minutes) => {
        const days = datesFrom('2026-02-23', 42).map((date, i) => day(date, minutes[i]!));
        const { days: shown, weeks } = lulMonth('2026-03', days, terms);
        for (const each of shown) expect(each.ordinary + each.overtime).toBe(each.working);
        for (const week of weeks) expect(week.overtime).toBe(Math.max(0, week.working - terms.weeklyMinutes));
      }),
      { numRuns: 100 },
    );
  });

  it('has the mean of the calendar weeks that begin in the four months', () => {
    // 47:30 of work from Monday to Friday, from the first week of December on
    const weekday = (date: string): boolean => weekdayOf(date) <= 5;
    const days = datesFrom('2025-12-01', 126).map((date) => day(date, weekday(date) ? 570 : 0));
    const { fourMonths } = lulMonth('2026-03', days, terms);
    expect(fourMonths).toMatchObject({
      from: '2025-12-01',
      to: '2026-03-31',
      meanWeekly: 47 * 60 + 30,
      complete: true,
    });
    const half = lulMonth('2026-03', days.slice(63), terms).fourMonths;
    expect(half).toMatchObject({ meanWeekly: 47 * 60 + 30, complete: false });
  });

  it('reports work abroad, nights away and work on holidays', () => {
    const milan = { latitude: 45.46, longitude: 9.19 };
    const days = [
      day('2026-03-02', 500, { countries: [ITALY, 1], endedAt: { latitude: 47.26, longitude: 11.39 } }),
      day('2026-03-08', 200, { countries: [ITALY], endedAt: { latitude: 45.461, longitude: 9.191 } }),
    ];
    const month = lulMonth('2026-03', days, { ...terms, bases: [milan] });
    expect(month.days[1]).toMatchObject({ travel: 'abroad', nightAway: true, holiday: 0 });
    expect(month.days[7]).toMatchObject({ travel: null, nightAway: false, holiday: 200 });
    expect(month.days[3]).toMatchObject({ presence: '?', unknown: 1_440 });
  });
});
