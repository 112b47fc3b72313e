import fc from 'fast-check';
import { expect, it } from 'vitest';
import { calendarReader, fixFlags, Reader, utcFromCalendar, withHemisphere } from '#codec';

it('a mask of north or east negates where it is absent, one of south or west where it is set', () => {
  const northEast = fixFlags({ valid: 0x0c, north: 2, east: 1 });
  const southWest = fixFlags({ south: 4, west: 8 });
  expect([northEast.isValid(0x04), northEast.isValid(0x03)]).toEqual([true, false]);
  expect([northEast.latitude(2, 48.5), northEast.longitude(2, 11.5)]).toEqual([48.5, -11.5]);
  expect([southWest.latitude(4, 48.5), southWest.longitude(4, 11.5), southWest.isValid(0)]).toEqual([
    -48.5,
    11.5,
    true,
  ]);
});

it('the equator has no negative zero', () => {
  expect(Object.is(withHemisphere(0, 'S'), 0)).toBe(true);
  expect(Object.is(fixFlags({ south: 1 }).latitude(1, 0), 0)).toBe(true);
});

it('only S and W are negative', () => {
  expect(['N', 'E', '', undefined, 'S', 'W'].map((letter) => withHemisphere(3, letter))).toEqual([3, 3, 3, 3, -3, -3]);
});

const isDayOf = (year: number, month: number, day: number): boolean => {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
};

it('a calendar time is that of Date.UTC if the calendar has it, in the years that are usual and in others', () => {
  const byte = fc.oneof(
    fc.integer({ min: 0, max: 32 }),
    fc.integer({ min: 0, max: 61 }),
    fc.integer({ min: 0, max: 255 }),
  );
  const year = fc.oneof(fc.integer({ min: 1990, max: 2300 }), fc.integer({ min: 0, max: 65_535 }));
  fc.assert(
    fc.property(year, byte, byte, byte, byte, byte, (y, month, day, hour, minute, second) => {
      const time = Date.UTC(y, month - 1, day, hour, minute, second);
      const date = new Date(time);
      const isSame = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && date.getUTCHours() === hour;
      const isExact = isSame && date.getUTCMinutes() === minute && date.getUTCSeconds() === second;
      // the leap second begins the next minute
      const isLeapSecond = second === 60 && hour < 24 && minute < 60 && isDayOf(y, month, day);
      const expected = isExact || isLeapSecond ? time : Number.NaN;
      expect(utcFromCalendar(y, month, day, hour, minute, second)).toBe(expected);
    }),
  );
});

it('a calendar time is read in the order of its bytes', () => {
  const time = Date.UTC(2024, 5, 15, 10, 15, 30);
  expect(calendarReader('YMdHms')(new Reader(Uint8Array.of(0x07, 0xe8, 6, 15, 10, 15, 30)))).toBe(time);
  expect(calendarReader('dMyHms')(new Reader(Uint8Array.of(15, 6, 24, 10, 15, 30)))).toBe(time);
  expect(calendarReader('HmsdMy', 'bcd')(new Reader(Uint8Array.of(0x10, 0x15, 0x30, 0x15, 0x06, 0x24)))).toBe(time);
});
