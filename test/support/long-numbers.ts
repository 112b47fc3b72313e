/** Significant digits that a decimal number in a double may have; one with more has digits of the arithmetic. */
const DIGITS = 15;

/** Numbers in a JSON value that are no decimal numbers, each with its place. */
export function longNumbers(value: unknown, place: string): string[] {
  if (typeof value === 'number') return isLong(value) ? [`${place} is ${value}`] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => longNumbers(inner, `${place} ${name}`));
}

const isLong = (value: number): boolean => !Number.isInteger(value) && Number(value.toPrecision(DIGITS)) !== value;
