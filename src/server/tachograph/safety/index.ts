import type pg from 'pg';
import { toInstant } from '../../kernel/http/index.ts';
import type { UnitEvent } from '../engine/reports/file-facts.ts';
import { readOdometer, readUnitEvents } from './store.ts';

const NAMES = {
  overspeed: 'overspeed',
  'driving-without-card': 'drivingWithoutCard',
  security: 'security',
  'power-interruption': 'powerInterruption',
  'motion-data': 'motionData',
  'card-conflict': 'cardConflict',
} as const satisfies Record<UnitEvent['kind'], string>;

/** points that one of a kind costs on 100 km */
const COST: Readonly<Record<UnitEvent['kind'], number>> = {
  overspeed: 2,
  'driving-without-card': 10,
  security: 10,
  'power-interruption': 3,
  'motion-data': 3,
  'card-conflict': 1,
};

export interface UnitSafety {
  readonly counts: Record<(typeof NAMES)[UnitEvent['kind']], number>;
  /** `tachograph:overspeed` and so on, oldest first */
  readonly events: { type: string; at: string; latitude: null; longitude: null; value: number | null }[];
  readonly points: number;
  readonly distanceM: number;
}

/** How a vehicle was driven, by downloads of its unit. */
export async function readTachograph(
  app: pg.Pool,
  tenantId: number,
  of: { readonly targa: string; readonly from: number; readonly to: number },
): Promise<UnitSafety> {
  const [rows, distanceM] = await Promise.all([readUnitEvents(app, tenantId, of), readOdometer(app, tenantId, of)]);
  const counts = {
    overspeed: 0,
    drivingWithoutCard: 0,
    security: 0,
    powerInterruption: 0,
    motionData: 0,
    cardConflict: 0,
  };
  for (const { kind } of rows) counts[NAMES[kind]]++;
  return {
    counts,
    distanceM,
    points: rows.reduce((sum, { kind }) => sum + COST[kind], 0),
    events: rows.map(({ kind, at, value }) => ({
      type: `tachograph:${kind}`,
      at: toInstant(at),
      latitude: null,
      longitude: null,
      value,
    })),
  };
}
