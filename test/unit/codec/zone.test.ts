import { describe, expect, it } from 'vitest';
import { utcToZone, zoneToUtc } from '#codec';

const noon = Date.UTC(2024, 0, 15, 12);
const summer = Date.UTC(2024, 6, 15, 12);
const HOUR = 3_600_000;

describe('time zones of devices', () => {
  it.each([
    ['UTC', 0],
    ['GMT', 0],
    ['GMT+8', 8],
    ['UTC-03:30', -3.5],
    ['+0530', 5.5],
    ['Asia/Shanghai', 8],
    ['America/New_York', -5],
  ])('reads local time of %s', (zone, hours) => {
    expect(zoneToUtc(noon, zone)).toBe(noon - hours * HOUR);
    expect(utcToZone(noon, zone)).toBe(noon + hours * HOUR);
  });

  it('knows summer time, also close to the change', () => {
    expect(zoneToUtc(summer, 'America/New_York')).toBe(summer + 4 * HOUR);
    // Clocks in New York went from 02:00 to 03:00 on 10 March 2024.
    expect(zoneToUtc(Date.UTC(2024, 2, 10, 1, 59), 'America/New_York')).toBe(Date.UTC(2024, 2, 10, 6, 59));
    expect(zoneToUtc(Date.UTC(2024, 2, 10, 3, 1), 'America/New_York')).toBe(Date.UTC(2024, 2, 10, 7, 1));
  });

  it.each(['UTC', 'GMT+8', 'Europe/Rome'])('keeps a time that no calendar has as NaN in %s', (zone) => {
    expect(zoneToUtc(Number.NaN, zone)).toBeNaN();
  });

  it('names an unknown zone in its error', () => {
    expect(() => zoneToUtc(noon, 'Mars/Olympus')).toThrow('no time zone is called Mars/Olympus');
  });
});
