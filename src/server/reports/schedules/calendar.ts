import { MINUTE_MS } from '../../../platform/durations.ts';
import { addDays, dateAt, minuteAt, weekdayOf } from '../../tachograph/engine/timeline/zone.ts';
import type { ScheduleRow } from './store.ts';

type Rhythm = Pick<ScheduleRow, 'every' | 'day' | 'hour' | 'zone'>;

const isDay = (date: string, { every, day }: Rhythm): boolean =>
  every === 'week' ? weekdayOf(date) === day : Number(date.slice(8)) === day;

/** The first instant after `after` at which a report is due. Epoch ms. */
export function nextDue(rhythm: Rhythm, after: number): number {
  // in the zone, across changes of its clocks
  for (let date = dateAt(Math.floor(after / MINUTE_MS), rhythm.zone); ; date = addDays(date, 1)) {
    if (!isDay(date, rhythm)) continue;
    const at = minuteAt(date, rhythm.hour * 60, rhythm.zone) * MINUTE_MS;
    if (at > after) return at;
  }
}

/** First and last day of a report that is due at an instant: seven days, or the calendar month before. */
export function daysOf({ every, zone }: Rhythm, dueAt: number): { readonly from: string; readonly to: string } {
  const today = dateAt(Math.floor(dueAt / MINUTE_MS), zone);
  if (every === 'week') return { from: addDays(today, -7), to: addDays(today, -1) };
  const to = addDays(`${today.slice(0, 7)}-01`, -1);
  return { from: `${to.slice(0, 7)}-01`, to };
}
