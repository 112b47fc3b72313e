import { type Area, AreaError, readArea } from '../../geometry/wkt.ts';
import type { TraccarDevice, TraccarFleet, TraccarGroup, TraccarUser } from './source.ts';

export interface PlannedVehicle {
  readonly imei: string;
  readonly name: string;
  readonly targa: string;
  readonly model: string | undefined;
  readonly group: string | undefined;
}

export interface PlannedUser {
  readonly username: string;
  readonly name: string;
  readonly email: string | undefined;
  readonly role: 'admin' | 'manager' | 'dispatcher' | 'viewer';
  readonly active: boolean;
  readonly allVehicles: boolean;
  readonly targhe: readonly string[];
}

/** What Traccar's records become. */
export interface Plan {
  readonly groups: readonly { readonly name: string }[];
  readonly vehicles: readonly PlannedVehicle[];
  readonly drivers: readonly { readonly name: string; readonly uniqueId: string }[];
  readonly geofences: readonly {
    readonly name: string;
    readonly description: string | undefined;
    readonly area: Area;
  }[];
  readonly users: readonly PlannedUser[];
  /** one line each: what cannot be carried over, and why */
  readonly leftOut: readonly string[];
}

const PLATE = /^[A-Z0-9._:]{1,32}$/;
const DEVICE_ID = /^[A-Za-z0-9._:-]{1,64}$/;
const USERNAME = /^[a-z0-9][a-z0-9._@+-]{0,99}$/;
const RESERVED = new Set(['me', 'api', 'history', 'badge', 'export', 'import']);

/**
 * A Traccar device is a tracker and a vehicle at once: it becomes both, paired. Its name is the vehicle's plate where it
 * looks like one and no other device has it, otherwise its identifier is.
 */
export function planFrom(fleet: TraccarFleet): Plan {
  const leftOut: string[] = [];
  const groupNames = new Map(fleet.groups.map((group) => [group.id, pathOf(group, fleet.groups)]));
  const plates = countBy(fleet.devices, ({ name }) => normalise(name));
  const targaOf = ({ name, uniqueId }: TraccarDevice): string => {
    const plate = normalise(name);
    return PLATE.test(plate) && plates.get(plate) === 1 ? plate : normalise(uniqueId);
  };
  const devices = fleet.devices.filter(({ name, uniqueId, disabled }) => {
    const why = disabled ? 'it is disabled' : DEVICE_ID.test(uniqueId) ? undefined : `${uniqueId} is no device id here`;
    if (why !== undefined) leftOut.push(`device ${name}: ${why}`);
    return why === undefined;
  });
  const targhe = new Map(devices.map((device) => [device.id, targaOf(device)]));
  leftOut.push(...linksLeftOut(fleet));
  return {
    groups: [...new Set(groupNames.values())].map((name) => ({ name })),
    vehicles: devices.map((device) => ({
      imei: device.uniqueId,
      name: device.name.slice(0, 200),
      targa: targaOf(device),
      model: device.model?.slice(0, 100) || undefined,
      group: groupNames.get(device.groupId ?? 0),
    })),
    drivers: fleet.drivers.map(({ name, uniqueId }) => ({ name: name.slice(0, 200), uniqueId })),
    geofences: fleet.geofences.flatMap(({ id, name, description, area, attributes }) => {
      const distance = attributes?.['polylineDistance'];
      try {
        const own = fleet.geofences.filter((other) => other.name === name).length > 1 ? `${name} (${id})` : name;
        const shape = readArea(area, typeof distance === 'number' ? distance : undefined);
        return [{ name: own, description: description || undefined, area: shape }];
      } catch (error) {
        if (!(error instanceof AreaError)) throw error;
        leftOut.push(`geofence ${name}: ${error.message}`);
        return [];
      }
    }),
    users: fleet.users.map((user) => ({
      username: usernameOf(user),
      name: user.name,
      email: user.email?.includes('@') ? user.email.toLowerCase() : undefined,
      role: roleOf(user),
      active: user.disabled !== true,
      allVehicles: user.administrator === true,
      targhe: (fleet.devicesOf.get(user.id) ?? []).flatMap((id) => targhe.get(id) ?? []),
    })),
    leftOut,
  };
}

/** What Traccar links without saying since when, or what for. */
function linksLeftOut({ drivers, geofences }: TraccarFleet): string[] {
  return [
    ...(drivers.length === 0
      ? []
      : ['which drivers are linked to which devices: a pairing here says who drives a vehicle, and from when']),
    ...(geofences.length === 0
      ? []
      : ['which geofences are linked to which devices, groups and users: a rule here names its fences and vehicles']),
  ];
}

const normalise = (name: string): string => name.toUpperCase().replace(/[\s-]/g, '');

function countBy<T>(items: readonly T[], key: (item: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(key(item), (counts.get(key(item)) ?? 0) + 1);
  return counts;
}

/** Groups of Traccar are nested; here the path becomes the name: `Italy / Rome`. */
function pathOf(group: TraccarGroup, groups: readonly TraccarGroup[]): string {
  const names = [group.name];
  const seen = new Set([group.id]);
  for (let at = group; ; ) {
    const above = groups.find(({ id }) => id === at.groupId);
    if (above === undefined || seen.has(above.id)) return names.join(' / ').slice(0, 200);
    seen.add(above.id);
    names.unshift(above.name);
    at = above;
  }
}

function usernameOf({ id, login, email }: TraccarUser): string {
  const name = (login || email || '').toLowerCase();
  return USERNAME.test(name) && !RESERVED.has(name) && !name.startsWith('usr_') ? name : `traccar-${id}`;
}

/** In Traccar, a user with a user limit is a manager. */
function roleOf({ administrator, readonly, deviceReadonly, userLimit }: TraccarUser): PlannedUser['role'] {
  if (administrator) return 'admin';
  if ((userLimit ?? 0) !== 0) return 'manager';
  return readonly || deviceReadonly ? 'viewer' : 'dispatcher';
}
