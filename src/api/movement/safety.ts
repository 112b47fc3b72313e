import { z } from 'zod';
import { instant } from '../../contract/position.ts';
import { HARSH, type HarshKind, SafetyMeter, type SafetyTotals, scoreOf } from '../../track/safety.ts';
import { toInstant } from '../http/index.ts';
import { readTachograph } from '../tachograph/index.ts';
import type { Calendar } from './calendar.ts';
import type { Interval } from './interval.ts';
import type { Movement } from './movement.ts';
import { readAlarms } from './store.ts';
import { readTrack } from './track.ts';
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
  nightS: z.number().describe('driven between 22 and 6 o’clock in the zone of the tenant, or `tz`'),
  distanceM: z.number().int().describe('of the routes of the interval'),
  tachograph: z
    .object({
      overspeed: count,
      drivingWithoutCard: count,
      security: count,
      powerInterruption: count,
      motionData: count,
      cardConflict: count,
    })
    .describe('events in downloads of the vehicle’s unit'),
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
export interface Assessed {
  readonly item: SafetyItem;
  readonly totals: SafetyTotals;
  readonly harsh: Readonly<Record<HarshKind, number>>;
  /** that the tachograph's events take off */
  readonly points: number;
}

/** How a vehicle was driven: harsh events as its device alarms, the rest from its path. */
export async function assess(
  { pools }: Movement,
  tenantId: number,
  vehicle: MovingVehicle,
  { calendar, ...interval }: Interval & { readonly calendar: Calendar },
  signal: AbortSignal,
): Promise<Assessed> {
  const isNight = (at: number): boolean => {
    const hour = calendar.hourOf(at);
    return hour >= 22 || hour < 6;
  };
  const meter = new SafetyMeter({ limitKmh: LIMIT_KMH, isNight });
  const harsh: Record<HarshKind, number> = { hardBraking: 0, hardAcceleration: 0, hardCornering: 0 };
  const events: SafetyItem['events'] = [];
  await readTrack(pools.streams, tenantId, vehicle, (fixes) => meter.feed(fixes), {
    signal,
    onChange: () => meter.changeDevice(),
  });
  meter.finish();
  for (const { device, from, to } of vehicle.carried) {
    const alarms = await readAlarms(pools.app, tenantId, { deviceId: device.id, from, to });
    for (const { time, latitude, longitude, alarm } of alarms) {
      for (const type of alarm.split(',')) {
        const kind = HARSH.find((each) => each === type);
        if (kind !== undefined) harsh[kind]++;
        if ((kind === undefined && type !== 'overspeed') || events.length >= MOST_EVENTS) continue;
        events.push({ type, at: toInstant(time), latitude, longitude, value: null });
      }
    }
  }
  const unit = await readTachograph(pools.app, tenantId, { targa: vehicle.targa, ...interval });
  events.push(...unit.events.slice(0, MOST_EVENTS - events.length));
  events.sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)));
  // without a device that reports it, the odometer gives the distance
  const totals = { ...meter.totals, distanceM: meter.totals.distanceM || unit.distanceM };
  const item = {
    targa: vehicle.targa,
    score0to100: scoreOf(totals, harsh, unit.points),
    harshBraking: harsh.hardBraking,
    harshAcceleration: harsh.hardAcceleration,
    harshCornering: harsh.hardCornering,
    overspeedS: totals.overspeedMs / 1000,
    idlingS: totals.idlingMs / 1000,
    nightS: totals.nightMs / 1000,
    distanceM: Math.round(totals.distanceM),
    tachograph: unit.counts,
    events,
  };
  return { item, totals, harsh, points: unit.points };
}

/** The score of all of them as if they were one; null where nothing was driven. */
export function fleetScore(all: readonly Omit<Assessed, 'item'>[]): number | null {
  const add = (of: (each: Omit<Assessed, 'item'>) => number): number => all.reduce((sum, each) => sum + of(each), 0);
  return scoreOf(
    {
      distanceM: add(({ totals }) => totals.distanceM),
      overspeedMs: add(({ totals }) => totals.overspeedMs),
      idlingMs: add(({ totals }) => totals.idlingMs),
      nightMs: add(({ totals }) => totals.nightMs),
    },
    {
      hardBraking: add(({ harsh }) => harsh.hardBraking),
      hardAcceleration: add(({ harsh }) => harsh.hardAcceleration),
      hardCornering: add(({ harsh }) => harsh.hardCornering),
    },
    add(({ points }) => points),
  );
}
