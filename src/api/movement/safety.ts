import { z } from 'zod';
import { instant } from '../../contract/position.ts';
import { HARSH, type HarshKind, SafetyMeter, type SafetySums, scoreOf } from '../../track/safety.ts';
import { toInstant } from '../http/instants.ts';
import { readFixes } from './fixes/store.ts';
import type { Interval } from './interval.ts';
import type { Movement } from './movement.ts';
import { readAlarms } from './store.ts';
import type { MovingVehicle } from './vehicle-lookup.ts';

const count = z.number().int();
export const safetyItem = z.object({
  targa: z.string(),
  score0to100: z.number().int().nullable().describe('null where nothing was driven'),
  harshBraking: count,
  harshAcceleration: count,
  harshCornering: count,
  overspeedS: z.number(),
  idlingS: z.number(),
  nightS: z.number().describe('driven between 22 and 6 o’clock UTC'),
  distanceM: z.number().int(),
  events: z.array(
    z.object({
      type: z.string(),
      at: instant,
      latitude: z.number().nullable(),
      longitude: z.number().nullable(),
      value: z.number().nullable(),
    }),
  ),
});
export type SafetyItem = z.output<typeof safetyItem>;

/** km/h, the highest limit of most countries' motorways */
const LIMIT_KMH = 130;
const MOST_EVENTS = 1_000;
const isNight = (at: number): boolean => {
  const hour = Math.floor(at / 3_600_000) % 24;
  return hour >= 22 || hour < 6;
};

export interface Assessed {
  readonly item: SafetyItem;
  readonly sums: SafetySums;
  readonly harsh: Readonly<Record<HarshKind, number>>;
}

/** How a vehicle was driven: harsh events as its device alarms, the rest from its way. */
export async function assess(
  { pools }: Movement,
  tenantId: number,
  vehicle: MovingVehicle,
  { from, to }: Interval,
  signal: AbortSignal,
): Promise<Assessed> {
  const meter = new SafetyMeter({ limitKmh: LIMIT_KMH, isNight });
  const harsh: Record<HarshKind, number> = { hardBraking: 0, hardAcceleration: 0, hardCornering: 0 };
  const events: SafetyItem['events'] = [];
  const { device } = vehicle;
  if (device?.hasPosition) {
    const stretch = { deviceId: device.id, from, to };
    await readFixes(pools.streams, tenantId, stretch, (fixes) => meter.feed(fixes), { signal });
    for (const { time, latitude, longitude, alarm } of await readAlarms(pools.app, tenantId, stretch)) {
      for (const type of alarm.split(',')) {
        const kind = HARSH.find((each) => each === type);
        if (kind !== undefined) harsh[kind]++;
        if ((kind === undefined && type !== 'overspeed') || events.length >= MOST_EVENTS) continue;
        events.push({ type, at: toInstant(time), latitude, longitude, value: null });
      }
    }
  }
  const { sums } = meter;
  const item = {
    targa: vehicle.targa,
    score0to100: scoreOf(sums, harsh),
    harshBraking: harsh.hardBraking,
    harshAcceleration: harsh.hardAcceleration,
    harshCornering: harsh.hardCornering,
    overspeedS: sums.overspeedMs / 1000,
    idlingS: sums.idlingMs / 1000,
    nightS: sums.nightMs / 1000,
    distanceM: Math.round(sums.distanceM),
    events,
  };
  return { item, sums, harsh };
}

/** The score of all of them as if they were one; null where nothing was driven. */
export function fleetScore(all: readonly Assessed[]): number | null {
  const add = (of: (each: Assessed) => number): number => all.reduce((sum, each) => sum + of(each), 0);
  return scoreOf(
    {
      distanceM: add(({ sums }) => sums.distanceM),
      overspeedMs: add(({ sums }) => sums.overspeedMs),
      idlingMs: add(({ sums }) => sums.idlingMs),
      nightMs: add(({ sums }) => sums.nightMs),
    },
    {
      hardBraking: add(({ harsh }) => harsh.hardBraking),
      hardAcceleration: add(({ harsh }) => harsh.hardAcceleration),
      hardCornering: add(({ harsh }) => harsh.hardCornering),
    },
  );
}
