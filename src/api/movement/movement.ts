import type { Cursors } from '../http/index.ts';
import type { AddressesOf } from '../places/index.ts';
import { type Calendar, calendarOf } from './calendar.ts';
import { readTimeZone } from './store.ts';
import type { Pools } from './trips.ts';
import type { VehicleLookup } from './vehicle-lookup.ts';

/** What the operations on movement stand on. */
export interface Movement {
  readonly pools: Pools;
  readonly vehicles: VehicleLookup;
  readonly cursors: Cursors;
  readonly addressesOf: AddressesOf | undefined;
  /** epoch ms */
  now(): number;
}

/** The calendar of the zone asked for, or of the tenant's. Throws AppError `invalid` for an unknown time zone. */
export async function calendarFor({ pools }: Movement, tenantId: number, zone: string | undefined): Promise<Calendar> {
  return calendarOf(zone ?? (await readTimeZone(pools.app, tenantId)));
}
