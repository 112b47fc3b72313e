import type pg from 'pg';
import type { StoredPosition } from '../../../contract/internal.ts';
import { AppError } from '../../../platform/errors.ts';
import { type Cursors, toInstant, toInstantOrNull, toPage } from '../../kernel/http/index.ts';
import { type NameElements, type ReadRow, toNamedPosition, toStoredPosition } from '../../positions/view/index.ts';
import { motionOf, normaliseTarga } from '../records/index.ts';
import type { Include, Vehicle } from './schema.ts';
import { readVehicles, type VehicleQuery, type VehicleRow } from './store.ts';

export interface Tagged {
  readonly version: number;
  readonly vehicle: Vehicle;
}

export interface Fleet {
  /** By plate (case, spaces and hyphens are ignored) or id. Throws AppError `unknown-vehicle`. */
  find(tenantId: number, targa: string, include: ReadonlySet<Include>): Promise<Tagged>;
  /** The one that a device is in now. Throws AppError `unknown-vehicle`. */
  findByDevice(tenantId: number, imei: string, include: ReadonlySet<Include>): Promise<Tagged>;
  list(tenantId: number, query: FleetQuery): Promise<{ items: Vehicle[]; nextCursor: string | null }>;
}

export interface FleetQuery extends Pick<VehicleQuery, 'q' | 'group' | 'userId'> {
  readonly include: ReadonlySet<Include>;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export function createFleet(app: pg.Pool, cursors: Cursors, name: NameElements): Fleet {
  const one = async (tenantId: number, query: Omit<VehicleQuery, 'limit'>, include: ReadonlySet<Include>) => {
    const [row] = await readVehicles(app, tenantId, { ...query, limit: 1 });
    if (row === undefined) throw new AppError('unknown-vehicle');
    return { version: row.version, vehicle: present(row, include, name) };
  };
  return {
    find: (tenantId, name, include) => one(tenantId, { name: { id: name, targa: normaliseTarga(name) } }, include),
    findByDevice: (tenantId, imei, include) => one(tenantId, { imei }, include),
    async list(tenantId, { include, limit, cursor, q, group, userId }) {
      const filter = ['vehicles', tenantId, q ?? null, group ?? null, userId ?? null];
      const after = cursor === undefined ? '' : String(cursors.read(cursor, filter)[0]);
      const rows = await readVehicles(app, tenantId, { q, group, userId, after, limit: limit + 1 });
      return toPage(
        rows,
        limit,
        (row) => present(row, include, name),
        ({ targa }) => cursors.write([targa], filter),
      );
    },
  };
}

function present(row: VehicleRow, include: ReadonlySet<Include>, name: NameElements): Vehicle {
  const { vehicleId, targa, imei, vin, make, model, year, group, fuelTankLitres, driverId, driverName, locatedAt } =
    row;
  const motion = row.time === null ? null : (motionOf(row.speed, row.ignition) ?? 'parked');
  const lastPosition = (): StoredPosition => {
    const fix = row as VehicleRow & ReadRow;
    return include.has('named') ? toNamedPosition(fix, name, row.options) : toStoredPosition(fix);
  };
  return {
    id: vehicleId,
    targa,
    imei,
    vin,
    make,
    model,
    year,
    group,
    fuelTankLitres,
    ...(include.has('driver') ? { driver: driverId === null ? null : { id: driverId, name: driverName! } } : {}),
    status: motion === null ? 'unknown' : row.online ? motion : 'offline',
    motion,
    ...(include.has('lastPosition') ? { lastPosition: locatedAt === null ? null : lastPosition() } : {}),
    ...(include.has('session') ? { sessionSince: row.online ? toInstantOrNull(row.sessionSince) : null } : {}),
    updatedAt: toInstant(row.updatedAt),
  };
}
