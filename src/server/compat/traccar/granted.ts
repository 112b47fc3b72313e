import { type Scope, scopesOf } from '../../kernel/access/index.ts';
import type { FleetDevice } from './device.ts';
import { pathOf } from './operations.ts';
import type { Context } from './request.ts';
import type { OwnUser } from './user.ts';

/** A user and the vehicles assigned to the user. */
export interface Granted extends OwnUser {
  readonly allVehicles: boolean;
  readonly targhe: readonly string[];
}

/** Throws AppError if the caller may not read it. */
export const grantedOf = ({ operations }: Context, key: string): Promise<Granted> =>
  operations.call('GET', pathOf`/v1/users/${key}`);

/** A device by the vehicle that it is in. */
export const isGiven = ({ allVehicles, targhe }: Granted, { vehicle }: FleetDevice): boolean =>
  allVehicles || (vehicle !== undefined && targhe.includes(vehicle.targa));

/** Devices that a user is given, as far as the caller sees them. */
export async function devicesOfUser(context: Context, key: string): Promise<FleetDevice[]> {
  const { fleet, caller } = context;
  if (key === caller.principal.id) return fleet.all();
  const user = await grantedOf(context, key);
  return (await fleet.all()).filter((device) => isGiven(user, device));
}

/**
 * Does a user see the records of the tenant that this scope is needed for? Without a scope everyone does. Throws
 * AppError if the caller may not ask for that user.
 */
export async function isSeenBy(context: Context, userId: number, scope: Scope | undefined): Promise<boolean> {
  const { ids, tenantId, caller } = context;
  const key = await ids.keyOf(tenantId, 'user', userId);
  // the operation refuses what the caller may not read
  if (key === caller.principal.id) return true;
  const user = await grantedOf(context, key);
  return scope === undefined || scopesOf(user, false).includes(scope);
}
