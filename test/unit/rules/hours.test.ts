import { describe, expect, test } from 'vitest';
import { isZone, zoneOf } from '../../../src/platform/zone.ts';
import { DAYS, type Hours, isWithin, nextEdge } from '../../../src/server/alerts/rules/hours.ts';

const rome = zoneOf('Europe/Rome');
const at = (text: string): number => Date.parse(text);
const within = (hours: Hours, text: string, zone = rome): boolean => isWithin(hours, zone, at(text));
const from = (min: number, max: number) => ({ min, max, all_day: false });

describe('authorised hours', () => {
  test('use the local time of their zone', () => {
    // 2026-06-01 is a Monday; Rome is two hours ahead of UTC
    const hours = { monday: from(8, 18.5) };
    expect(within(hours, '2026-06-01T05:59:59Z')).toBe(false);
    expect(within(hours, '2026-06-01T06:00:00Z')).toBe(true);
    expect(within(hours, '2026-06-01T16:29:59Z')).toBe(true);
    expect(within(hours, '2026-06-01T16:30:00Z')).toBe(false);
  });

  test('do not exist on a day that is missing', () => {
    expect(within({ monday: from(8, 18) }, '2026-06-02T10:00:00Z')).toBe(false);
    expect(within({}, '2026-06-01T10:00:00Z')).toBe(false);
  });

  test('may be the whole day, whatever else is said', () => {
    const hours = { monday: { min: 9, max: 9, all_day: true } };
    expect(within(hours, '2026-05-31T22:00:00Z')).toBe(true);
    expect(within(hours, '2026-06-01T21:59:59Z')).toBe(true);
    expect(within(hours, '2026-06-01T22:00:00Z')).toBe(false);
  });

  test('do not exist if they end as they begin', () => {
    expect(within({ monday: from(9, 9) }, '2026-06-01T07:00:00Z')).toBe(false);
  });

  test('reach to the end of the day', () => {
    expect(within({ monday: from(0, 24) }, '2026-06-01T21:59:59.999Z')).toBe(true);
  });

  test('run on past midnight', () => {
    const hours = { friday: from(22, 6), saturday: from(20, 21) };
    // Friday is 2026-06-05
    expect(within(hours, '2026-06-05T19:59:59Z')).toBe(false);
    expect(within(hours, '2026-06-05T20:00:00Z')).toBe(true);
    expect(within(hours, '2026-06-06T03:59:59Z')).toBe(true);
    expect(within(hours, '2026-06-06T04:00:00Z')).toBe(false);
    expect(within(hours, '2026-06-06T18:30:00Z')).toBe(true);
    // early on Friday belongs to Thursday, which has none
    expect(within(hours, '2026-06-05T02:00:00Z')).toBe(false);
  });

  test('run on from Sunday to Monday', () => {
    expect(within({ sunday: from(22, 6) }, '2026-06-01T03:00:00Z')).toBe(true);
  });

  test('hold when clocks go forward: the missing hour is not counted', () => {
    // 2026-03-29, a Sunday: at 02:00 it is 03:00
    const hours = { sunday: from(1.5, 3.5) };
    expect(within(hours, '2026-03-29T00:29:59Z')).toBe(false);
    expect(within(hours, '2026-03-29T00:30:00Z')).toBe(true);
    expect(within(hours, '2026-03-29T00:59:59Z')).toBe(true);
    expect(within(hours, '2026-03-29T01:00:00Z')).toBe(true);
    expect(within(hours, '2026-03-29T01:29:59Z')).toBe(true);
    expect(within(hours, '2026-03-29T01:30:00Z')).toBe(false);
  });

  test('hold when clocks go back: the repeated hour counts twice', () => {
    // 2026-10-25, a Sunday: at 03:00 it is 02:00 again
    const hours = { sunday: from(2, 2.5) };
    expect(within(hours, '2026-10-24T23:59:59Z')).toBe(false);
    expect(within(hours, '2026-10-25T00:00:00Z')).toBe(true);
    expect(within(hours, '2026-10-25T00:30:00Z')).toBe(false);
    expect(within(hours, '2026-10-25T01:00:00Z')).toBe(true);
    expect(within(hours, '2026-10-25T01:30:00Z')).toBe(false);
  });

  test('hold in a night that is an hour shorter or longer', () => {
    const hours = { saturday: from(22, 6) };
    expect(within(hours, '2026-03-29T03:59:59Z')).toBe(true);
    expect(within(hours, '2026-03-29T04:00:00Z')).toBe(false);
    expect(within(hours, '2026-10-25T04:59:59Z')).toBe(true);
    expect(within(hours, '2026-10-25T05:00:00Z')).toBe(false);
  });

  test('know zones of halves and quarters, and the other side of the globe', () => {
    expect(within({ monday: from(5.75, 6) }, '2026-06-01T00:00:00Z', zoneOf('Asia/Kathmandu'))).toBe(true);
    expect(within({ tuesday: from(0, 1) }, '2026-06-01T10:00:00Z', zoneOf('Pacific/Kiritimati'))).toBe(true);
    expect(within({ sunday: from(13, 14) }, '2026-06-01T00:00:00Z', zoneOf('Pacific/Pago_Pago'))).toBe(true);
  });

  test('are of zones that there are', () => {
    expect(['Europe/Rome', 'UTC', 'America/Argentina/Buenos_Aires'].map(isZone)).toEqual([true, true, true]);
    expect(['Europe/Atlantis', '', '+01:00', 'Rome'].map(isZone)).toEqual([false, false, false, false]);
  });
});

