import {
  alarm,
  alarmOf,
  attr,
  bcdTime,
  type FieldList,
  fix,
  groupNumber,
  groups,
  hex,
  i8,
  i16,
  ifInMask,
  number,
  optionalTail,
  presenceMask,
  setValid,
  skip,
  switchOn,
  tags,
  text,
  u16,
  u32,
} from '#codec/binary';
import { BUS_READINGS, OBD_TEXT } from '../items/engine.ts';
import { FIX } from '../items/fix.ts';
import { dropped, peripheralText, troubleCodes } from '../items/readers.ts';
import { STATUS } from '../items/status.ts';
import type { Report } from '../report.ts';

/** F3: collision and its time. */
const COLLISION: FieldList = tags({
  id: 'u16',
  length: 'u16',
  table: { 0x0002: u16('collision', { divisor: 25_600 }), 0x0006: bcdTime('device') },
});

/** FF: a plain fix with signed coordinates. */
const PLAIN_FIX: FieldList = [
  bcdTime('fix'),
  fix.latitude('i32', { divisor: 1e6 }),
  fix.longitude('i32', { divisor: 1e6 }),
  fix.altitude('i16'),
  fix.speed('u16', { divisor: 10 }),
  fix.course('u16'),
  setValid(true),
];

/** 53: Bluetooth tags with their data. */
const TAGS: FieldList = [
  skip(1),
  groups([groupNumber('u8', 1), hex('tag#Mac', 6), i8('tag#Rssi'), hex('tag#Data', 'u8')]),
];

/** 54: logged sensors; the last group is the newest. */
const SENSORS: FieldList = groups([
  presenceMask('u16'),
  skip(6),
  ifInMask(0x01, u16('lightSensor')),
  ifInMask(0x02, i16('deviceTemp', { divisor: 10 }), i16('humidity', { divisor: 10 })),
  ifInMask(0x04, i16('temp3', { divisor: 10 })),
  ifInMask(0x08, skip(6)),
  ifInMask(0x10, u16('airPressure')),
]);

const BUS_ALARMS: FieldList = tags({
  id: 'u8',
  length: 'u8',
  count: 'u8',
  table: {
    0x01: alarm('powerRestored'),
    0x02: alarm('powerCut'),
    0x0e: alarm('idle'),
    0x1a: alarm('hardAcceleration'),
    0x1b: alarm('hardBraking'),
    0x1c: alarm('hardCornering'),
    0x1d: alarm('laneChange'),
    0x1e: alarm('laneChange'),
    0x1f: alarm('laneChange'),
    0x23: alarm('fatigueDriving'),
    0x25: alarm('overspeed'),
    0x26: alarm('accident'),
    0x27: alarm('accident'),
    0x28: alarm('accident'),
    0x31: alarm('door'),
    0x32: alarm('door'),
  },
});

const TRIP: FieldList = [u32('tripNumber'), skip(6)];
const TRIP_END: FieldList = [
  TRIP,
  skip(23),
  u16('idlingCount'),
  u16('idlingTime'),
  u16('tripOdometer', { factor: 100 }),
  u16('tripFuel', { divisor: 100 }),
];

const BEHAVIOUR: FieldList = number(
  'i32',
  alarmOf(
    { 51: 'hardAcceleration', 52: 'hardBraking', 53: 'hardCornering', 54: 'laneChange', 56: 'accident' },
    'event',
  ),
);

/** F0: what a reader of the vehicle bus has to say, by kind. */
const BUS: FieldList<Report> = [
  bcdTime('device'),
  number('u8', attr('archive', { min: 1, isPositive: true })),
  skip(1),
  switchOn<Report>(
    'u8',
    {
      0x01: optionalTail([BUS_READINGS, STATUS]),
      0x02: optionalTail([troubleCodes, STATUS]),
      0x03: optionalTail([BUS_ALARMS, STATUS]),
      0x04: optionalTail(switchOn('u8', { 2: TRIP_END }, TRIP)),
      0x0b: optionalTail(switchOn('u8', { 0: [] }, text('vin', 17))),
      0x15: optionalTail(BEHAVIOUR),
    },
    dropped,
  ),
];

/** 0900: data of peripherals by type. */
export const TRANSPARENT: FieldList<Report> = switchOn<Report>(
  'u8',
  {
    0x40: peripheralText,
    0x41: OBD_TEXT,
    0x53: [FIX, optionalTail(TAGS)],
    0x54: [FIX, optionalTail(SENSORS)],
    0xf0: BUS,
    0xf3: optionalTail(COLLISION),
    0xff: PLAIN_FIX,
  },
  dropped,
);
