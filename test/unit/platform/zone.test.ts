import { describe, expect, it } from 'vitest';
import { zoneOf } from '../../../src/platform/zone.ts';

const at = (text: string): number => Date.parse(text);
const hours = (zone: string, text: string): number => zoneOf(zone).offsetAt(at(text)) / 3_600_000;

describe('the offset of a zone', () => {
  it.each<[string, string, number]>([
    ['UTC', '2026-07-01T00:00:00Z', 0],
    ['Europe/Rome', '2026-01-01T00:00:00Z', 1],
    ['Europe/Rome', '2026-07-01T00:00:00Z', 2],
    ['Asia/Kathmandu', '2026-07-01T00:00:00Z', 5.75],
    ['Pacific/Kiritimati', '2026-07-01T00:00:00Z', 14],
    ['Pacific/Pago_Pago', '2026-07-01T00:00:00Z', -11],
  ])('%s at %s: %d h', (zone, text, expected) => expect(hours(zone, text)).toBe(expected));

  it('changes in the quarter of an hour in which clocks change, also after other instants of the day were asked', () => {
    const asked = ['2026-03-29T12:00:00Z', '2026-03-29T00:59:59.999Z', '2026-03-29T01:00:00Z', '2026-03-29T00:00:00Z'];
    expect(asked.map((text) => hours('Europe/Rome', text))).toEqual([2, 1, 2, 1]);
  });

  it('is that of the instant before 1970 as well', () => {
    // war time: two hours ahead in summer
    expect(hours('Europe/Rome', '1944-07-01T00:00:00.001Z')).toBe(2);
  });
});

describe('a day of a zone', () => {
  it('begins at its first instant, which is not midnight if clocks change then', () => {
    const cairo = zoneOf('Africa/Cairo');
    const day = at('2026-04-24T00:00:00Z') / 86_400_000;
    expect(cairo.startOfDay(day)).toBe(at('2026-04-23T22:00:00Z'));
    expect(cairo.dayOf(at('2026-04-23T21:59:59Z'))).toBe(day - 1);
  });

  it('is numbered from Monday', () => {
    expect(zoneOf('Asia/Tokyo').localTime(at('2026-06-01T16:30:00Z'))).toEqual({ day: 1, hour: 1.5 });
  });
});

it('a zone that does not exist throws', () => {
  expect(() => zoneOf('Europe/Atlantis')).toThrow(RangeError);
});
