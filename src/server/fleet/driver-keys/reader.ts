import type pg from 'pg';
import { foldKey } from '../../../contract/driver-key.ts';
import type { Clock } from '../../../platform/clock.ts';
import { transaction } from '../../database/index.ts';
import type { FeedPosition } from '../../ingest/feed/index.ts';
import type { ReportReader } from '../reported/index.ts';
import { keepStays } from './pairings.ts';
import { addReading, isSameOrder, type Reading } from './readings.ts';
import * as store from './store.ts';

/** Reports that a device has recognised another driver, or a key that nobody has. */
export type NotifyDriver = (finding: {
  readonly tenantId: number;
  readonly type: 'driver_changed' | 'driver_unknown';
  readonly key: string;
  /** epoch ms */
  readonly at: number;
  readonly vehicleId: string;
  readonly detail: string;
}) => Promise<unknown>;

export interface DriverKeysDeps {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  /** s after the ignition is off when a driver is logged out; 0: never */
  readonly logoutSeconds: number;
  readonly notify?: NotifyDriver | undefined;
}

/** What a report says about the driver. */
interface Report {
  readonly at: number;
  /** undefined: not reported */
  readonly key: string | undefined;
  readonly ignition: boolean | undefined;
}

/** Makes pairings of drivers with vehicles from the keys that devices report. */
export function createDriverKeys(deps: DriverKeysDeps): ReportReader {
  const { pool, clock, logoutSeconds } = deps;
  return {
    async take(tx, positions) {
      const reports = byDevice(positions);
      const readers = await store.listReaders(tx, [...reports.keys()]);
      for (const [deviceId, { tenantId, of }] of reports) {
        const isReader = readers.has(deviceId);
        if (!isReader && !of.some(({ key }) => key !== undefined && key !== '')) continue;
        await takeReports(tx, deps, { deviceId, tenantId }, of, isReader);
      }
    },
    async tick() {
      if (logoutSeconds === 0) return;
      await transaction(pool, async (tx) => {
        for (const { deviceId, tenantId, offAt } of await store.takeLoggedOut(tx, clock.now() - 1_000 * logoutSeconds))
          await read(tx, deps, { deviceId, tenantId }, [{ at: offAt + 1_000 * logoutSeconds, key: '' }]);
      });
    },
  };
}

interface Device {
  readonly deviceId: number;
  readonly tenantId: number;
}

async function takeReports(
  tx: pg.PoolClient,
  deps: DriverKeysDeps,
  device: Device,
  reports: readonly Report[],
  isReader: boolean,
): Promise<void> {
  const sorted = [...reports].sort((a, b) => a.at - b.at);
  const keys: Read[] = [];
  let offAt: number | null | undefined;
  for (const { at, key, ignition } of sorted) {
    // a reader that still holds the key of a parked vehicle logs nobody in
    if (key !== undefined) keys.push({ at, key, isParked: ignition === false });
    if (ignition === true) offAt = null;
    else if (ignition === false) offAt ??= at;
  }
  if (deps.logoutSeconds === 0) offAt = undefined;
  if (!isReader || offAt !== undefined) await store.keepReader(tx, { ...device, ignitionOffAt: offAt });
  if (keys.length > 0) await read(tx, deps, device, keys);
}

interface Read {
  readonly at: number;
  readonly key: string;
  readonly isParked?: boolean;
}

/** Adds what was read to the readings of a device, and keeps the pairings that follow. */
async function read(tx: pg.PoolClient, deps: DriverKeysDeps, device: Device, reads: readonly Read[]): Promise<void> {
  const before = await store.readReadings(tx, device.deviceId, reads[0]!.at);
  let readings: readonly Reading[] = before;
  for (const { at, key, isParked } of reads) {
    if (isParked === true && isLoggedOut(readings, at, key)) continue;
    readings = addReading(readings, at, key);
  }
  const unknown = before.at(-1)?.driverId === null && before.at(-1)?.key !== '';
  const isUnchanged = isSameOrder(before, readings) && !unknown;
  const drivers = isUnchanged
    ? new Map<string, never>()
    : await store.findDrivers(tx, device.tenantId, [...new Set(readings.map(({ key }) => key))]);
  const known = new Map(before.map((reading) => [reading.began, reading]));
  const after = readings.map((reading): store.StoredReading => {
    const same = known.get(reading.began);
    const driverId = isUnchanged && same?.key === reading.key ? same.driverId : (drivers.get(reading.key)?.id ?? null);
    return { ...reading, driverId };
  });
  await store.writeReadings(tx, device, before, after);
  if (isUnchanged) return;
  const stays = await keepStays(tx, device, after);
  for (const [i, { began, key, driverId }] of after.entries()) {
    if (known.get(began)?.key === key || key === '') continue;
    const last = after.slice(0, i).findLast((earlier) => earlier.key !== '');
    const vehicle = stays.find(({ from, to }) => from <= began && (to === undefined || to > began));
    if (vehicle === undefined || last?.key === key || (driverId !== null && last === undefined)) continue;
    const type = driverId === null ? 'driver_unknown' : 'driver_changed';
    await deps.notify?.({
      tenantId: device.tenantId,
      type,
      key: `${type}:${device.deviceId}:${began}`,
      at: began,
      vehicleId: vehicle.vehicleId,
      detail: drivers.get(key)?.name ?? key,
    });
  }
}

/** Was the driver with this key logged out last, and nobody since? */
function isLoggedOut(readings: readonly Reading[], at: number, key: string): boolean {
  const i = readings.findLastIndex(({ began }) => began <= at);
  return readings[i]?.key === '' && readings[i - 1]?.key === key;
}

function byDevice(positions: readonly FeedPosition[]) {
  const devices = new Map<number, { readonly tenantId: number; readonly of: Report[] }>();
  for (const { deviceId, tenantId, time, attributes, ignition } of positions) {
    const hasKey = attributes.includes('"driverUniqueId"');
    if (!hasKey && ignition === undefined) continue;
    const device = devices.get(deviceId) ?? { tenantId, of: [] };
    devices.set(deviceId, device);
    const parsed = hasKey ? (JSON.parse(attributes) as Record<string, unknown>) : {};
    const reported = parsed['driverUniqueId'];
    device.of.push({ at: time, key: reported === undefined ? undefined : foldKey(reported), ignition });
  }
  return devices;
}
