import { HOUR_MS } from '../../../platform/durations.ts';
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

const DAYS_AHEAD = 8;

/** The first instant after another at which the hours begin or end; undefined if they never do. Accurate to a second. */
export function nextEdge(hours: Hours, zone: Zone, after: number): number | undefined {
  const before = isWithin(hours, zone, after);
  const today = zone.dayOf(after);
  for (let day = today; day <= today + DAYS_AHEAD; day++) {
    const found = edgesOf(hours, zone, day).find((at) => at > after && isWithin(hours, zone, at) !== before);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Instants of a local day at which hours may begin or end, in order. */
function edgesOf(hours: Hours, zone: Zone, days: number): number[] {
  const start = zone.startOfDay(days);
  const edges = [start];
  for (const day of Object.values(hours)) {
    for (const hour of [day?.min ?? 0, day?.max ?? 0]) {
      const wanted = start + Math.ceil(hour * 3_600) * 1_000;
      // where the clocks are changed on this day, the same time of day is earlier or later
      edges.push(...[-HOUR_MS, -HOUR_MS / 2, 0, HOUR_MS / 2, HOUR_MS].map((shift) => wanted + shift));
    }
  }
  return edges.sort((a, b) => a - b);
}
