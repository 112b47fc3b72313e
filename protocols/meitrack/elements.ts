/** Event → alarm. Source: GPRS protocol documents, event code. */
export const ALARMS: ReadonlyMap<number, string> = new Map([
  [1, 'sos'],
  [17, 'lowBattery'],
  [18, 'lowPower'],
  [19, 'overspeed'],
  [20, 'geofenceEnter'],
  [21, 'geofenceExit'],
  [22, 'powerRestored'],
  [23, 'powerCut'],
  [28, 'gpsAntennaCut'],
  [29, 'powerOn'],
  [36, 'tow'],
  [40, 'powerOff'],
  [44, 'jamming'],
  [50, 'temperature'],
  [51, 'temperature'],
  [54, 'fuelLeak'],
  [78, 'accident'],
  [79, 'fallDown'],
  [81, 'removing'],
  [90, 'hardCornering'],
  [91, 'hardCornering'],
  [129, 'hardBraking'],
  [130, 'hardAcceleration'],
  [133, 'idle'],
  [135, 'fatigueDriving'],
]);

/** Event that names a driver. */
export const DRIVER_EVENT = 37;

/** Volts of one step of the battery's and the supply's converter. */
interface Steps {
  readonly battery: number;
  readonly power: number;
}

const SIX_BY_1024 = { battery: 6 / 1024, power: 48 / 1024 };
const NEWER = { battery: 6.6 / 4096, power: 52.8 / 4096 };
const OTHERS: Steps = { battery: 1 / 100, power: 1 / 100 };

const STEPS: ReadonlyMap<string, Steps> = new Map([
  ['MVT340', SIX_BY_1024],
  ['MVT380', SIX_BY_1024],
  ['MT90', { battery: 6.6 / 4096, power: 1 }],
  ['MT90G', { battery: 6 / 4096, power: 1 }],
  ...['T1', 'T3', 'MVT100', 'MVT600', 'MVT800', 'TC68', 'TC68S'].map((model) => [model, NEWER] as const),
]);

/** No lithium cell is beyond: the converters' words of a charged one are from 512 (ten bits) and from 1,862 (twelve) on. */
const MAX_VOLTS = 5;
const TEN_BITS = 1024;
export const TWELVE_BITS = 4096;

/** All steps are whole numbers of this part of a volt. */
const PARTS = 204_800;

/** Volts of a converter's value: one division, so that there are no digits of the arithmetic. */
export const voltsOf = (value: number, step: number): number => Math.round(value * step * PARTS) / PARTS;

/** By the model; where it is not known, by the battery: hundredths where they can be one, else a converter's steps. */
export function stepsOf(model: unknown, battery: number): Steps {
  const known = STEPS.get(String(model ?? '').toUpperCase());
  if (known !== undefined) return known;
  if (battery / 100 <= MAX_VOLTS) return OTHERS;
  return battery < TEN_BITS ? SIX_BY_1024 : NEWER;
}

/** What becomes of a parameter's value: an attribute, divided, or a part of the fix. */
export interface Element {
  readonly key: string;
  readonly divisor?: number;
}

const scaled = (key: string, divisor: number): Element => ({ key, divisor });
const raw = (key: string): Element => ({ key });

/** Parameters of one byte. Source: CCE data format, one-byte parameters. */
export const ONE_BYTE: ReadonlyMap<number, Element> = new Map([
  [0x01, raw('event')],
  [0x06, raw('sat')],
  [0x07, raw('rssi')],
  [0x14, raw('output')],
  [0x15, raw('input')],
  [0x97, raw('throttle')],
  [0x9d, raw('fuelLevel')],
  [0xfe69, raw('batteryLevel')],
]);

/** Parameters of two bytes, without those of the fix. */
export const TWO_BYTES: ReadonlyMap<number, Element> = new Map([
  [0x0a, scaled('hdop', 10)],
  [0x16, scaled('adc1', 100)],
  [0x17, scaled('adc2', 100)],
  [0x19, scaled('battery', 100)],
  [0x1a, scaled('power', 100)],
  [0x29, scaled('fuelLevel', 100)],
  [0x40, raw('event')],
  [0x91, raw('obdSpeed')],
  [0x92, raw('obdSpeed')],
  [0x98, raw('fuelUsed')],
  [0x99, raw('rpm')],
  [0x9c, raw('coolantTemp')],
  [0x9f, raw('temp1')],
  [0xc9, raw('fuelConsumption')],
]);

/** Parameters of four bytes, without those of the fix. */
export const FOUR_BYTES: ReadonlyMap<number, Element> = new Map([
  [0x0c, raw('odometer')],
  [0x0d, raw('runtime')],
  [0x9b, raw('obdOdometer')],
  [0xa0, scaled('fuelUsed', 1000)],
  [0xa2, scaled('fuelConsumption', 100)],
  [0xfef4, scaled('hours', 1 / 60_000)],
]);
