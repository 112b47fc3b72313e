import type { Attributes } from './messages.ts';

/** Decimal places that a value of a device may have; fewer for large values, whose doubles do not hold more. */
const PLACES = 1e9;
const PLACES_OF_LARGE = 1e5;
const LARGE = 4e5;
const TOO_LARGE = 4e10;
/** Relative error of a few operations with doubles. */
const RELATIVE = 2 ** -50;
/** Absolute error that is left by an offset such as 273.15. */
const ABSOLUTE = 2 ** -43;

/**
 * The decimal number that the device sent, where arithmetic with doubles has left an error in the last digits
 * (442 · 0.1 is 44.2, not 44.2 and a few units in the last place). Other values are returned as they are: fractions that
 * have no short decimal form, floats of the device.
 */
export function withoutRoundingError(value: number): number {
  const size = Math.abs(value);
  if (Number.isInteger(value) || !(size < TOO_LARGE)) return value;
  const places = size < LARGE ? PLACES : PLACES_OF_LARGE;
  const rounded = Math.round(value * places) / places;
  const error = Math.abs(rounded - value);
  return error <= size * RELATIVE || (error <= ABSOLUTE && size > 1e-3) ? rounded : value;
}

/** `withoutRoundingError` of every number. */
export function roundAttributes(attributes: Attributes): void {
  for (const key in attributes) {
    const value = attributes[key];
    if (typeof value !== 'number' || Number.isInteger(value)) continue;
    const rounded = withoutRoundingError(value);
    if (rounded !== value) attributes[key] = rounded;
  }
}
