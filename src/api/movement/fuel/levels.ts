import { z } from 'zod';
import { instant } from '../../../contract/position.ts';
import { calibrate, type FuelChange, FuelMeter, type FuelSample } from '../../../track/fuel.ts';
import { toInstant } from '../../http/index.ts';
import { bodyInterval, type Interval, targaText } from '../interval.ts';
import type { Movement } from '../movement.ts';
import type { Carried, MovingVehicle, Tank } from '../vehicle-lookup.ts';
import { readLevels } from './store.ts';

export const fuelBody = z.object({
  vehicles: z.array(targaText).min(1).max(50),
  ...bodyInterval,
  resolutionS: z.number().int().min(1).max(86_400).default(300).describe('coarser where there were over 10,000 points'),
});

const change = z.object({
  at: instant,
  litres: z.number().nullable(),
  percent: z.number().nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
});
export const fuelItem = z.object({
  targa: z.string(),
  unit: z.literal('l'),
  series: z
    .array(z.tuple([instant, z.number().nullable(), z.number().nullable()]))
    .describe('time, litres, per cent; null where it is not known what the tank holds'),
  refuels: z.array(change),
  drains: z.array(change),
  calibrated: z.boolean().describe('by the table of the tank'),
});
export type FuelItem = z.output<typeof fuelItem>;

const MOST_POINTS = 10_000;
const MOST_CHANGES = 1_000;
/** a smaller change is slosh: litres, and as a part of the tank */
const LEAST_LITRES = 8;
const LEAST_PART = 0.05;

/** How readings of a vehicle become levels: what is read, in which unit it comes out. */
interface Gauge {
  readonly attribute: string;
  readonly unit: 'litres' | 'percent';
  readonly calibrated: boolean;
  level(reading: number): number;
}

/** The table where there is one, then litres as the device gives them, then per cent. */
function gaugesOf(tank: Tank | null): readonly Gauge[] {
  const same = (reading: number): number => reading;
  const litres: Gauge = { attribute: 'fuel', unit: 'litres', calibrated: false, level: same };
  const percent: Gauge = { attribute: 'fuelLevel', unit: 'percent', calibrated: false, level: same };
  if (tank === null || tank.calibration.length < 2) return [litres, percent];
  const table = tank.calibration;
  const level = (reading: number): number => calibrate(table, reading);
  return [{ attribute: tank.source ?? 'fuelLevel', unit: 'litres', calibrated: true, level }, litres, percent];
}

type LevelRequest = Interval & { readonly resolutionS: number };

/** Levels of a vehicle's tank, and where fuel came in or went out. Nothing of a vehicle that reports none. */
export async function readFuel(
  movement: Movement,
  tenantId: number,
  { targa, carried }: MovingVehicle,
  request: LevelRequest,
  signal: AbortSignal,
): Promise<FuelItem> {
  const item: FuelItem = { targa, unit: 'l', series: [], refuels: [], drains: [], calibrated: false };
  const calibrated: boolean[] = [];
  for (const each of carried) {
    if (!each.device.hasPosition) continue;
    const found = await readDevice(movement, tenantId, each, request, item, signal);
    if (found !== undefined) calibrated.push(found);
  }
  return { ...item, calibrated: calibrated.length > 0 && calibrated.every((each) => each) };
}

/** Of one device; by the first gauge that it has readings of. Are they calibrated? undefined: there are none. */
async function readDevice(
  { pools }: Movement,
  tenantId: number,
  { device, from, to }: Carried,
  request: LevelRequest,
  item: FuelItem,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const holds = device.tank?.litres ?? null;
  const before = item.series.length;
  for (const gauge of gaugesOf(device.tank)) {
    const present = (value: number): [number | null, number | null] => {
      const litres = gauge.unit === 'litres' ? value : holds === null ? null : (value * holds) / 100;
      const percent = gauge.unit === 'percent' ? value : holds === null ? null : (value / holds) * 100;
      return [tenth(litres), tenth(percent)];
    };
    const meter = new FuelMeter(
      {
        least: leastOf(gauge, holds),
        resolutionMs: Math.max(request.resolutionS * 1000, (request.to - request.from) / MOST_POINTS),
      },
      (at, level) => item.series.push([toInstant(at), ...present(level)]),
      (found) => note(item, found, present),
    );
    const add = (sample: FuelSample): void => meter.add({ ...sample, level: gauge.level(sample.level) });
    await readLevels(pools.streams, tenantId, { deviceId: device.id, from, to }, gauge.attribute, add, signal);
    meter.finish();
    if (item.series.length > before) return gauge.calibrated;
  }
  return undefined;
}

function note(item: FuelItem, found: FuelChange, present: (value: number) => [number | null, number | null]): void {
  const list = found.kind === 'refuel' ? item.refuels : item.drains;
  if (list.length >= MOST_CHANGES) return;
  const [litres, percent] = present(found.amount);
  const { latitude = null, longitude = null } = found;
  list.push({ at: toInstant(found.at), litres, percent, latitude, longitude });
}

function leastOf({ unit }: Gauge, holds: number | null): number {
  if (unit === 'litres') return holds === null ? LEAST_LITRES : Math.max(LEAST_LITRES, LEAST_PART * holds);
  return holds === null ? 100 * LEAST_PART : Math.max(100 * LEAST_PART, (100 * LEAST_LITRES) / holds);
}

const tenth = (value: number | null): number | null => (value === null ? null : Math.round(value * 10) / 10);
