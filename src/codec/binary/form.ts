import { ninePlaces } from '../degrees.ts';
import type { AttributeValue } from '../messages.ts';

/** What a raw number means, in this order of steps. */
export interface Form {
  /** bits that count; with `shift` moved down by so many */
  readonly mask?: number;
  readonly shift?: number;
  /** raw numbers that mean "no value" */
  readonly noValue?: number | readonly number[];
  /** raw numbers beyond which there is no value */
  readonly min?: number;
  readonly max?: number;
  /** values by raw number; others are not set */
  readonly lookup?: Readonly<Record<number, AttributeValue>>;
  /** true if it is this number */
  readonly equals?: number;
  /** true if it is above zero */
  readonly isPositive?: true;
  /** (raw - subtract) · factor / divisor + add */
  readonly subtract?: number;
  readonly factor?: number;
  readonly divisor?: number;
  readonly add?: number;
  /** rounded towards zero */
  readonly truncate?: true;
  /** as text of decimal digits */
  readonly text?: true;
}

type Meaning = (raw: number) => AttributeValue | undefined;

/** Whether a whole number has a decimal form once it is divided. */
export function dividesDecimals(divisor: number): boolean {
  let left = divisor;
  while (left > 1 && left % 2 === 0) left /= 2;
  while (left > 1 && left % 5 === 0) left /= 5;
  return left === 1;
}

/** How a raw number is scaled, without digits of the arithmetic where it has no decimal form. */
export function scaled(form: Form): (raw: number) => number {
  const scale = unrounded(form);
  const { divisor = 1 } = form;
  return form.truncate || !Number.isInteger(divisor) || dividesDecimals(divisor)
    ? scale
    : (raw) => ninePlaces(scale(raw));
}

const unrounded = ({ subtract = 0, factor = 1, divisor = 1, add = 0, truncate }: Form): ((raw: number) => number) => {
  if (subtract !== 0) {
    const scale = unrounded({ factor, divisor, add, ...(truncate ? { truncate } : {}) });
    return (raw) => scale(raw - subtract);
  }
  if (truncate) return (raw) => Math.trunc((raw * factor) / divisor + add);
  if (factor === 1 && add === 0) return (raw) => raw / divisor;
  if (divisor === 1 && add === 0) return (raw) => raw * factor + 0;
  return (raw) => (raw * factor) / divisor + add;
};

function within({ noValue, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY }: Form) {
  const absent = noValue === undefined ? [] : typeof noValue === 'number' ? [noValue] : noValue;
  return (raw: number): boolean => raw >= min && raw <= max && !absent.includes(raw);
}

/** Undefined if the raw number is the value. */
export function meaningOf(form: Form): Meaning | undefined {
  const { mask, shift = 0, lookup, equals, isPositive, text } = form;
  const isPlain =
    form.subtract === undefined &&
    form.factor === undefined &&
    form.divisor === undefined &&
    form.add === undefined &&
    !form.truncate;
  const scale = scaled(form);
  let meaning: Meaning | undefined = isPlain ? undefined : scale;
  if (lookup !== undefined) meaning = (raw) => lookup[raw];
  if (equals !== undefined) meaning = (raw) => raw === equals;
  if (isPositive) meaning = (raw) => raw > 0;
  if (text) meaning = (raw) => String(scale(raw));
  if (form.noValue !== undefined || form.min !== undefined || form.max !== undefined) {
    const [inner, isValue] = [meaning, within(form)];
    meaning = (raw) => (isValue(raw) ? (inner === undefined ? raw : inner(raw)) : undefined);
  }
  if (mask === undefined) return meaning;
  const inner = meaning;
  return (raw) => {
    const bits = (raw & mask) >>> shift;
    return inner === undefined ? bits : inner(bits);
  };
}
