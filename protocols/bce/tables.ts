import type { Draft } from '#codec';
import {
  attr,
  bits,
  cell,
  type FieldList,
  fix,
  groups,
  i8,
  number,
  skip,
  text,
  u8,
  u16,
  u16LE,
  u32LE,
} from '#codec/binary';
import { driver, FIX } from './fields.ts';

/** The odometer of the vehicle's bus comes behind that of the device, and counts. */
const ODOMETER = u32LE('odometer');

const PLACE: FieldList<Draft> = [
  FIX,
  fix.speed('u8'),
  number('u8', attr('sat', { mask: 0x0f }), bits(0xf0, 4, attr('hdop'))),
  fix.course('u8', { factor: 2 }),
  fix.altitude('u16LE'),
  ODOMETER,
];

const CELL = cell([
  ['mcc', 'u16LE'],
  ['mnc', 'u8'],
  ['lac', 'u16LE'],
  ['cid', 'u16LE'],
  // time advance
  [undefined, 'u8'],
  ['rssi', 'u8'],
]);

/** SPN 247 of the FMS standard: 0.05 h. */
const HOURS_MS = 180_000;

/** Tenths of a kelvin; 0 is a sensor that is not connected. */
const KELVIN = { noValue: 0, divisor: 10, add: -273 } as const;
const ADCS = [
  u16LE('adc1'),
  u16LE('adc2'),
  u16LE('adc3'),
  u16LE('adc4'),
  u16LE('adc5'),
  u16LE('adc6'),
  u16LE('adc7'),
  u16LE('adc8'),
];
/** A level and a temperature each. */
const FUEL_SENSORS = [
  [u16LE('fuel1'), i8('fuelTemp1'), u16LE('fuel2'), i8('fuelTemp2')],
  [u16LE('fuel3'), i8('fuelTemp3'), u16LE('fuel4'), i8('fuelTemp4')],
] as const;
const DRIVER = { trim: true, unlessEmpty: true } as const;
const G = { divisor: 50 } as const;

/** What each bit of the masks says to be there, from bit 0 up. */
export const MASKS: readonly (readonly FieldList<Draft>[])[] = [
  [PLACE, u16LE('input'), ...ADCS, skip(4), skip(4), u16('fuel1'), u16('fuel2'), CELL],
  [
    skip(2),
    skip(1),
    u32LE('fuelUsed', { factor: 0.5 }),
    // SPN 96
    u8('fuelLevel', { noValue: 0xff, factor: 0.4 }),
    u16LE('rpm', { factor: 0.125 }),
    u32LE('hours', { factor: HOURS_MS }),
    ODOMETER,
    // SPN 110: 0 is a bus that is not connected
    u8('coolantTemp', { noValue: 0, subtract: 40 }),
    u8('fuel2'),
    u8('engineLoad'),
    u16LE('serviceOdometer'),
    skip(8),
    skip(2),
    skip(8),
    // SPN 183
    u16LE('fuelConsumption', { noValue: 0xffff, factor: 0.05 }),
  ],
  [
    skip(2),
    u32LE('fuelConsumption'),
    // the axle and its tire, then SPN 582
    [skip(1), u16LE('axleWeight', { noValue: 0xffff, factor: 0.5 })],
    skip(1),
    skip(20),
    skip(2),
    driver,
    u16LE('temp1', KELVIN),
    skip(2),
    ...FUEL_SENSORS,
    skip(21),
    skip(20),
    skip(9),
    skip(21),
  ],
  [
    skip(4),
    skip(30),
    skip(4),
    skip(10),
    skip(1),
    skip(2),
    [u8('maxAcceleration', G), u8('maxBraking', G), u8('maxCornering', G)],
    skip(16),
    groups([u16LE('temp#', KELVIN), skip(8)], { count: 4 }),
    [text('driver1', 16, DRIVER), text('driver2', 16, DRIVER)],
    ODOMETER,
  ],
];
