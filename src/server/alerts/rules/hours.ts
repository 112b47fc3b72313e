import type { Zone } from '../../../platform/zone.ts';

export const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
export type Day = (typeof DAYS)[number];

/** Hours of a day as decimals, 0 to 24 (8.5 = 08:30); `min` later than `max` runs on past midnight. */
export interface DayHours {
  readonly min: number;
  readonly max: number;
  readonly all_day: boolean;
}

/** A missing day has no hours. */
export type Hours = Readonly<Partial<Record<Day, DayHours | undefined>>>;

/** Is the instant within the hours, in local time of the zone? `max` itself is outside. */
export function isWithin(hours: Hours, zone: Zone, epochMs: number): boolean {
  const { day, hour } = zone.localTime(epochMs);
  const today = hours[DAYS[day]!];
  if (today?.all_day === true) return true;
  if (today !== undefined && hour >= today.min && (hour < today.max || today.min > today.max)) return true;
  const yesterday = hours[DAYS[(day + 6) % 7]!];
  return yesterday !== undefined && !yesterday.all_day && yesterday.min > yesterday.max && hour < yesterday.max;
}
