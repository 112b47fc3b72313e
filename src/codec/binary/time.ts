import { utcFromParts } from '../calendar.ts';
import type { Reader } from '../reader.ts';
import { zoneToUtc } from '../zone.ts';
import { type NumberType, readerOf } from './number-types.ts';
import type { Field, Scope } from './scope.ts';

/** `device`: when the record was made. `fix`: the same, and when the fix was: the record has one. */
type Clock = 'device' | 'fix';

function setTime({ into }: Scope, clock: Clock, time: number): void {
  into.deviceTime = time;
  if (clock === 'device') return;
  into.fixTime = time;
  if (into.hasFix === false) into.hasFix = true;
}

/** A time in units of `unit` ms since the epoch ms `since`. */
export function time(clock: Clock, kind: NumberType, unit: number, since: number): Field {
  const read = readerOf(kind);
  return (scope) => setTime(scope, clock, read(scope.reader) * unit + since);
}

/** offsets in ms of the usual zones, without a lookup in the database of time zones */
const FIXED_ZONES: ReadonlyMap<string, number> = new Map([
  ['UTC', 0],
  ['GMT+8', 8 * 3_600_000],
]);

const toInstant = (wallClockMs: number, zone: string): number => {
  const fixed = FIXED_ZONES.get(zone);
  return fixed === undefined ? zoneToUtc(wallClockMs, zone) : wallClockMs - fixed;
};

/** Six bytes of two decimal digits, year to second, in the zone, as epoch ms. NaN for a reading that no calendar has. */
function readBcdTime(reader: Reader, zone: string): number {
  return toInstant(reader.bcdDate6(), zone);
}

/** The same, day first. */
export function readBcdTimeByDay(reader: Reader, zone: string): number {
  const day = reader.bcd();
  const month = reader.bcd();
  return toInstant(utcFromParts(reader.bcd(), month, day, reader.bcd(), reader.bcd(), reader.bcd()), zone);
}

/** Six bytes, year to second, as numbers, in the zone of the device's clock. */
export function binaryTime(clock: Clock): Field {
  return (scope) => setTime(scope, clock, toInstant(scope.reader.date6(), scope.zone));
}

/** Six bytes of two decimal digits in the zone of the device's clock, or in UTC. */
export function bcdTime(clock: Clock, order: 'year first' | 'day first' = 'year first', utc?: 'UTC'): Field {
  const read = order === 'year first' ? readBcdTime : readBcdTimeByDay;
  return (scope) => setTime(scope, clock, read(scope.reader, utc ?? scope.zone));
}
