const PLACES = 1e9;

/**
 * Degrees to nine places, which are 0.1 mm: for those that have no decimal form as they were sent (minutes, radians, parts
 * of a circle, single precision). The digits behind them are those of the arithmetic. Decimal degrees need none of it.
 */
export const roundedDegrees = (value: number): number => Math.round(value * PLACES) / PLACES + 0;

/** Degrees and minutes, without a sign. */
export const degreesFromMinutes = (degrees: number, minutes: number): number => roundedDegrees(degrees + minutes / 60);

/** Degrees of a number that has degrees in its hundreds and minutes below (4807.5 is 48.125). */
export function degreesFromDdmm(ddmm: number): number {
  const degrees = Math.trunc(ddmm / 100);
  return degreesFromMinutes(degrees, ddmm - degrees * 100);
}
