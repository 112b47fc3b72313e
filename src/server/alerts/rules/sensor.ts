import { type Condition, numberOf } from './condition.ts';
import type { Rule } from './types.ts';

/** The value of a sensor, or of any attribute, is outside of the range of the rule. */
export function sensorOutside({ params }: Rule): Condition {
  const { sensor = '', below = Number.NEGATIVE_INFINITY, above = Number.POSITIVE_INFINITY, hysteresis = 0 } = params;
  return (fix) => {
    const value = numberOf(fix, sensor);
    if (value === undefined) return undefined;
    if (value < below || value > above) return { on: true, value, unit: '', detail: sensor };
    return value >= below + hysteresis && value <= above - hysteresis ? { on: false } : undefined;
  };
}
