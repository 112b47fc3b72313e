import {
  attr,
  bits,
  type Field,
  type FieldList,
  fix,
  groups,
  hex,
  i8,
  i16,
  type Layout,
  layout,
  number,
  setValid,
  skip,
  text,
  u8,
  u16,
  u24,
  u32,
} from '#codec/binary';
import { EPOCH } from './old.ts';

const HOUR_MS = 3_600_000;
const ODOMETER = u24('odometer', { factor: 1000 });
const HOURS = u16('hours', { factor: HOUR_MS });

const fixTime = fix.time('u32', 1000, EPOCH);
/** The time of the record stays that of its head. */
const ownFixTime: Field = (scope) => {
  const { deviceTime } = scope.into;
  fixTime(scope);
  scope.into.deviceTime = deviceTime;
};

const FIX: FieldList = [
  ownFixTime,
  setValid(true),
  fix.coordinates('i32', 1e6),
  fix.speed('u8', { factor: 2 }),
  skip(1),
  fix.course('u8', { factor: 2 }),
  fix.altitude('u8', { factor: 20 }),
  u16('tripOdometer', { factor: 100 }),
];

/** What the vehicle bus and the diagnostic connector report alike. */
const ENGINE: FieldList = [
  u8('wheelSpeedMax'),
  u8('wheelSpeedAvg'),
  u8('rpmMax', { factor: 32 }),
  u8('rpmAvg', { factor: 32 }),
  u8('acceleratorMax'),
  u8('acceleratorAvg'),
  u8('engineLoadMax'),
  u8('engineLoadAvg'),
  u16('busTripOdometer', { factor: 100 }),
  u8('coolantTemp', { subtract: 40 }),
];

const FUEL_LEVEL = u8('fuelLevelRaw');
const BUS: FieldList = [ENGINE, u16('fmsStatus'), u16('fmsEvents'), FUEL_LEVEL];

/** Source of the identity, and the identity. */
const DRIVER: Field = ({ reader, into }) => {
  reader.skip(1);
  const id = reader.hex(8).toUpperCase();
  if (!/^(?:0*|F*)$/.test(id)) into.attributes['driverUniqueId'] = id;
};

const [TEMPERATURE, HUMIDITY] = [1, 2];

/** Six of: kind of the sensor in the low half of a byte, whether its value is valid in the high one, the value. */
const SENSORS: Field = ({ reader, into: { attributes } }) => {
  for (let n = 1; n <= 6; n++) {
    const kind = reader.u8();
    const raw = reader.i16();
    if ((kind & 0xf0) === 0) continue;
    if ((kind & 0x0f) === TEMPERATURE) attributes[`sensorTemp${n}`] = raw / 100;
    else if ((kind & 0x0f) === HUMIDITY) attributes[`sensorHumidity${n}`] = (raw & 0xffff) / 100;
  }
};

/** Bytes whose number stands before them in two bytes, which count themselves or not. */
const sized =
  (counted: number): Field =>
  ({ reader }) => {
    reader.skip(Math.max(0, reader.u16() - counted));
  };

const BEACONS: Field = ({ reader }) => {
  reader.skip(1);
  reader.skip(4 + reader.u16());
};

/**
 * The blocks by their bit of the mask; source: astra-protocol-x-parser (Astra Telematics, protocol X 3.0). Bit 24 has
 * none.
 */
const BLOCKS: Readonly<Record<number, FieldList>> = {
  0: [u8('power', { divisor: 5 }), u8('batteryLevel')],
  1: FIX,
  2: [number('u16', bits(0x00ff, 0, attr('input')), bits(0xff00, 8, attr('output'))), skip(2)],
  3: [u16('adc1'), u16('adc2')],
  // m/s²; seconds
  4: [...['xMax', 'xMin', 'yMax', 'yMin', 'zMax', 'zMin'].map((key) => u8(key, { divisor: 10 })), u16('idleTime')],
  5: number('u8', bits(0x0f, 0, attr('sat')), bits(0xf0, 4, attr('rssi'))),
  6: [u16('mcc'), u16('mnc')],
  7: u8('geofence'),
  8: DRIVER,
  // status of an alcohol test, result, reserved
  9: [u8('alcoholStatus'), u16('alcoholLevel'), skip(5)],
  10: u16('axleWeight'),
  11: [ODOMETER, HOURS],
  12: [BUS, u32('fuelUsed', { divisor: 2 })],
  13: [ENGINE, u16('obdStatus'), u16('obdEvents'), FUEL_LEVEL, u16('fuelUsed', { divisor: 10 })],
  14: groups(text('dtc#', 5, { trim: true }), { count: 5 }),
  15: [
    ODOMETER,
    HOURS,
    u16('axleWeight'),
    u16('tripFuelUsed', { divisor: 10 }),
    u16('tripCruise'),
    u16('serviceOdometer', { factor: 5_000 }),
  ],
  16: [ODOMETER, HOURS, skip(4)],
  17: [
    groups(i16('temp#', { divisor: 10 }), { count: 6 }),
    groups(i8('setpoint#', { divisor: 2 }), { count: 3 }),
    skip(10),
  ],
  18: groups(u16('temp#', { subtract: 550, divisor: 10 }), { count: 4 }),
  19: [u8('alarmCount'), hex('alarmQueue', 16)],
  20: skip(18),
  21: skip(3),
  22: skip(4),
  23: skip(6),
  25: skip(73),
  26: skip(7),
  27: text('iccid', 20, { trim: true }),
  28: [text('driverUniqueId', 19, { trim: true }), text('driver2UniqueId', 19, { trim: true })],
  29: [BUS, u32('fuelUsed', { divisor: 1_000 })],
  30: skip(5),
  31: skip(12),
  32: SENSORS,
  33: skip(2),
  34: skip(9),
  35: skip(44),
  36: skip(32),
  37: skip(39),
  38: skip(6),
  39: skip(39),
  40: skip(39),
  41: skip(42),
  42: skip(22),
  // percentage of time with a fix; error in m; jamming, constellations, reserved
  43: [FIX, skip(1), u8('satVisible'), fix.accuracy('u8'), u8('hdop', { divisor: 10 }), skip(6)],
  44: BEACONS,
  45: sized(2),
  46: skip(13),
  47: sized(0),
};

/** How each block is read; undefined if its size is not known. */
export const LAYOUTS: readonly (Layout | undefined)[] = Array.from({ length: 48 }, (_, bit) => {
  const block = BLOCKS[bit];
  return block === undefined ? undefined : layout(block);
});
