import type { StoredPosition } from '../../../contract/internal.ts';
import type { Data, Ids } from './ids/service.ts';
import { all, type Operations, pathOf, unless } from './operations.ts';
import { type TraccarPosition, toTraccarPosition } from './position.ts';
import { attributesOf, numberOf, textOf } from './record-values.ts';

/** A device of this API, as far as it is used here. */
interface OwnDevice {
  readonly imei: string;
  readonly name: string | null;
  readonly state: 'online' | 'offline' | 'unknown';
  readonly lastSeenAt: string | null;
  readonly protocol?: string | null;
  readonly options: Readonly<Record<string, string | number | boolean>>;
}

/** A vehicle of this API, as far as it is used here. */
export interface OwnVehicle {
  readonly id: string;
  readonly targa: string;
  readonly imei: string | null;
  readonly make: string | null;
  readonly model: string | null;
  readonly group: string | null;
  readonly driver: { readonly id: string; readonly name: string } | null;
  readonly lastPosition: StoredPosition | null;
}

/** As Traccar's interface describes it. */
export interface TraccarDevice {
  readonly id: number;
  readonly name: string;
  readonly uniqueId: string;
  readonly status: 'online' | 'offline' | 'unknown';
  readonly disabled: boolean;
  readonly lastUpdate: string | null;
  readonly positionId: number;
  readonly groupId: number;
  readonly phone: unknown;
  readonly model: string | null;
  readonly contact: unknown;
  readonly category: unknown;
  readonly expirationTime: unknown;
  readonly calendarId: number;
  readonly attributes: object;
}

/** A device with the vehicle that it is in. */
export interface FleetDevice {
  readonly device: TraccarDevice;
  readonly imei: string;
  /** of its session, the present or the last one */
  readonly protocol: string | null;
  readonly vehicle: OwnVehicle | undefined;
  readonly position: TraccarPosition | undefined;
}

export interface Fleet {
  /** All devices that the caller may see. */
  all(): Promise<FleetDevice[]>;
  /** Throws AppError `unknown-device`. */
  one(imei: string): Promise<FleetDevice>;
}

const AT_ONCE = 10;
const WITH_POSITION = { include: 'lastPosition' };

/** Devices with their vehicles, groups and last positions, as the caller sees them. */
export function createFleet(operations: Operations, ids: Ids, tenantId: number): Fleet {
  /** groups are known by their name in vehicles */
  async function groupNumbers(): Promise<ReadonlyMap<string, number>> {
    const groups = await all(operations.list<{ id: string; name: string }>('/v1/groups'));
    const numbers = await ids.numbersOf(
      tenantId,
      'group',
      groups.map(({ id }) => id),
    );
    return new Map(groups.map(({ id, name }) => [name, numbers.get(id)!]));
  }

  /** of a device that is in no vehicle: no list has it, and the limit of requests counts each */
  const positionOf = (imei: string): Promise<StoredPosition | undefined> =>
    unless(
      ['unknown-device', 'no-position-yet', 'missing-scope'],
      operations.call<StoredPosition>('GET', pathOf`/v1/vehicles/imei/${imei}/position`),
    );

  async function present(
    own: OwnDevice,
    vehicle: OwnVehicle | undefined,
    groups: ReadonlyMap<string, number>,
    data: Data = {},
  ): Promise<FleetDevice> {
    const id = await ids.numberOf(tenantId, 'device', own.imei);
    const last = vehicle === undefined ? await positionOf(own.imei) : vehicle.lastPosition;
    const position = last ? toTraccarPosition(last, id) : undefined;
    const device: TraccarDevice = {
      id,
      name: own.name ?? vehicle?.targa ?? own.imei,
      uniqueId: own.imei,
      status: own.lastSeenAt === null ? 'unknown' : own.state,
      disabled: false,
      lastUpdate: own.lastSeenAt,
      positionId: position?.id ?? 0,
      groupId: vehicle === undefined ? numberOf(data['groupId']) : (groups.get(vehicle.group ?? '') ?? 0),
      phone: data['phone'] ?? null,
      model: vehicle === undefined ? (textOf(data['model']) ?? null) : vehicle.model,
      contact: data['contact'] ?? null,
      category: data['category'] ?? null,
      expirationTime: data['expirationTime'] ?? null,
      calendarId: numberOf(data['calendarId']),
      attributes: attributesOf(data),
    };
    return { device, imei: own.imei, protocol: own.protocol ?? position?.protocol ?? null, vehicle, position };
  }

  return {
    async all() {
      const [devices, vehicles, groups] = await Promise.all([
        all(operations.list<OwnDevice>('/v1/devices')),
        all(operations.list<OwnVehicle>('/v1/vehicles', WITH_POSITION)),
        groupNumbers(),
      ]);
      const imeis = devices.map(({ imei }) => imei);
      await ids.numbersOf(tenantId, 'device', imeis);
      const data = await ids.dataOf(tenantId, 'device', imeis);
      const byDevice = new Map(vehicles.map((vehicle) => [vehicle.imei, vehicle]));
      const found: FleetDevice[] = [];
      for (let i = 0; i < devices.length; i += AT_ONCE) {
        const some = devices.slice(i, i + AT_ONCE);
        found.push(
          ...(await Promise.all(some.map((own) => present(own, byDevice.get(own.imei), groups, data.get(own.imei))))),
        );
      }
      return found;
    },
    async one(imei) {
      const [own, vehicle, groups] = await Promise.all([
        operations.call<OwnDevice>('GET', pathOf`/v1/devices/${imei}`),
        unless(
          ['unknown-vehicle'],
          operations.call<OwnVehicle>('GET', `${pathOf`/v1/vehicles/imei/${imei}`}?include=lastPosition`),
        ),
        groupNumbers(),
      ]);
      const data = await ids.dataOf(tenantId, 'device', [imei]);
      return present(own, vehicle, groups, data.get(imei));
    },
  };
}
