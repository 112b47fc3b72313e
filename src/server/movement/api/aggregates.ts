import { z } from 'zod';
import { DAY_MS } from '../../../platform/durations.ts';
import { member } from '../../kernel/http/index.ts';
import type { Calendar } from './calendar.ts';
import { consumption, type Route, route } from './trips.ts';

export const GROUPINGS = ['day', 'week', 'month', 'vehicle', 'driver'] as const;
export type Grouping = (typeof GROUPINGS)[number];

export const aggregateSchema = z.object({
  routes: z.number().int(),
  distanceM: z.number().int(),
  drivingS: z.number().describe('moving'),
  idleS: z.number(),
  stops: z.number().int().describe('between two routes of a vehicle'),
  fuelUsedL: z.number().nullable().describe('null where no route knows'),
  litresPer100Km: z.number().nullable().describe('of the routes whose fuel is known'),
  litresPerHour: z.number().nullable().describe('likewise, of their duration'),
  maxSpeed: z.number(),
});
export const group = aggregateSchema.extend({
  key: z.string().describe('2026-05-01, 2026-W18, 2026-05, a plate, or a driver’s id (empty: none)'),
  targa: member.targa.optional(),
  driverId: member.driverId.nullable().optional(),
  items: z.array(route).optional(),
});
export type Group = z.output<typeof group>;

/** Routes added up as they come. */
export class Aggregate {
  #routes = 0;
  #distanceM = 0;
  #drivingS = 0;
  #idleS = 0;
  #fuelUsedL: number | null = null;
  /** of routes whose fuel is known */
  #fuelledM = 0;
  #fuelledS = 0;
  #maxSpeed = 0;
  /** between the first route of each and its last, there is a stop before each but the first */
  readonly #vehicles = new Set<number>();

  /** `vehicle`: which of those asked for */
  add(vehicle: number, { distanceM, durationS, movingS, idleS, fuelUsedL, maxSpeed }: Route): void {
    this.#routes++;
    this.#distanceM += distanceM;
    this.#drivingS += movingS;
    this.#idleS += idleS;
    if (fuelUsedL !== null) {
      this.#fuelUsedL = (this.#fuelUsedL ?? 0) + fuelUsedL;
      this.#fuelledM += distanceM;
      this.#fuelledS += durationS;
    }
    this.#maxSpeed = Math.max(this.#maxSpeed, maxSpeed);
    this.#vehicles.add(vehicle);
  }

  get shown(): z.output<typeof aggregateSchema> {
    return {
      routes: this.#routes,
      distanceM: this.#distanceM,
      drivingS: round(this.#drivingS),
      idleS: round(this.#idleS),
      stops: this.#routes - this.#vehicles.size,
      fuelUsedL: this.#fuelUsedL === null ? null : Math.round(this.#fuelUsedL * 100) / 100,
      ...consumption(this.#fuelUsedL, this.#fuelledM, this.#fuelledS),
      maxSpeed: this.#maxSpeed,
    };
  }
}

const round = (seconds: number): number => Math.round(seconds * 1000) / 1000;

/** Routes by what they have in common. A route belongs to the day that it begins in. */
export class Groups {
  readonly totals = new Aggregate();
  readonly #grouping: Grouping;
  readonly #keyOf: (route: Route) => string;
  readonly #byKey = new Map<string, Aggregate>();

  constructor(grouping: Grouping, calendar: Calendar) {
    this.#grouping = grouping;
    this.#keyOf = keyFor(grouping, calendar);
  }

  add(vehicle: number, route: Route): void {
    this.totals.add(vehicle, route);
    const key = this.#keyOf(route);
    const own = this.#byKey.get(key) ?? new Aggregate();
    this.#byKey.set(key, own);
    own.add(vehicle, route);
  }

  /** In the order of their keys, with those of the routes that belong to each. */
  *shown(routes?: readonly Route[]): Iterable<Group> {
    const items = new Map<string, Route[]>();
    for (const route of routes ?? []) {
      const key = this.#keyOf(route);
      const list = items.get(key);
      if (list === undefined) items.set(key, [route]);
      else list.push(route);
    }
    const grouping = this.#grouping;
    for (const [key, own] of [...this.#byKey].sort(([a], [b]) => (a < b ? -1 : 1))) {
      yield {
        key,
        ...(grouping === 'vehicle' ? { targa: key } : {}),
        ...(grouping === 'driver' ? { driverId: key === '' ? null : key } : {}),
        ...own.shown,
        ...(routes === undefined ? {} : { items: items.get(key) ?? [] }),
      };
    }
  }
}

function keyFor(grouping: Grouping, calendar: Calendar): (route: Route) => string {
  if (grouping === 'vehicle') return ({ targa }) => targa;
  if (grouping === 'driver') return ({ driverId }) => driverId ?? '';
  return ({ start }) => {
    const day = calendar.dayOf(Date.parse(start.at));
    return grouping === 'day' ? day : grouping === 'month' ? day.slice(0, -3) : weekOf(day);
  };
}

/** ISO 8601 week of a date: the one that its Thursday lies in. */
export function weekOf(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + 4 - (date.getUTCDay() || 7));
  const year = date.getUTCFullYear();
  const week = Math.ceil(((date.getTime() - Date.UTC(year, 0, 1)) / DAY_MS + 1) / 7);
  return `${year}-W${String(week).padStart(2, '0')}`;
}
