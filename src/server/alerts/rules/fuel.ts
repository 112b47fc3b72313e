import { changeSoFar, type FuelOptions, followFuel } from '../../movement/track/fuel.ts';
import { type Gauge, gaugesOf, leastChange, type Tank } from '../../movement/track/fuel-gauge.ts';
import type { Watching } from './judge.ts';
import { placedAt } from './placed.ts';
import type { Fix, Limits, Rule } from './types.ts';

/** Refuels or drains, notified with the report that makes them certain; the amount is corrected when they are over. */
export function fuelLevel({ params, type }: Rule, _limits: Limits, tank: Tank | null): Watching {
  const wanted = type === 'fuel_drain' ? 'drain' : 'refuel';
  const gauges = gaugesOf(tank).map((gauge): readonly [Gauge, FuelOptions] => {
    const own = gauge.unit === 'litres' ? params.litres : params.percent;
    return [gauge, { unit: gauge.unit, least: own ?? leastChange(gauge, tank) }];
  });
  return (fix, memory, take) => {
    const known = memory.fuel;
    const index = gauges.findIndex(([gauge]) => readingOf(fix, gauge) !== undefined);
    // a gauge that was read once is not replaced by a worse one
    if (index === -1 || index > (known?.gauge ?? index)) return;
    const [gauge, options] = gauges[index]!;
    const { at, speed, ignition } = fix;
    const hasPlace = fix.valid && !fix.outdated;
    const before = known?.gauge === index ? known.state : undefined;
    const { state, shown, ended } = followFuel(
      before,
      {
        at,
        level: gauge.level(readingOf(fix, gauge)!),
        latitude: hasPlace ? fix.latitude : undefined,
        longitude: hasPlace ? fix.longitude : undefined,
        speed: hasPlace ? speed : undefined,
        ignition,
      },
      options,
    );
    memory.fuel = { gauge: index, state };
    if (shown?.kind === wanted) {
      const { amount: value, latitude, longitude } = shown;
      const unit = gauge.unit === 'litres' ? 'l' : '%';
      const sample = { on: true, sure: true, isPulse: true, value, unit } as const;
      take(shown.shownAt, sample, latitude === undefined ? fix : placedAt(fix, latitude, longitude!));
    }
    const final = ended ?? changeSoFar(before, state, options.least);
    if (final?.kind === wanted) take(final.shownAt, { on: true, isFinal: true, value: final.amount }, fix);
    take(at, { on: false }, fix);
  };
}

function readingOf(fix: Fix, { attribute }: Gauge): number | undefined {
  if (!fix.mentions(attribute)) return undefined;
  const value = fix.attributes()[attribute];
  return typeof value === 'number' ? value : undefined;
}
