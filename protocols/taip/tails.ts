import { type Attributes, addAlarm, setIfPresent } from '#codec';
import { parseDecimal, parseHex } from '#codec/text';

/** What follows speed and course. */
export interface Tail {
  readonly valid?: boolean;
  readonly event?: number | undefined;
  readonly attributes: Attributes;
}

const IGNITION = 0x80;
const EXTERNAL_SUPPLY = 0x40;

/** Source of the fix and its age, the last two digits. Source: Trimble, TAIP: 9 is unknown, 0 not available. */
const SOURCE = /^(\d)(\d)(?=[;<\r]|$)/;
const FIX = String.raw`^(\d)[0-9A-F]{2}([0-9A-F]{2})`;
const WITH_VOLTAGES = new RegExp(
  String.raw`${FIX},[^,;]{0,40},(\d{1,10}),(\d{4})(\d{4}),(\d{1,5})(?:,(-?\d{1,5}(?:\.\d+)?),(-?\d{1,5}(?:\.\d+)?))?,([0-9A-F]{2})(?![0-9A-F])`,
);
const WITH_EVENT = new RegExp(String.raw`${FIX}(\d\d)(\d\d)`);
const WITH_ODOMETER =
  /^([0-9A-F]{2})[0-9A-F]{2}(\d{3})([0-9A-F]{8})[01](?:([023])(\d\d)(\d\d)[0-9A-F]{4}[01][0-5](\d\d)(?:([+-]\d{4})[0-9A-F]{2}([+-]\d{4})[0-9A-F]{2})?)?/;
const END = /^(?:[;<\r]|$)/;

/** Akroz has its own meanings of the fix and the event. */
export function readTail(text: string, isAkroz: boolean): Tail {
  const source = SOURCE.exec(text);
  if (source !== null) return { valid: source[1] !== '9' && source[2] !== '0', attributes: {} };
  // reports with an odometer may begin like the others, but are matched up to their end
  const odometer = WITH_ODOMETER.exec(text);
  if (odometer?.[4] !== undefined && END.test(text.slice(odometer[0].length))) return withOdometer(odometer);
  const voltages = WITH_VOLTAGES.exec(text);
  const short = voltages ?? WITH_EVENT.exec(text);
  if (short === null) return odometer === null ? { attributes: {} } : withOdometer(odometer);
  const fix = Number(short[1]);
  const input = Number.parseInt(short[2]!, 16);
  const attributes: Attributes = { input, ignition: (input & IGNITION) !== 0 };
  if (isAkroz) attributes['charge'] = (input & EXTERNAL_SUPPLY) !== 0;
  const valid = isAkroz ? fix >= 2 && fix <= 7 : fix > 0;
  if (voltages !== null) return { valid, event: withVoltages(voltages, attributes), attributes };
  attributes['hdop'] = Number(short[4]);
  return { valid, event: isAkroz ? undefined : Number(short[3]), attributes };
}

function withVoltages(
  [, , , odometer, power, battery, rpm, temp1, temp2, event]: RegExpExecArray,
  into: Attributes,
): number {
  into['odometer'] = Number(odometer);
  into['power'] = Number(power) / 100;
  into['battery'] = Number(battery) / 100;
  into['rpm'] = Number(rpm);
  if (temp1 !== undefined) Object.assign(into, { temp1: Number(temp1), temp2: Number(temp2) });
  return Number.parseInt(event!, 16);
}

function withOdometer([, input, volts, odometer, fix, pdop, sat, rssi, temp1, temp2]: RegExpExecArray): Tail {
  const attributes: Attributes = {
    input: Number.parseInt(input!, 16),
    // tenths of a volt, of the vehicle
    power: Number(volts) / 10,
    odometer: Number.parseInt(odometer!, 16),
  };
  if (fix === undefined) return { attributes };
  Object.assign(attributes, { pdop: Number(pdop), sat: Number(sat), rssi: Number(rssi) });
  if (temp1 !== undefined) Object.assign(attributes, { temp1: Number(temp1) / 100, temp2: Number(temp2) / 100 });
  return { valid: fix !== '0', attributes };
}

