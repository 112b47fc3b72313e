import { toInstant } from '../../kernel/http/index.ts';
import { HARSH, type HarshKind, SafetyMeter, type SafetyTotals, scoreOf } from '../track/safety.ts';
import type { Calendar } from './calendar.ts';
import type { Interval } from './interval.ts';
import type { Movement } from './movement.ts';
import type { SafetyItem } from './safety-item.ts';
import { readAlarms } from './store.ts';
import { readTrack } from './track.ts';
import type { MovingVehicle } from './vehicle-lookup.ts';

/** km/h, the highest limit of most countries' motorways */
const LIMIT_KMH = 130;
const MAX_EVENTS = 1_000;
export interface Assessed {
  readonly item: SafetyItem;
  readonly totals: SafetyTotals;
  readonly harsh: Readonly<Record<HarshKind, number>>;
  /** that the tachograph's events take off */
  readonly points: number;
}

/** Driving style of a vehicle: harsh events from alarms of its device, the rest from its path. */
export async function assess(
  { pools, readUnitSafety }: Movement,
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
  let found = 0;
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
        if (kind === undefined && type !== 'overspeed') continue;
        found++;
        if (events.length < MAX_EVENTS) events.push({ type, at: toInstant(time), latitude, longitude, value: null });
      }
    }
  }
  const unit = await readUnitSafety(pools.app, tenantId, { targa: vehicle.targa, ...interval });
  events.push(...unit.events.slice(0, MAX_EVENTS - events.length));
  found += unit.events.length;
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
    eventsTruncated: found > events.length,
  };
  return { item, totals, harsh, points: unit.points };
}

/** The score of all vehicles together; null if none was driven. */
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
