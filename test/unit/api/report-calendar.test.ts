import { expect, test } from 'vitest';
import { daysOf, nextDue } from '../../../src/server/reports/schedules/calendar.ts';

const weekly = { every: 'week', day: 1, hour: 6, zone: 'Europe/Rome' } as const;
const monthly = { every: 'month', day: 3, hour: 6, zone: 'Europe/Rome' } as const;
const at = (instant: string): number => Date.parse(instant);
const iso = (ms: number): string => new Date(ms).toISOString();

test('a weekly report is due at the local hour of its weekday, across changes of the clocks', () => {
  // Monday after the clocks went back: 6:00 is 05:00 UTC, a week before it was 04:00
  expect(iso(nextDue(weekly, at('2026-10-18T12:00:00Z')))).toBe('2026-10-19T04:00:00.000Z');
  expect(iso(nextDue(weekly, at('2026-10-19T04:00:00Z')))).toBe('2026-10-26T05:00:00.000Z');
  expect(iso(nextDue(weekly, at('2026-10-26T04:59:59Z')))).toBe('2026-10-26T05:00:00.000Z');
});

test('a weekly report has the seven days before it, in its zone', () => {
  expect(daysOf(weekly, at('2026-10-26T05:00:00Z'))).toEqual({ from: '2026-10-19', to: '2026-10-25' });
  // still Sunday in UTC
  expect(daysOf({ ...weekly, hour: 0 }, at('2026-06-07T22:00:00Z'))).toEqual({ from: '2026-06-01', to: '2026-06-07' });
});

test('a monthly report has the calendar month before it', () => {
  expect(iso(nextDue(monthly, at('2026-12-03T05:00:00Z')))).toBe('2027-01-03T05:00:00.000Z');
  expect(daysOf(monthly, at('2027-01-03T05:00:00Z'))).toEqual({ from: '2026-12-01', to: '2026-12-31' });
  expect(daysOf(monthly, at('2028-03-03T05:00:00Z'))).toEqual({ from: '2028-02-01', to: '2028-02-29' });
});

test('an hour that the change of the clocks omits is not lost', () => {
  const night = { ...weekly, day: 7, hour: 2 };
  const due = nextDue(night, at('2026-03-28T12:00:00Z'));
  expect([at('2026-03-29T00:00:00Z'), at('2026-03-29T01:00:00Z')]).toContain(due);
});
