const PLACES = 1e9;
/** doubles above it have fewer places */
const LARGE = 4e6;

/**
 * A number to nine places, which of a degree are 0.1 mm: for values that have no decimal form as they were sent, such as
 * minutes, radians, parts of 255. The digits behind them are those of the arithmetic. Decimal numbers need none of it.
 */
export const ninePlaces = (value: number): number =>
  Math.abs(value) < LARGE ? Math.round(value * PLACES) / PLACES + 0 : value;

/** Degrees and minutes, without a sign. */
export const degreesFromMinutes = (degrees: number, minutes: number): number => ninePlaces(degrees + minutes / 60);

/** Degrees of a number that has degrees in its hundreds and minutes below (4807.5 is 48.125). */
export function degreesFromDdmm(ddmm: number): number {
  const degrees = Math.trunc(ddmm / 100);
  return degreesFromMinutes(degrees, ddmm - degrees * 100);
}
