import { bitField, type Item, type Layout, layout, number, skip, textValue, type Value, value } from '#codec/text';

export const AKROZ_ALARMS: Readonly<Record<number, string>> = {
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
export const STATUS_ALARMS: Readonly<Record<number, string>> = {
  22: 'hardAcceleration',
  23: 'hardBraking',
  24: 'accident',
  26: 'hardCornering',
  28: 'hardCornering',
};
export const USUAL_ALARMS: Readonly<Record<number, string>> = { 1: 'sos', 2: 'powerCut' };

/** Four digits of the device's battery, the others of the vehicle's, in hundredths of a volt. */
const voltages = value((text, { draft }) => {
  if (!/^\d{5,10}$/.test(text)) return false;
  draft.attributes['battery'] = Number(text.slice(0, 4)) / 100;
  draft.attributes['power'] = Number(text.slice(4)) / 100;
  return true;
});
const hours = number('hours', { factor: 60_000 });
const fuelUsed = number('fuelUsed', { divisor: 10 });
const bit = (key: string, at: number): Value => bitField(16, { key, bit: at });

/** A field that cannot be read sets nothing, and those behind it count. */
const each = (...parts: readonly (Value | Item)[]): Layout =>
  layout(
    ...parts.map((part) => (part.kind === 'item' ? part : value((text, record) => part.set(text, record) || true))),
  );

/** Fields of Akroz between commas, by the number behind `RUV`. */
export const AKROZ: Readonly<Record<string, Layout>> = {
  '00': each(
    skip(3),
    voltages,
    textValue('serial'),
    textValue('versionFw'),
    textValue('versionHw'),
    skip(5),
    textValue('iccid'),
  ),
  '01': each(
    skip(3),
    voltages,
    skip(3),
    hours,
    number('odometer'),
    number('rpm'),
    number('coolantTemp'),
    number('oilPressure'),
    number('fuelLevel'),
    skip(3),
    textValue('driverUniqueId'),
  ),
  '02': each(skip(11), number('tripTime'), number('tripDistance'), fuelUsed),
};
export const AKROZ_OTHERS = each(
  skip(3),
  number('throttle'),
  hours,
  number('odometer'),
  number('rpm'),
  number('coolantTemp'),
  number('oilPressure'),
  number('fuelLevel'),
  fuelUsed,
  skip(),
  number('obdSpeed'),
  number('engineTorque'),
  skip(),
  number('engineBrake'),
  skip(3),
  bit('cruiseControl', 0),
  bit('clutchState', 6),
  bit('parkingBrake', 2),
  bit('serviceBrake', 3),
);

/** Attribute, and what its number is multiplied by. */
export type VehicleValue = readonly [key: string, factor: number | 'text'];

/** Values of the vehicle in EQ. Source: Rinho, report EQ (CAN01). */
export const RINHO_OBD: Readonly<Record<string, VehicleValue>> = {
  1: ['vin', 'text'],
  2: ['rpm', 1],
  3: ['obdSpeed', 1],
  b: ['obdOdometer', 1000],
  14: ['fuelUsed', 1],
  15: ['fuelLevel', 1],
  '2a': ['coolantTemp', 1],
  '2c': ['oilPressure', 1],
};
/** Values of the vehicle in ER. Source: Rinho, report ER (CAN00). */
export const RINHO_J1939: Readonly<Record<string, VehicleValue>> = {
  1010: ['obdSpeed', 1],
  1020: ['obdOdometer', 1000],
  1030: ['fuelUsed', 1],
  2010: ['rpm', 1],
  2012: ['coolantTemp', 1],
  2013: ['oilPressure', 1],
  2020: ['hours', 3_600_000],
  3010: ['tripFuel', 1],
  4201: ['fuelLevel', 1],
  5000: ['throttle', 1],
};
