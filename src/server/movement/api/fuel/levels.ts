import { z } from 'zod';
import { instant } from '../../../../contract/position.ts';
import { member, toInstant } from '../../../kernel/http/index.ts';
import { endFuel, type FuelChange, type FuelSample, type FuelState, followFuel } from '../../track/fuel.ts';
import { gaugesOf, leastChange } from '../../track/fuel-gauge.ts';
import { bodyInterval, type Interval, targaText } from '../interval.ts';
import type { Movement } from '../movement.ts';
import type { Carried, MovingVehicle } from '../vehicle-lookup.ts';
import { readAttributeNames, readLevels } from './store.ts';

export const fuelBody = z.object({
  vehicles: z.array(targaText).min(1).max(50),
  ...bodyInterval,
  resolutionS: z.number().int().min(1).max(86_400).default(300).describe('coarser where there were over 10,000 points'),
});

const change = z.object({
  at: instant,
  litres: z.number().nullable(),
  percent: z.number().nullable(),
  latitude: member.latitude.nullable(),
  longitude: member.longitude.nullable(),
});
export const fuelItem = z.object({
  targa: member.targa,
  unit: z.literal('l'),
  series: z
    .array(z.tuple([instant, z.number().nullable(), z.number().nullable()]))
    .describe('time, litres, per cent; null where it is not known what the tank holds'),
  refuels: z.array(change),
  drains: z.array(change),
  calibrated: z.boolean().describe('by the table of the tank'),
  hint: z.string().nullable().describe('why there are no levels, if the device reports something that can be one'),
});
export type FuelItem = z.output<typeof fuelItem>;

const MAX_POINTS = 10_000;
type LevelRequest = Interval & { readonly resolutionS: number };

/** Levels of a vehicle's tank, with refuels and drains; empty for a vehicle that reports no level. */
export async function readFuel(
  movement: Movement,
  tenantId: number,
  { targa, carried }: MovingVehicle,
  request: LevelRequest,
  signal: AbortSignal,
): Promise<FuelItem> {
  const item: FuelItem = { targa, unit: 'l', series: [], refuels: [], drains: [], calibrated: false, hint: null };
  const calibrated: boolean[] = [];
  for (const each of carried) {
    if (!each.device.hasPosition) continue;
    const found = await readDevice(movement, tenantId, each, request, item, signal);
    if (found !== undefined) calibrated.push(found);
  }
  const isCalibrated = calibrated.length > 0 && calibrated.every((each) => each);
  return { ...item, calibrated: isCalibrated, hint: item.series.length > 0 ? null : item.hint };
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
    const options = { least: leastChange(gauge, device.tank), unit: gauge.unit };
    const resolutionMs = Math.max(request.resolutionS * 1000, (request.to - request.from) / MAX_POINTS);
    const point = seriesOf(resolutionMs, (at, level) => item.series.push([toInstant(at), ...present(level)]));
    let state: FuelState | undefined;
    const add = (reading: FuelSample): void => {
      const sample = { ...reading, level: gauge.level(reading.level) };
      point(sample);
      const step = followFuel(state, sample, options);
      state = step.state;
      if (step.ended !== undefined) note(item, step.ended, present);
    };
    await readLevels(pools.streams, tenantId, { deviceId: device.id, from, to }, gauge.attribute, add, signal);
    const last = endFuel(state, options);
    if (last !== undefined) note(item, last, present);
    if (item.series.length > before) return gauge.calibrated;
  }
  const names = await readAttributeNames(pools.app, tenantId, { deviceId: device.id, from, to });
  item.hint ??= hintOf(names, device.tank?.source ?? null);
  return undefined;
}

/** Numbers of elements that are levels of a tank, as devices report them while their model is not known. */
const RAW_LEVELS: Readonly<Record<string, string>> = {
  io84: 'AVL 84, fuel level of the CAN bus in tenths of a liter',
  io89: 'AVL 89, fuel level of the CAN bus in percent',
  io201: 'AVL 201, first LLS level sensor',
  io203: 'AVL 203, second LLS level sensor',
  io210: 'AVL 210, third LLS level sensor',
  io212: 'AVL 212, fourth LLS level sensor',
};

/** Why there are no levels although the device reports an attribute that can be one. */
function hintOf(names: readonly string[], source: string | null): string | null {
  const raw = names.find((name) => Object.hasOwn(RAW_LEVELS, name));
  if (raw !== undefined) {
    return (
      `The device reports ${raw} (${RAW_LEVELS[raw]}), which is decoded as fuel where its option model is set, ` +
      `such as FMB130. Otherwise set fuelSource to ${raw} and fuelCalibration to pairs of reading and liters.`
    );
  }
  if (source !== null && !names.includes(source)) return `The device does not report ${source}, its fuelSource.`;
  const analog = names.filter((name) => /^(?:adc\d+|fuel\d+|fuel\w+Raw)$/.test(name));
  if (analog.length === 0) return null;
  return `No gauge is configured. The device reports ${analog.join(', ')}: set fuelSource and fuelCalibration.`;
}

/** size of the median filter of the series: a spike of two readings has no effect */
const SMOOTHED = 5;
/** after a gap the earlier readings must not smooth the new ones */
const GAP_MS = 600_000;

/** One point for each step of the resolution. */
function seriesOf(resolutionMs: number, onPoint: (at: number, level: number) => void): (sample: FuelSample) => void {
  let raw: number[] = [];
  let bucket = Number.NaN;
  let lastAt = Number.NEGATIVE_INFINITY;
  return ({ at, level }) => {
    if (at - lastAt > GAP_MS) raw = [];
    lastAt = at;
    raw.push(level);
    if (raw.length > SMOOTHED) raw.shift();
    const next = Math.floor(at / resolutionMs);
    if (next === bucket) return;
    bucket = next;
    onPoint(at, raw.toSorted((a, b) => a - b)[raw.length >> 1]!);
  };
}

function note(item: FuelItem, found: FuelChange, present: (value: number) => [number | null, number | null]): void {
  const list = found.kind === 'refuel' ? item.refuels : item.drains;
  const [litres, percent] = present(found.amount);
  const { latitude = null, longitude = null } = found;
  list.push({ at: toInstant(found.at), litres, percent, latitude, longitude });
}

const tenth = (value: number | null): number | null => (value === null ? null : Math.round(value * 10) / 10);
