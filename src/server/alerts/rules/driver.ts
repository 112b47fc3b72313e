import { foldKey } from '../../../contract/driver-key.ts';
import { isMoving } from './condition.ts';
import type { Watching } from './judge.ts';
import type { Rule } from './types.ts';

/**
 * Moving although no driver is logged in. A driver is logged in from a report with a key until one with a logout, or until
 * the ignition is off: readers that report the key once do so after each start.
 */
export function driverMissing({ params: { minSpeedKmh = 5 } }: Rule): Watching {
  return (fix, memory, take) => {
    if (fix.mentions('driverUniqueId')) memory.hasDriver = foldKey(fix.attributes()['driverUniqueId']) !== '';
    else if (fix.ignition === false) memory.hasDriver = false;
    const moving = isMoving(fix, minSpeedKmh);
    if (moving !== undefined) take(fix.at, { on: moving && memory.hasDriver !== true }, fix);
  };
}
