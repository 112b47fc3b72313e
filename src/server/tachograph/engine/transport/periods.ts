import { addDays, dateAt, minuteAt, weekdayOf } from '../timeline/zone.ts';
import type { Seconds } from '../values.ts';

/** Ends of a period of days, each the midnight after its last day. */
export interface PeriodEnd {
  /** By calendar days. */
  readonly calendar: Seconds;
  /** By article 3 of Regulation 1182/71, with Saturdays and Sundays; public holidays are not known. */
  readonly extended: Seconds;
}

/**
 * A period of days that begins with an event: the day of the event does not count (Regulation 1182/71, article 3(1)). A
 * period that ends on a day that is no working day lasts until the next one (3(4)), and contains two working days (3(5)).
 */
export function daysAfter(event: Seconds, days: number, zone: string): PeriodEnd {
  const first = addDays(dateAt(Math.floor(event / 60), zone), 1);
  const last = addDays(first, days - 1);
  let extended = last;
  while (!isWorkingDay(extended) || workingDays(first, extended) < 2) extended = addDays(extended, 1);
  return { calendar: midnightAfter(last, zone), extended: midnightAfter(extended, zone) };
}

const isWorkingDay = (date: string): boolean => weekdayOf(date) <= 5;

function workingDays(first: string, last: string): number {
  let count = 0;
  for (let date = first; date <= last; date = addDays(date, 1)) if (isWorkingDay(date)) count++;
  return count;
}

const midnightAfter = (date: string, zone: string): Seconds => minuteAt(addDays(date, 1), 0, zone) * 60;
