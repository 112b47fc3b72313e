import { describe, expect, test } from 'vitest';
import { calendarOf, nextDay } from '../../../../src/server/movement/api/calendar.ts';
import { readInterval } from '../../../../src/server/movement/api/interval.ts';

const HOUR = 3_600_000;
const at = (text: string): number => Date.parse(text);

describe('days', () => {
  test.each<[string, string, string, number]>([
    // zone, day, its first moment, its hours
    ['UTC', '2026-03-29', '2026-03-29T00:00:00Z', 24],
    ['Europe/Rome', '2026-03-28', '2026-03-27T23:00:00Z', 24],
    ['Europe/Rome', '2026-03-29', '2026-03-28T23:00:00Z', 23],
    ['Europe/Rome', '2026-03-30', '2026-03-29T22:00:00Z', 24],
    ['Europe/Rome', '2026-10-25', '2026-10-24T22:00:00Z', 25],
    ['America/New_York', '2026-03-08', '2026-03-08T05:00:00Z', 23],
    ['America/New_York', '2026-11-01', '2026-11-01T04:00:00Z', 25],
    ['Australia/Lord_Howe', '2026-04-05', '2026-04-04T13:00:00Z', 24.5],
    ['Asia/Kathmandu', '2026-01-01', '2025-12-31T18:15:00Z', 24],
    // midnight does not exist there: clocks go from 23:59:59 to 01:00
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00Z', 23],
    // and here it comes twice
    ['America/Havana', '2026-11-01', '2026-11-01T04:00:00Z', 25],
    ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00Z', 24],
  ])('of %s: %s begins at %s and has %d hours', (zone, day, begins, hours) => {
    const calendar = calendarOf(zone);
    expect(calendar.startOf(day)).toBe(at(begins));
    expect((calendar.startOf(nextDay(day)) - calendar.startOf(day)) / HOUR).toBe(hours);
    expect(calendar.dayOf(at(begins))).toBe(day);
    expect(calendar.dayOf(at(begins) - 1)).not.toBe(day);
    expect(readInterval({ from: day, to: day }, calendar)).toEqual({
      from: at(begins),
      to: at(begins) + hours * HOUR - 1,
    });
  });

  test('hours are those of local time', () => {
    const rome = calendarOf('Europe/Rome');
    expect(
      ['2026-03-29T00:59:59Z', '2026-03-29T01:00:00Z', '2026-07-01T20:00:00Z'].map((t) => rome.hourOf(at(t))),
    ).toEqual([1, 3, 22]);
    expect(calendarOf('Asia/Kolkata').hourOf(at('2026-01-01T18:30:00Z'))).toBe(0);
  });

  test('instants of an interval are not changed', () => {
    const rome = calendarOf('Europe/Rome');
    expect(readInterval({ from: '2026-03-29T00:00:00Z', to: '1775000000000' }, rome)).toEqual({
      from: at('2026-03-29T00:00:00Z'),
      to: 1_775_000_000_000,
    });
  });

  test('are limited to what RFC 3339 can represent', () => {
    const [first, last] = [at('0000-01-01T00:00:00Z'), at('9999-12-31T23:59:59.999Z')];
    expect(readInterval({ from: '0000-01-01', to: '0000-01-01' }, calendarOf('Europe/Rome')).from).toBe(first);
    expect(readInterval({ from: '9999-12-31', to: '9999-12-31' }, calendarOf('America/New_York')).to).toBe(last);
  });

  test('an unknown time zone is refused', () => {
    expect(() => calendarOf('Europe/Atlantis')).toThrow('Europe/Atlantis');
  });
});
