/** Decimal digits that any number of single precision has, and those that distinguish any two of them. */
const [SURE_DIGITS, MOST_DIGITS] = [6, 9];
/** Numbers below it have fewer binary digits, and so fewer decimal ones. */
const SMALLEST_NORMAL = 2 ** -126;

/**
 * The decimal number of fewest digits that is `value` in single precision, and of these the nearest to it. For some
 * powers of two it has one digit more: below them such numbers lie closer.
 */
export function shortestDecimal(value: number): number {
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 2 ** 24) return value;
  for (let digits = size < SMALLEST_NORMAL ? 1 : SURE_DIGITS; digits < MOST_DIGITS; digits++) {
    const decimal = Number(value.toPrecision(digits));
    if (Math.fround(decimal) === value) return decimal;
  }
  return Number.isFinite(value) ? Number(value.toPrecision(MOST_DIGITS)) : value;
}
