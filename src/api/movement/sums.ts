import { z } from 'zod';
import { AppError } from '../../platform/errors.ts';
import { type Route, route } from './trips.ts';

export const GROUPINGS = ['day', 'week', 'month', 'vehicle', 'driver'] as const;
export type Grouping = (typeof GROUPINGS)[number];

export const sums = z.object({
  routes: z.number().int(),
  distanceM: z.number().int(),
  drivingS: z.number().describe('moving'),
  idleS: z.number(),
  stops: z.number().int().describe('between two routes of a vehicle'),
  fuelUsedL: z.number().nullable().describe('null where no route knows'),
  maxSpeed: z.number(),
});
export const group = sums.extend({
  key: z.string().describe('2026-05-01, 2026-W18, 2026-05, a plate, or a driver’s id (empty: none)'),
  targa: z.string().optional(),
  driverId: z.string().nullable().optional(),
  items: z.array(route).optional(),
});
export type Group = z.output<typeof group>;

type Sums = z.output<typeof sums>;

/** The routes added up; those of each vehicle follow each other. */
export function addUp(routes: readonly Route[]): Sums {
  const fuel = routes.flatMap(({ fuelUsedL }) => fuelUsedL ?? []);
  return {
    routes: routes.length,
    distanceM: routes.reduce((sum, r) => sum + r.distanceM, 0),
    drivingS: round(routes.reduce((sum, r) => sum + r.movingS, 0)),
    idleS: round(routes.reduce((sum, r) => sum + r.idleS, 0)),
    stops: routes.filter((r, i) => i > 0 && routes[i - 1]!.targa === r.targa).length,
    fuelUsedL: fuel.length === 0 ? null : Math.round(fuel.reduce((a, b) => a + b, 0) * 100) / 100,
    maxSpeed: routes.reduce((max, r) => Math.max(max, r.maxSpeed), 0),
  };
}

const round = (seconds: number): number => Math.round(seconds * 1000) / 1000;

/** Routes by what they have in common, keys in order. A route belongs to the day that it begins in. */
export function groupRoutes(
  routes: readonly Route[],
  grouping: Grouping,
  timeZone: string,
  includeRoutes: boolean,
): Group[] {
  const keyOf = keyFor(grouping, timeZone);
  const byKey = new Map<string, Route[]>();
  for (const each of routes) {
    const key = keyOf(each);
    const list = byKey.get(key);
    if (list === undefined) byKey.set(key, [each]);
    else list.push(each);
  }
  return [...byKey]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, list]) => ({
      key,
      ...(grouping === 'vehicle' ? { targa: key } : {}),
      ...(grouping === 'driver' ? { driverId: key === '' ? null : key } : {}),
      ...addUp(list),
      ...(includeRoutes ? { items: list } : {}),
    }));
}

function keyFor(grouping: Grouping, timeZone: string): (route: Route) => string {
  if (grouping === 'vehicle') return ({ targa }) => targa;
  if (grouping === 'driver') return ({ driverId }) => driverId ?? '';
  const dayOf = localDay(timeZone);
  return ({ start }) => {
    const day = dayOf(Date.parse(start.at));
    return grouping === 'day' ? day : grouping === 'month' ? day.slice(0, 7) : weekOf(day);
  };
}

/** Epoch ms → YYYY-MM-DD there. Throws AppError `invalid` for a zone that nobody knows. */
export function localDay(timeZone: string): (epochMs: number) => string {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  } catch {
    throw new AppError('invalid', `No time zone is called ${timeZone}`, [{ pointer: '/tz', detail: 'unknown' }]);
  }
  return (epochMs) => format.format(epochMs);
}

/** ISO 8601 week of a date: the one that its Thursday lies in. */
export function weekOf(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + 4 - (date.getUTCDay() || 7));
  const year = date.getUTCFullYear();
  const week = Math.ceil(((date.getTime() - Date.UTC(year, 0, 1)) / 86_400_000 + 1) / 7);
  return `${year}-W${String(week).padStart(2, '0')}`;
}
