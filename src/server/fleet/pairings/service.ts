import { randomBytes } from 'node:crypto';
import type { Clock } from '../../../platform/clock.ts';
import { AppError } from '../../../platform/errors.ts';
import { type Cursors, EARLIEST, LATEST, toInstant, toInstantOrNull, toPage } from '../../kernel/http/index.ts';
import { type Pools, readDistance } from '../../movement/api/index.ts';
import { normaliseTarga } from '../records/index.ts';
import * as store from './store.ts';
import { usesBesidePairings } from './vehicle-history.ts';

export interface Pairing {
  readonly id: string;
  readonly targa: string;
  readonly imei: string | null;
  readonly driverId: string | null;
  readonly source: store.PairingRow['source'];
  readonly from: string;
  readonly to: string | null;
}

export interface PairingList {
  readonly targa?: string | undefined;
  readonly imei?: string | undefined;
  readonly driverId?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface HistoryRequest {
  readonly vehicles?: readonly string[] | undefined;
  readonly drivers?: readonly string[] | undefined;
  readonly imeis?: readonly string[] | undefined;
  /** epoch ms */
  readonly from: number;
  readonly to: number;
  readonly kind: 'driver' | 'device' | 'both';
}

const MAX_IN_HISTORY = 1_000;

export interface Pairings {
  list(tenantId: number, query: PairingList): Promise<{ items: Pairing[]; nextCursor: string | null }>;
  /** Throws AppError `unknown-pairing`. */
  find(tenantId: number, id: string): Promise<Pairing>;
  /** Throws AppError `unknown-vehicle`, `unknown-device`, `unknown-driver`, `conflict`, `from-after-to`. */
  begin(
    tenantId: number,
    pairing: {
      readonly targa: string;
      readonly imei?: string | undefined;
      readonly driverId?: string | undefined;
      readonly source: store.PairingRow['source'];
      readonly from?: number | undefined;
      readonly to?: number | undefined;
    },
  ): Promise<Pairing>;
  /** Throws AppError `unknown-pairing`, `conflict`. */
  end(tenantId: number, id: string, to: number | undefined): Promise<Pairing>;
  remove(tenantId: number, id: string): Promise<void>;
  history(tenantId: number, request: HistoryRequest): Promise<PairingReport[]>;
}

export interface PairingReport extends Omit<Pairing, 'id'> {
  readonly durationS: number;
  readonly distanceM: number;
}

export function createPairings(pools: Pools, cursors: Cursors, clock: Clock): Pairings {
  const { app } = pools;
  const none = {
    targhe: null,
    imeis: null,
    drivers: null,
    kind: 'both',
    from: EARLIEST,
    to: LATEST,
    after: '',
  } as const;
  const find = async (tenantId: number, id: string): Promise<store.PairingRow> => {
    const [row] = await store.listPairings(app, tenantId, { ...none, id, limit: 1 });
    if (row === undefined) throw new AppError('unknown-pairing');
    return row;
  };
  return {
    find: async (tenantId, id) => present(await find(tenantId, id)),
    async list(tenantId, { targa, imei, driverId, from = EARLIEST, to = LATEST, limit, cursor }) {
      const filter = ['pairings', tenantId, targa ?? null, imei ?? null, driverId ?? null, from, to];
      const rows = await store.listPairings(app, tenantId, {
        targhe: targa === undefined ? null : [normaliseTarga(targa)],
        imeis: imei === undefined ? null : [imei],
        drivers: driverId === undefined ? null : [driverId],
        kind: 'both',
        from,
        to,
        after: cursor === undefined ? '' : String(cursors.read(cursor, filter)[0]),
        limit: limit + 1,
      });
      return toPage(rows, limit, present, ({ id }) => cursors.write([id], filter));
    },
    async begin(tenantId, { targa, imei, driverId, source, from = clock.now(), to }) {
      if (to !== undefined && to <= from) throw new AppError('from-after-to');
      const id = `par_${randomBytes(9).toString('hex')}`;
      const named = { id, targa: normaliseTarga(targa), imei, driverId, source, from, to: to ?? null };
      const outcome = await store.insertPairing(app, tenantId, named);
      if (outcome === 'overlaps') throw new AppError('conflict', 'Another pairing covers that time');
      if (outcome !== 'paired') throw new AppError(outcome);
      return present(await find(tenantId, id));
    },
    async end(tenantId, id, to = clock.now()) {
      const row = await find(tenantId, id);
      if (!(await store.endPairing(app, tenantId, row, to))) {
        throw new AppError('conflict', 'The new end must lie between the beginning and the current end');
      }
      return present(await find(tenantId, id));
    },
    async remove(tenantId, id) {
      if (!(await store.deletePairing(app, tenantId, id))) throw new AppError('unknown-pairing');
    },
    async history(tenantId, { vehicles, drivers, imeis, from, to, kind }) {
      if (from > to) throw new AppError('from-after-to');
      const rows = await store.listPairings(app, tenantId, {
        ...none,
        targhe: vehicles?.map(normaliseTarga) ?? null,
        drivers: drivers ?? null,
        imeis: imeis ?? null,
        kind,
        from,
        to,
        limit: MAX_IN_HISTORY + 1,
      });
      if (rows.length > MAX_IN_HISTORY) throw tooMany();
      const reports: PairingReport[] = [];
      for (const row of rows) reports.push(await report({ pools, clock }, tenantId, row, { from, to }));
      if (imeis === undefined && kind !== 'device') {
        const limit = MAX_IN_HISTORY - rows.length;
        const asked = { targhe: vehicles?.map(normaliseTarga) ?? null, drivers: drivers ?? null, from, to };
        const uses = await store.listVehicleUses(app, tenantId, { ...asked, limit: limit + 1 });
        if (uses.length > limit) throw tooMany();
        for (const use of usesBesidePairings(uses, rows))
          reports.push(await reportVehicleUse(pools, tenantId, use, { from, to }));
      }
      await demandKnown(pools, tenantId, { vehicles, drivers, imeis }, reports);
      return reports.sort((a, b) => (a.from < b.from ? -1 : Number(a.from > b.from)));
    },
  };
}

/** Throws AppError `unknown-vehicle`, `unknown-driver`, `unknown-device` for a name that neither a record nor a report has. */
async function demandKnown(
  { app }: Pools,
  tenantId: number,
  { vehicles = [], drivers = [], imeis = [] }: Pick<HistoryRequest, 'vehicles' | 'drivers' | 'imeis'>,
  reports: readonly PairingReport[],
): Promise<void> {
  const without = (names: readonly string[], of: (report: PairingReport) => string | null): string[] =>
    names.filter((name) => !reports.some((report) => of(report) === name));
  const [unknown] = await store.findUnknown(app, tenantId, {
    targhe: without(vehicles.map(normaliseTarga), ({ targa }) => targa),
    drivers: without(drivers, ({ driverId }) => driverId),
    imeis: without(imeis, ({ imei }) => imei),
  });
  if (unknown !== undefined) throw new AppError(unknown.code, `${unknown.name} is not known`);
}

/** From the odometer if the stay lies within the interval, otherwise from the routes of the device. */
async function reportVehicleUse(
  pools: Pools,
  tenantId: number,
  use: store.VehicleUseRow,
  { from, to }: Span,
): Promise<PairingReport> {
  const { targa, driverId, odometerFromKm: a, odometerToKm: b } = use;
  const first = Math.max(use.from, from);
  const last = Math.min(use.to ?? first, to);
  const isWhole = use.from >= from && use.to !== null && use.to <= to;
  const metres =
    isWhole && a !== null && b !== null && b >= a
      ? (b - a) * 1_000
      : await driven(pools, tenantId, { targa, imei: null, from: first, to: last });
  return {
    targa,
    imei: null,
    driverId,
    source: 'ddd',
    from: toInstant(use.from),
    to: toInstantOrNull(use.to),
    durationS: Math.max(0, Math.round((last - first) / 1000)),
    distanceM: Math.round(metres),
  };
}

/** Meters of the routes of the devices that the vehicle carried. */
async function driven(pools: Pools, tenantId: number, of: Parameters<typeof store.readCarried>[2]): Promise<number> {
  return readDistance(pools, tenantId, await store.readCarried(pools.app, tenantId, of));
}

async function report(
  { pools, clock }: { readonly pools: Pools; readonly clock: Clock },
  tenantId: number,
  row: store.PairingRow,
  { from, to }: Span,
): Promise<PairingReport> {
  const first = Math.max(row.from, from);
  const last = Math.min(row.to ?? Math.max(clock.now(), first), to);
  const within = { targa: row.targa, imei: row.imei, from: first, to: last };
  const metres = await driven(pools, tenantId, within);
  const { id: _, ...shown } = present(row);
  return { ...shown, durationS: Math.max(0, Math.round((last - first) / 1000)), distanceM: Math.round(metres) };
}

interface Span {
  readonly from: number;
  readonly to: number;
}

const tooMany = (): AppError =>
  new AppError('invalid', `More than ${MAX_IN_HISTORY} pairings: ask for fewer vehicles or less time`);

const present = ({ id, targa, imei, driverId, source, from, to }: store.PairingRow): Pairing => ({
  id,
  targa,
  imei,
  driverId,
  source,
  from: toInstant(from),
  to: toInstantOrNull(to),
});
