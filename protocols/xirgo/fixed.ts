import { type Attributes, decimalOf, type Message, positionOf } from '#codec';
import { MILE_KMH, MILE_M, setEvent } from './elements.ts';

/** Where a value stands, counted from the id. */
interface Layout {
  readonly course: number;
  readonly odometer: number;
  readonly consumption?: number;
  readonly battery: number;
  readonly gps: number;
}

export type LayoutName = 'new' | 'old';

export const LAYOUTS: Readonly<Record<LayoutName, Layout>> = {
  new: { course: 11, odometer: 14, consumption: 15, battery: 16, gps: 18 },
  old: { course: 8, odometer: 13, battery: 11, gps: 14 },
};

const DIGITS = /^\d{1,10}$/;
const DECIMAL = /^\d{1,8}\.\d{1,8}$/;
const SIGNED = /^-?\d{1,10}(?:\.\d{1,8})?$/;
const NUMBER = /^\d{1,10}(?:\.\d{1,8})?$/;
const DATE = /^(\d{4})\/(\d\d)\/(\d\d)$/;
const TIME = /^(\d\d):(\d\d):(\d\d)$/;

const isAll = (pattern: RegExp, fields: readonly string[], places: readonly number[]): boolean =>
  places.every((place) => pattern.test(fields[place] ?? ''));

/** Undefined where the fields are not of this layout. */
export function readFixed(fields: readonly string[], name: LayoutName): Message | undefined {
  const { course, odometer, consumption, battery, gps } = LAYOUTS[name];
  const [, , date = '', time = ''] = fields;
  const day = DATE.exec(date);
  const clock = TIME.exec(time);
  // A field follows the last one, be it empty.
  if (day === null || clock === null || fields.length <= gps + 1) return undefined;
  const between = name === 'new' ? [8, 9] : [];
  if (!isAll(SIGNED, fields, [4, 5, 6])) return undefined;
  if (!isAll(NUMBER, fields, [7, ...between, course, course + 2, odometer])) return undefined;
  if (!isAll(DIGITS, fields, [1, ...(name === 'new' ? [10] : []), course + 1, battery + 1, gps])) return undefined;
  if (!DECIMAL.test(fields[battery]!)) return undefined;
  if (consumption !== undefined && !NUMBER.test(fields[consumption]!)) return undefined;
  const at = (place: number): number => decimalOf(fields[place]!) ?? 0;
  const attributes: Attributes = { sat: at(course + 1), hdop: at(course + 2) };
  setEvent(at(1), attributes);
  attributes['odometer'] = at(odometer) * MILE_M;
  if (consumption !== undefined) attributes['fuelConsumption'] = fields[consumption]!;
  attributes['battery'] = at(battery);
  attributes['rssi'] = at(battery + 1);
  if (name === 'new') readTail(fields.slice(gps + 1), attributes);
  const [year, month, dayOfMonth] = day.slice(1).map(Number) as [number, number, number];
  const [hour, minute, second] = clock.slice(1).map(Number) as [number, number, number];
  return positionOf(
    {
      time: Date.UTC(year, month - 1, dayOfMonth, hour, minute, second),
      valid: at(gps) === 1,
      latitude: at(4),
      longitude: at(5),
      altitude: at(6),
      speed: at(7) * MILE_KMH,
      course: at(course),
    },
    attributes,
  );
}

const LINES = /^[01]{4}$/;
const HOUR_MS = 3_600_000;
const KEYS = ['oilPressure', 'oilLevel', 'oilTemp', 'coolantPressure', 'coolantLevel', 'coolantTemp'] as const;
const SIGNED_KEYS: ReadonlySet<string> = new Set(['oilTemp', 'coolantTemp']);

/** Lines, voltage, fuel, load, hours, oil and coolant: all of them, or none. */
function readTail(fields: readonly string[], attributes: Attributes): void {
  const [digit = '', lines = '', voltage = '', fuel = '', load = '', hours = '', ...rest] = fields;
  if (!/^\d$/.test(digit) || !LINES.test(lines) || !isAll(NUMBER, [voltage, fuel], [0, 1])) return;
  if (!isAll(DIGITS, [load, hours], [0, 1])) return;
  if (!KEYS.every((key, at) => (SIGNED_KEYS.has(key) ? SIGNED : NUMBER).test(rest[at] ?? ''))) return;
  for (const [at, key] of ['in1', 'in2', 'in3', 'out1'].entries()) attributes[key] = Number(lines[at]);
  attributes['adc1'] = Number(voltage);
  attributes['fuel'] = Number(fuel);
  attributes['hours'] = Number(hours) * HOUR_MS;
  for (const [at, key] of KEYS.entries()) attributes[key] = Number(rest[at]);
}
