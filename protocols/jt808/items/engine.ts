import {
  choose,
  extendBeyondLength,
  type FieldList,
  groupNumber,
  groups,
  hasWholeGroups,
  hex,
  numberFields,
  restAsNumber,
  skip,
  startsWithText,
  tags,
  text,
  u8,
  u16,
  u32,
} from '#codec/binary';
import { humidity, temperature } from './readers.ts';

const PERCENT = { factor: 100, divisor: 255, truncate: true } as const;
const CELSIUS = { add: -40 } as const;

/** 91: engine data in fixed places. */
export const ENGINE: FieldList = [
  u16('battery', { divisor: 10 }),
  u16('rpm'),
  u8('obdSpeed'),
  u8('throttle', PERCENT),
  u8('engineLoad', PERCENT),
  u8('coolantTemp', CELSIUS),
  skip(2),
  u16('fuelConsumption', { divisor: 100 }),
  skip(8),
  u16('fuelUsed', { divisor: 100 }),
];

/** 80: what follows in the frame is no items but a list of its own, in which known entries have one size each. */
export const EXTENSION_LIST: FieldList = [
  extendBeyondLength,
  skip(1),
  tags({
    id: 'u8',
    length: 'u8',
    lengths: 'own',
    minBytes: 3,
    table: {
      0x01: u32('odometer', { factor: 100 }),
      0x02: u16('fuel', { divisor: 10 }),
      0x03: u16('obdSpeed', { divisor: 10 }),
      0x56: [skip(1), u8('batteryLevel')],
      0x61: u16('power', { divisor: 100 }),
      0x69: u16('battery', { divisor: 100 }),
      0x80: u8('obdSpeed'),
      0x81: u16('rpm'),
      0x82: u16('power', { divisor: 10 }),
      0x83: u8('engineLoad'),
      0x84: u8('coolantTemp', CELSIUS),
      0x85: u16('fuelConsumption'),
      0x86: u8('intakeTemp', CELSIUS),
      0x87: u16('intakeFlow'),
      0x88: u8('intakePressure'),
      0x89: u8('throttle'),
      0x8b: text('vin', 17),
      0x8c: u32('obdOdometer', { factor: 100 }),
      0x8d: u16('tripOdometer', { factor: 1000 }),
      0x8e: u8('fuel'),
      0xa0: text('dtcs', 'rest', { comma: ' ', unlessEmpty: true }),
      0xcc: text('iccid', 20),
    },
  }),
];

/** F3 of all but AOVX: u16 id, u8 length. */
export const READING_LIST: FieldList = tags({
  id: 'u16',
  length: 'u8',
  table: {
    0x0002: u16('obdSpeed', { divisor: 10 }),
    0x0003: u16('rpm'),
    0x0004: u16('power', { divisor: 1000 }),
    0x0005: u32('obdOdometer', { factor: 100 }),
    0x0007: u16('fuelConsumption', { divisor: 10 }),
    0x0008: u16('engineLoad', { divisor: 10 }),
    0x0009: u16('coolantTemp', CELSIUS),
    0x000b: u16('intakePressure'),
    0x000c: u16('intakeTemp', CELSIUS),
    0x000d: u16('intakeFlow'),
    0x000e: u16('throttle', PERCENT),
    0x0050: text('vin', 17),
    0x0051: hex('cvn', 'rest', { unlessEmpty: true }),
    0x0052: text('calid', 'rest', { unlessEmpty: true }),
    0x0100: u16('tripOdometer', { divisor: 10 }),
    0x0102: u16('tripFuel', { divisor: 10 }),
    0x0112: u16('hardAccelerationCount'),
    0x0113: u16('hardDecelerationCount'),
    0x0114: u16('hardCorneringCount'),
  },
});

const OPENING = '$OBD-RT';

/** `$OBD-RT,…`; of two fields with one name the later wins. Anything else says nothing. */
export const OBD_TEXT: FieldList = numberFields(
  ',',
  [
    'power',
    'rpm',
    'obdSpeed',
    'throttle',
    'engineLoad',
    'coolantTemp',
    'fuelConsumption',
    'fuelConsumption',
    'tripOdometer',
    'obdOdometer',
    'tripFuelUsed',
    'fuelUsed',
  ],
  `${OPENING},`,
);

/** E6: text of an engine reader, or Bluetooth thermometers. */
export const OBD_OR_THERMOMETERS: FieldList = choose([
  [startsWithText(OPENING), OBD_TEXT],
  [hasWholeGroups(11), groups([groupNumber('u8'), skip(6), temperature, humidity])],
]);

/** Readings in a transparent report of the vehicle bus: u8 count, then as many of u16 id, u8 length. */
export const BUS_READINGS: FieldList = tags({
  id: 'u16',
  length: 'u8',
  count: 'u8',
  other: restAsNumber('io#'),
  table: {
    0x0102: u32('odometer', { factor: 100 }),
    0x0528: u32('odometer', { factor: 100 }),
    0x0546: u32('odometer', { factor: 100 }),
    0x0103: u32('fuel', { divisor: 100 }),
    0x0111: u8('fuelTemp', CELSIUS),
    0x012e: u16('oilLevel', { divisor: 10 }),
    0x052a: u16('fuel', { divisor: 100 }),
    0x0105: u32('fuelUsed', { divisor: 100 }),
    0x052c: u32('fuelUsed', { divisor: 100 }),
    0x014a: u16('fuelConsumption', { divisor: 100 }),
    0x0537: u16('fuelConsumption', { divisor: 100 }),
    0x0538: u16('fuelConsumption', { divisor: 100 }),
    0x0539: u16('fuelConsumption', { divisor: 100 }),
    0x052b: u8('fuel'),
    0x052d: u8('coolantTemp', CELSIUS),
    0x052e: u8('airTemp', CELSIUS),
    0x0530: u16('power', { divisor: 1000 }),
    0x0535: u16('obdSpeed', { divisor: 10 }),
    0x0536: u16('rpm'),
    0x053d: u16('intakePressure', { divisor: 10 }),
    0x0544: u8('liquidLevel'),
    0x0547: u8('throttle'),
    0x0548: u8('throttle'),
    0xfeec: text('vin', 'rest'),
  },
});
