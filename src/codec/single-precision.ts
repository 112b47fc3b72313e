/** Decimal digits that any number of single precision has, and those that distinguish any two of them. */
const [SURE_DIGITS, MAX_DIGITS] = [6, 9];
/** the smallest number of as many digits as are sure before its point */
const WHOLE = 10 ** (SURE_DIGITS - 1);
/** Numbers below it have fewer binary digits, and so fewer decimal ones. */
const MIN_NORMAL = 2 ** -126;
/** Between them, numbers of single precision are exact in double precision once they are whole to 6 to 9 digits. */
const [MIN_EXACT, MAX_EXACT] = [1e-4, 1e6];

/**
 * The decimal number of fewest digits that is `value` in single precision, and of these the nearest to it. For some
 * powers of two it has one digit more: below them such numbers lie closer.
 */
export function shortestDecimal(value: number): number {
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 2 ** 24) return value;
  if (size >= MIN_EXACT && size < MAX_EXACT) return value < 0 ? -shortestOfExact(size) : shortestOfExact(size);
  for (let digits = size < MIN_NORMAL ? 1 : SURE_DIGITS; digits < MAX_DIGITS; digits++) {
    const decimal = Number(value.toPrecision(digits));
    if (Math.fround(decimal) === value) return decimal;
  }
  return Number.isFinite(value) ? Number(value.toPrecision(MAX_DIGITS)) : value;
}

/** The same without a text: a tenth of the time. */
function shortestOfExact(size: number): number {
  let scale = 1;
  while (size * scale < WHOLE) scale *= 10;
  for (let digits = SURE_DIGITS; digits < MAX_DIGITS; digits++) {
    const decimal = Math.round(size * scale) / scale;
    if (Math.fround(decimal) === size) return decimal;
    scale *= 10;
  }
  return Math.round(size * scale) / scale;
}