describe('a local day', () => {
  const days = (text: string): number => Date.parse(text) / 86_400_000;
  test('has 23, 24 or 25 hours', () => {
    const hours = (date: string) => (rome.startOfDay(days(date) + 1) - rome.startOfDay(days(date))) / 3_600_000;
    expect([hours('2026-03-29'), hours('2026-06-01'), hours('2026-10-25')]).toEqual([23, 24, 25]);
    expect(rome.startOfDay(days('2026-06-01'))).toBe(at('2026-05-31T22:00:00Z'));
  });

  test('begins at one where midnight is left out', () => {
    // Beirut, 2026-03-29: at 00:00 it is 01:00
    const beirut = zoneOf('Asia/Beirut');
    expect(beirut.startOfDay(days('2026-03-29'))).toBe(at('2026-03-28T22:00:00Z'));
    expect(beirut.localTime(at('2026-03-28T22:00:00Z')).hour).toBe(1);
  });
});

describe('the next change of the hours', () => {
  const night = { sunday: { min: 22, max: 6, all_day: false } };
  const next = (at: string, zone = 'Europe/Rome', hours: Parameters<typeof nextEdge>[0] = night) => {
    const found = nextEdge(hours, zoneOf(zone), Date.parse(at));
    return found === undefined ? undefined : new Date(found).toISOString();
  };
  test('is by the clock of the zone', () => {
    expect(next('2026-06-03T00:00:00Z')).toBe('2026-06-07T20:00:00.000Z');
    expect(next('2026-06-07T20:00:00Z')).toBe('2026-06-08T04:00:00.000Z');
    expect(next('2026-06-07T20:00:00Z', 'UTC')).toBe('2026-06-07T22:00:00.000Z');
  });
  test('is right when the clocks are changed', () => {
    // in Rome on 2026-03-29 at 02:00 to 03:00, on 2026-10-25 at 03:00 to 02:00
    const early = { sunday: { min: 1, max: 4.5, all_day: false } };
    expect(next('2026-03-29T00:00:00Z', 'Europe/Rome', early)).toBe('2026-03-29T02:30:00.000Z');
    expect(next('2026-10-25T00:00:00Z', 'Europe/Rome', early)).toBe('2026-10-25T03:30:00.000Z');
  });
  test('does not come where there are none, or always', () => {
    expect(next('2026-06-03T00:00:00Z', 'UTC', {})).toBeUndefined();
    const always = Object.fromEntries(DAYS.map((day) => [day, { min: 0, max: 24, all_day: true }]));
    expect(next('2026-06-03T00:00:00Z', 'UTC', always)).toBeUndefined();
  });
});
