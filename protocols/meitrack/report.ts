import {
  type Attributes,
  addAlarm,
  type DeviceOptions,
  type Network,
  type Position,
  positionOf,
  readOptional,
  setIfPresent,
} from '#codec';
import { Fields, isDigits, parseDecimal, utcFromDigits } from '#codec/text';
import { ALARMS, DRIVER_EVENT, stepsOf, TWELVE_BITS, voltsOf } from './elements.ts';
import { negative } from './records.ts';

const INTEGER = /^\d{1,6}$/;
/** from the event to the state of the lines */
const FIX_FIELDS = 13;

/** A report of a fix, from behind the command on; undefined if the text has not its layout. */
export function readReport(text: string, options: DeviceOptions): Position | undefined {
  const fields = new Fields(text.split(','));
  // some commands have a number before the event
  if (INTEGER.test(fields.peek(1) ?? '') && isDigits(fields.peek(4) ?? '', 12)) fields.skip();
  if (fields.left < FIX_FIELDS || !INTEGER.test(fields.peek()!) || !isDigits(fields.peek(3)!, 12)) return undefined;
  const event = fields.integer();
  const attributes: Attributes = { event };
  addAlarm(attributes, ALARMS.get(event));
  const latitude = fields.number();
  const longitude = fields.number();
  const time = utcFromDigits(`20${fields.text()}`);
  const valid = fields.text() === 'A';
  attributes['sat'] = fields.integer();
  const signal = fields.integer();
  const rssi = negative(signal);
  const speed = fields.number();
  const course = fields.number();
  attributes['hdop'] = fields.number();
  const altitude = fields.number();
  attributes['odometer'] = fields.integer();
  setIfPresent(attributes, 'runtime', fields.optionalNumber());
  let network: Network | undefined;
  readOptional(() => {
    network = networkOf(fields.text(), rssi);
    if (network === undefined) attributes['rssi'] = signal;
    const lines = fields.hex();
    attributes['input'] = (lines >> 8) & 0xff;
    attributes['output'] = lines & 0xff;
    readAnalogue(fields.text(), attributes, options);
    readRest(fields.all.slice(fields.at), event, attributes);
  });
  return positionOf({ time, valid, latitude, longitude, altitude, speed, course }, attributes, network);
}

function networkOf(text: string, rssi: number): Network | undefined {
  const cell = new Fields(text.split('|'));
  const mcc = cell.integer();
  const mnc = cell.integer();
  const lac = cell.optionalHex() ?? 0;
  const cid = cell.optionalHex() ?? 0;
  // network 00 is a real one, such as 460 00; country 0 is not
  return mcc === 0 ? undefined : { cells: [{ mcc, mnc, lac, cid, rssi }] };
}

/** `bat|power|rtc|mcu|gps` in volts with a point, or `a1|a2|a3|bat|power`, hexadecimal. */
function readAnalogue(text: string, attributes: Attributes, options: DeviceOptions): void {
  const values = new Fields(text.split('|'));
  if (text.includes('.')) {
    attributes['battery'] = values.number();
    attributes['power'] = values.number();
    return;
  }
  const isDecimal = isBeyondConverter(values.peek(3) ?? '');
  const next = (): number | undefined => (isDecimal ? values.optionalNumber() : values.optionalHex());
  const inputs = [next(), next(), next()];
  const own = isDecimal ? values.number() : values.hex();
  const { battery, power } = stepsOf(options['model'], own);
  attributes['battery'] = voltsOf(own, battery);
  const supply = next();
  if (supply !== undefined) attributes['power'] = voltsOf(supply, power);
  for (const [at, value] of inputs.entries()) if (value !== undefined) attributes[`adc${at + 1}`] = value;
}

/** More than a converter of twelve bits gives: firmware of 2010 writes these numbers in decimal. */
const isBeyondConverter = (text: string): boolean => isDigits(text, 4) && Number.parseInt(text, 16) >= TWELVE_BITS;

const VERSION = /^\d{0,4}$/;
const FUEL = /^(?:[0-9A-Fa-f]{4})?$/;
/** of each sensor its number and value; some put bars between them */
const TEMPERATURES = /^(?:[0-9A-Fa-f]{6}\|?){0,16}$/;
const COUNT = /^\d{1,10}$/;

/** Event data, reserved, version, fuel, temperatures, count and data: all of it fits, or none is believed. */
function readRest(rest: readonly string[], event: number, attributes: Attributes): void {
  const start = fits(rest, 1) ? 1 : fits(rest, 0) ? 0 : -1;
  if (start < 0) return;
  const data = start === 1 ? rest[0]! : '';
  if (data !== '') attributes[event === DRIVER_EVENT ? 'driverUniqueId' : 'eventData'] = data;
  const [, version = '', fuel = '', listed = '', , ...more] = rest.slice(start);
  const temperatures = listed.replaceAll('|', '');
  if (fuel !== '')
    // a percentage (GPRS protocol, 1.2)
    attributes['fuelLevel'] = Number.parseInt(fuel.slice(0, 2), 16) + Number.parseInt(fuel.slice(2), 16) / 100;
  for (let at = 0; at < temperatures.length; at += 6) {
    const key = `temp${Number.parseInt(temperatures.slice(at, at + 2), 16)}`;
    attributes[key] = degrees(Number.parseInt(temperatures.slice(at + 2, at + 6), 16), Number(version));
  }
  readTaxi(more, attributes);
}

/** `start`: where the reserved field stands. */
function fits(rest: readonly string[], start: number): boolean {
  const [version, fuel, temperatures, count, data] = rest.slice(start + 1);
  if (version === undefined || fuel === undefined || !VERSION.test(version) || !FUEL.test(fuel)) return false;
  if (temperatures !== undefined && !TEMPERATURES.test(temperatures)) return false;
  return count === undefined || (COUNT.test(count) && data !== undefined);
}

/** Hundredths; before version 3 whole degrees and hundredths, each in a byte. */
function degrees(word: number, version: number): number {
  if (version >= 3) return ((word << 16) >> 16) / 100;
  const whole = (word << 16) >> 24;
  return whole < 0 ? whole - (word & 0xff) / 100 : whole + (word & 0xff) / 100;
}

function readTaxi(data: readonly string[], attributes: Attributes): void {
  if (data[1]) attributes['tempData'] = data[1];
  const parts = data[5]?.split('|') ?? [];
  if (parts.length < 2) return;
  const [, state] = parts[0]!;
  if (state !== undefined) attributes['taximeterOn'] = state === '0';
  attributes['taximeterStart'] = parts[1]!;
  if (parts.length < 7) return;
  attributes['taximeterEnd'] = parts[2]!;
  attributes['taximeterDistance'] = parseDecimal(parts[3]!) ?? 0;
  attributes['taximeterFare'] = parseDecimal(parts[4]!) ?? 0;
  attributes['taximeterTrip'] = parts[5]!;
  attributes['taximeterWait'] = parts[6]!;
}
