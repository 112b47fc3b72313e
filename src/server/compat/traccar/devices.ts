import { AppError } from '../../../platform/errors.ts';
import type { FleetDevice } from './device.ts';
import { devicesOfUser } from './granted.ts';
import { groupNameOf } from './groups.ts';
import type { ListQuery } from './list-query.ts';
import { pathOf, unless } from './operations.ts';
import { numberOf, pick, textOf, type Values } from './record-values.ts';
import { type Context, notImplemented } from './request.ts';
import type { Resource } from './resource.ts';

/** Members of a device that only clients use. */
const KEPT = ['phone', 'contact', 'category', 'attributes', 'expirationTime', 'calendarId'] as const;
/** stored here while the device is in no vehicle; otherwise they belong to the vehicle */
const OF_VEHICLE = ['model', 'groupId'] as const;

const PLATE = /^[A-Z0-9._:]{1,32}$/;
const normalise = (targa: string): string => targa.toUpperCase().replace(/[\s-]/g, '');

/** Devices of Traccar are a device and the vehicle that it is in. */
export const devices: Resource = {
  path: 'devices',
  kind: 'device',
  searched: ['name', 'uniqueId', 'phone', 'model', 'contact'],
  refused: { deviceId: 'Devices are not linked to each other here' },
  /** Those of the named ones that are there, those of a user, or all. */
  async list(context, query) {
    const { ids, tenantId, fleet } = context;
    const { ids: numbers, uniqueIds } = query;
    const imeis = [...uniqueIds];
    const isNamed = numbers.length + imeis.length > 0;
    for (const number of numbers) {
      const imei = await unless(['not-found'], ids.keyOf(tenantId, 'device', number));
      if (imei !== undefined) imeis.push(imei);
    }
    const named = imeis.map((imei) => unless(['unknown-device'], fleet.one(imei)));
    const found = isNamed ? (await Promise.all(named)).flatMap((one) => one ?? []) : await unnamed(context, query);
    return found.map(({ device }) => ({ ...device }));
  },
  one: async ({ fleet }, imei) => ({ ...(await fleet.one(imei)).device }),
  async create(context, body) {
    const { operations } = context;
    const { name, uniqueId: imei } = namesOf(body);
    demandEnabled(body);
    await operations.call('POST', '/v1/devices', { imei, name });
    try {
      await join(context, imei, name, body);
    } catch (error) {
      await operations.call('DELETE', pathOf`/v1/devices/${imei}`);
      throw error;
    }
    return save(context, imei, body);
  },
  async change(context, imei, body) {
    const { operations, fleet } = context;
    const { name, uniqueId } = namesOf(body);
    demandEnabled(body);
    if (uniqueId !== imei) throw notImplemented('The identifier of a device does not change here: add another device');
    await operations.call('PATCH', pathOf`/v1/devices/${imei}`, { name });
    const { vehicle, device } = await fleet.one(imei);
    const group = numberOf(body['groupId']);
    const model = textOf(body['model']) ?? null;
    if (vehicle !== undefined && (group !== device.groupId || model !== device.model)) {
      await operations.call('PATCH', pathOf`/v1/vehicles/${vehicle.targa}`, {
        group: await groupNameOf(context, group),
        model,
      });
    }
    return save(context, imei, body);
  },
  remove: ({ operations }, imei) => operations.call('DELETE', pathOf`/v1/devices/${imei}`),
};

/** `all`: whatever the caller sees. */
async function unnamed(context: Context, { userId, all: isAll }: ListQuery): Promise<FleetDevice[]> {
  const { ids, tenantId, fleet } = context;
  if (userId === 0 || isAll) return fleet.all();
  return devicesOfUser(context, await ids.keyOf(tenantId, 'user', userId));
}

function namesOf({ name, uniqueId }: Values): { readonly name: string; readonly uniqueId: string } {
  const names = { name: textOf(name), uniqueId: textOf(uniqueId) };
  const lacking = Object.entries(names).filter(([, value]) => value === undefined);
  if (lacking.length > 0) {
    const problems = lacking.map(([member]) => ({ pointer: `/${member}`, detail: 'required' }));
    throw new AppError('invalid', 'The body is not valid', problems);
  }
  return names as { name: string; uniqueId: string };
}

function demandEnabled({ disabled }: Values): void {
  if (disabled === true) throw notImplemented('Devices are not disabled here: remove the device instead');
}

/** Into a vehicle of its name where that looks like a plate, as the importer does it; otherwise of its identifier. */
async function join(context: Context, imei: string, name: string, body: Values): Promise<void> {
  const { operations } = context;
  const plate = normalise(name);
  const isFree = async (targa: string): Promise<boolean> =>
    (await unless(['unknown-vehicle'], operations.call('GET', pathOf`/v1/vehicles/${targa}`))) === undefined;
  const targa = PLATE.test(plate) && (await isFree(plate)) ? plate : normalise(imei);
  if (await isFree(targa)) {
    const group = await groupNameOf(context, numberOf(body['groupId']));
    const model = textOf(body['model']);
    await operations.call('POST', '/v1/vehicles', { targa, model: model ?? null, group });
  }
  await operations.call('POST', '/v1/pairings', { targa, imei });
}

async function save({ fleet, ids, tenantId }: Context, imei: string, body: Values) {
  const { vehicle } = await fleet.one(imei);
  const kept = pick(body, vehicle === undefined ? [...KEPT, ...OF_VEHICLE] : KEPT);
  await ids.setData(tenantId, 'device', new Map([[imei, kept]]));
  return { ...(await fleet.one(imei)).device };
}
