import { addDays, easterOf, weekdayOf } from '../timeline/zone.ts';

/** L. 260/1949 as amended; 4 October again from 2026 on (L. 151/2025). Month and day. */
const ITALIAN = ['01-01', '01-06', '04-25', '05-01', '06-02', '08-15', '11-01', '12-08', '12-25', '12-26'];

/** Sunday or public holiday of Italy, or one of the tenant's own (`yyyy-mm-dd`, or `mm-dd` of each year). */
export function isHoliday(date: string, own: readonly string[] = []): boolean {
  const year = Number(date.slice(0, 4));
  const day = date.slice(5);
  if (weekdayOf(date) === 7 || ITALIAN.includes(day) || own.includes(date) || own.includes(day)) return true;
  return (day === '10-04' && year >= 2026) || addDays(easterOf(year), 1) === date;
}
