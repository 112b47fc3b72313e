import type pg from 'pg';
import { AppError } from '../../../platform/errors.ts';
import { asWholeTenant } from '../../../platform/restriction.ts';
import { storableJson, storableText } from '../../database/index.ts';
import { type Cursors, toInstant, toInstantOrNull, toPage } from '../../kernel/http/index.ts';
import { forgetUnregisteredDevices } from '../directory/index.ts';
import type { Device, DeviceChange, DeviceRoom, Registration } from './schema.ts';
import * as store from './store.ts';

export interface DeviceQuery {
  readonly state?: Device['state'] | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface DeviceService {
  /** By device id. Throws AppError `bad-cursor`. */
  list(tenantId: number, query: DeviceQuery): Promise<{ items: Device[]; nextCursor: string | null }>;
  /** Throws AppError `unknown-device`, as the others do. */
  find(tenantId: number, imei: string): Promise<Device>;
  /**
   * Throws AppError `conflict` if the tenant has it, `too-many-unseen-devices`. The id of another tenant’s device
   * looks like a new one.
   */
  register(tenantId: number, device: Registration): Promise<Device>;
  /** How many further devices the tenant can register. */
  room(tenantId: number): Promise<DeviceRoom>;
  /** Throws AppError `too-many-unseen-devices` if those of the devices that are new cannot all be registered. */
  requireRoom(tenantId: number, imeis: readonly string[]): Promise<void>;
  change(tenantId: number, imei: string, change: DeviceChange): Promise<Device>;
  /** Removes a device. Its records are inaccessible at once and deleted in the background. */
  remove(tenantId: number, imei: string): Promise<void>;
  /** Gateways end its session and do not admit it; its records stay. */
  block(tenantId: number, imei: string, note: string | null): Promise<Device>;
  unblock(tenantId: number, imei: string): Promise<Device>;
}

/** per tenant: devices that have never connected */
const MAX_UNSEEN_DEVICES = 10_000;

export function createDeviceService(
  pools: { app: pg.Pool; ingest: pg.Pool },
  cursors: Cursors,
  mostUnseen = MAX_UNSEEN_DEVICES,
): DeviceService {
  const { app, ingest } = pools;
  // counted for the whole tenant, not for the vehicles of one user
  const countUnseen = (tenantId: number) => asWholeTenant(() => store.countUnseenDevices(app, tenantId, mostUnseen));
  const room = createRoom(countUnseen, mostUnseen);
  const leftOf = async (tenantId: number): Promise<number> => Math.max(0, mostUnseen - (await countUnseen(tenantId)));
  const find = async (tenantId: number, imei: string): Promise<Device> => {
    const row = await store.findDevice(app, tenantId, imei);
    if (row === undefined) throw new AppError('unknown-device');
    return present(row);
  };
  return {
    find,
    async list(tenantId, { state, limit, cursor }) {
      const filter = ['devices', tenantId, state ?? 'registered'];
      const after = cursor === undefined ? '' : String(cursors.read(cursor, filter)[0]);
      const next = ({ imei }: { imei: string }): string => cursors.write([imei], filter);
      if (state === 'unknown') {
        return toPage(
          await store.listUnregisteredDevices(app, tenantId, after, limit + 1),
          limit,
          presentUnregistered,
          next,
        );
      }
      const online = state === undefined ? undefined : state === 'online';
      return toPage(await store.listDevices(app, tenantId, { online, after, limit: limit + 1 }), limit, present, next);
    },
    async register(tenantId, { imei, name = null, options = {} }) {
      const storable = { imei, name: name === null ? null : storableText(name), options: clean(options) };
      const isTaken = (): AppError => new AppError('conflict', `${imei} is registered already`);
      if (!(await room.take(tenantId))) {
        if ((await store.findDevice(app, tenantId, imei)) !== undefined) throw isTaken();
        throw tooMany(1, 0, mostUnseen);
      }
      if (!(await store.insertDevice(app, tenantId, storable))) throw isTaken();
      await forgetUnregisteredDevices(ingest, [imei]);
      return find(tenantId, imei);
    },
    room: async (tenantId) =>
      mostUnseen === 0 ? { limit: null, left: null } : { limit: mostUnseen, left: await leftOf(tenantId) },
    async requireRoom(tenantId, imeis) {
      if (mostUnseen === 0) return;
      const wanted = new Set(imeis);
      const isNew = wanted.size - (await store.countDevices(app, tenantId, [...wanted]));
      if (isNew === 0) return;
      const left = await leftOf(tenantId);
      if (isNew > left) throw tooMany(isNew, left, mostUnseen);
    },
    async change(tenantId, imei, { name, options, pinnedProtocol }) {
      const storable = {
        pinnedProtocol,
        name: typeof name === 'string' ? storableText(name) : name,
        options: options === undefined ? undefined : clean(options),
      };
      if (!(await store.updateDevice(app, tenantId, imei, storable))) throw new AppError('unknown-device');
      return find(tenantId, imei);
    },
    async block(tenantId, imei, note) {
      if (!(await store.blockDevice(app, tenantId, imei, note === null ? null : storableText(note)))) {
        throw new AppError('unknown-device');
      }
      return find(tenantId, imei);
    },
    async unblock(tenantId, imei) {
      await store.admitDevice(app, tenantId, imei);
      return find(tenantId, imei);
    },
    async remove(tenantId, imei) {
      if (!(await store.deleteDevice(app, tenantId, imei))) throw new AppError('unknown-device');
    },
  };
}

/**
 * Number of further unseen devices that each tenant may register. After a count, half of the remaining number is used
 * before the next count, so that a long import counts rarely and several processes exceed the limit only slightly.
 */
function createRoom(count: (tenantId: number) => Promise<number>, most: number) {
  const known = new Map<number, number>();
  return {
    async take(tenantId: number): Promise<boolean> {
      if (most === 0) return true;
      const left = known.get(tenantId) ?? 0;
      if (left > 0) {
        known.set(tenantId, left - 1);
        return true;
      }
      const room = most - (await count(tenantId));
      // another request may have counted meanwhile
      if (!known.has(tenantId) || known.get(tenantId) === 0) known.set(tenantId, Math.max(0, Math.ceil(room / 2) - 1));
      return room > 0;
    },
  };
}

const tooMany = (wanted: number, left: number, most: number): AppError =>
  new AppError(
    'too-many-unseen-devices',
    `${wanted} devices are new and ${left} can still be registered: DEVICES_UNSEEN_PER_TENANT, the number of registered ` +
      `devices that have never sent anything, is ${most}`,
  );

const clean = (options: Device['options']): Device['options'] => JSON.parse(storableJson(options));

function present(row: store.DeviceRow): Device {
  const seen = Math.max(row.seenAt ?? 0, row.storedAt ?? 0);
  return {
    imei: row.imei,
    name: row.name,
    state: row.online ? 'online' : 'offline',
    options: { ...row.options },
    registeredBy: row.registeredBy,
    registeredAt: toInstant(row.registeredAt),
    firstSeenAt: null,
    lastSeenAt: seen === 0 ? null : toInstant(seen),
    sessionSince: toInstantOrNull(row.since),
    protocol: row.protocol,
    pinnedProtocol: row.pinnedProtocol,
    blockedAt: toInstantOrNull(row.blockedAt),
    blockedNote: row.blockedNote,
    remote: row.remote,
  };
}

function presentUnregistered(row: store.UnregisteredDeviceRow): Device {
  return {
    imei: row.imei,
    name: null,
    state: 'unknown',
    options: {},
    registeredBy: null,
    registeredAt: null,
    firstSeenAt: toInstant(row.firstAt),
    lastSeenAt: toInstant(row.lastAt),
    sessionSince: null,
    protocol: row.protocol,
    pinnedProtocol: null,
    blockedAt: null,
    blockedNote: null,
    remote: row.remote,
  };
}
