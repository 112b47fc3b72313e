import type pg from 'pg';
import type { Cursors } from '../../kernel/http/index.ts';
import type { AddressesOf } from '../places/index.ts';
import { type Calendar, calendarOf } from './calendar.ts';
import type { Interval } from './interval.ts';
import type { UnitSafety } from './safety-item.ts';
import { readTimeZone } from './store.ts';
import type { Pools } from './trips.ts';
import type { VehicleLookup } from './vehicle-lookup.ts';

/** Dependencies of the operations on movement. */
export interface Movement {
  readonly pools: Pools;
  /** from downloads of the vehicle's tachograph unit */
  readUnitSafety(app: pg.Pool, tenantId: number, of: Interval & { readonly targa: string }): Promise<UnitSafety>;
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