const AKROZ_ALARMS: Readonly<Record<number, string>> = {
  104: 'overspeed',
  106: 'overspeed',
  109: 'highRpm',
  111: 'idle',
  119: 'temperature',
  120: 'hardAcceleration',
  121: 'hardBraking',
  122: 'hardCornering',
  127: 'powerCut',
  128: 'powerRestored',
  129: 'lowBattery',
};
/** of `RUS00,` */
const STATUS_ALARMS: Readonly<Record<number, string>> = {
  22: 'hardAcceleration',
  23: 'hardBraking',
  24: 'accident',
  26: 'hardCornering',
  28: 'hardCornering',
};
const USUAL_ALARMS: Readonly<Record<number, string>> = { 1: 'sos', 2: 'powerCut' };

export function addEvent(attributes: Attributes, event: number | undefined, text: string): void {
  setIfPresent(attributes, 'event', event);
  const alarms = text.startsWith('RUV') ? AKROZ_ALARMS : text[5] === ',' ? STATUS_ALARMS : USUAL_ALARMS;
  if (event !== undefined) addAlarm(attributes, alarms[event]);
}

type Set = (into: Attributes, text: string) => void;
const number =
  (key: string, factor = 1): Set =>
  (into, text) =>
    setIfPresent(into, key, text === '' ? undefined : scaled(parseDecimal(text), factor));
const scaled = (n: number | undefined, factor: number): number | undefined =>
  n === undefined ? undefined : n * factor;
const text =
  (key: string): Set =>
  (into, value) => {
    if (value !== '') into[key] = value;
  };
const bit =
  (key: string, at: number): Set =>
  (into, value) => {
    const n = parseHex(value);
    if (n !== undefined) into[key] = ((n >> at) & 1) === 1;
  };
/** Four digits of the device's battery, the others of the vehicle's, in hundredths of a volt. */
const voltages: Set = (into, value) => {
  if (!/^\d{5,10}$/.test(value)) return;
  into['battery'] = Number(value.slice(0, 4)) / 100;
  into['power'] = Number(value.slice(4)) / 100;
};
const MINUTE_MS = 60_000;

/** Fields of Akroz by the number behind `RUV`, and their place between commas. */
const AKROZ: Readonly<Record<string, Readonly<Record<number, Set>>>> = {
  '00': { 3: voltages, 4: text('serial'), 5: text('versionFw'), 6: text('versionHw'), 12: text('iccid') },
  '01': {
    3: voltages,
    7: number('hours', MINUTE_MS),
    8: number('odometer'),
    9: number('rpm'),
    10: number('coolantTemp'),
    11: number('oilPressure'),
    12: number('fuelLevel'),
    16: text('driverUniqueId'),
  },
  '02': { 11: number('tripTime'), 12: number('tripDistance'), 13: number('fuelUsed', 0.1) },
};
const AKROZ_OTHERS: Readonly<Record<number, Set>> = {
  3: number('throttle'),
  4: number('hours', MINUTE_MS),
  5: number('odometer'),
  6: number('rpm'),
  7: number('coolantTemp'),
  8: number('oilPressure'),
  9: number('fuelLevel'),
  10: number('fuelUsed', 0.1),
  12: number('obdSpeed'),
  13: number('engineTorque'),
  15: number('engineBrake'),
  19: bit('cruiseControl', 0),
  20: bit('clutchState', 6),
  21: bit('parkingBrake', 2),
  22: bit('serviceBrake', 3),
};

export function addAkroz(into: Attributes, body: string): void {
  const values = body.split(',');
  const kind = body.slice(3, 5);
  const fields = Object.hasOwn(AKROZ, kind) ? AKROZ[kind]! : AKROZ_OTHERS;
  for (const [place, set] of Object.entries(fields)) {
    const value = values[Number(place)];
    if (value !== undefined) set(into, value);
  }
}
