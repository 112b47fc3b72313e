import type { Cursors } from '../http/lists.ts';
import type { Pools } from './trips.ts';
import type { VehicleLookup } from './vehicle-lookup.ts';

/** What the operations on movement stand on. */
export interface Movement {
  readonly pools: Pools;
  readonly vehicles: VehicleLookup;
  readonly cursors: Cursors;
  /** epoch ms */
  now(): number;
}
