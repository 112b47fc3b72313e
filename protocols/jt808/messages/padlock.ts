import {
  alarmsByMask,
  attr,
  bcdPlace,
  bcdTime,
  cell,
  type FieldList,
  fix,
  flagByMask,
  number,
  skip,
  switchOn,
  tags,
  u8,
  u16,
  u32,
} from '#codec/binary';
import { tilt } from '../items/readers.ts';
import { LOCK } from '../items/vendors.ts';
import type { Report } from '../report.ts';

const LOCK_STATE: FieldList = [u16('status'), number('u16', alarmsByMask([[0x01, 'lowPower']]))];
const SEAL_STATE: FieldList = [
  number('u16', attr('status'), flagByMask(0x20, 'blocked')),
  number(
    'u16',
    alarmsByMask([
      [0x01, 'overspeed'],
      [0x02, 'lowPower'],
      [0x04, 'vibration'],
      [0x08, 'lowBattery'],
      [0x20, 'geofenceEnter'],
      [0x40, 'geofenceExit'],
    ]),
  ),
];

/** 5501 live and 5502 blind records of Jointech padlocks, in UTC, day first. */
export const PADLOCK: FieldList<Report> = [
  bcdTime('fix', 'day first', 'UTC'),
  // Bits of the northern and the eastern hemisphere.
  bcdPlace(0x02, 0x04),
  fix.speed('bcd8', { factor: 1.852 }),
  fix.course('u8', { factor: 2 }),
  u8('rssi'),
  u8('sat'),
  u32('odometer', { factor: 1000 }),
  number('u8', attr('batteryLevel', { max: 100 }), attr('charge', { lookup: { 0xaa: true, 0xab: true } })),
  cell(
    [
      ['cid', 'u32'],
      ['lac', 'u16'],
    ],
    'known',
  ),
  switchOn('u8', { 1: LOCK_STATE, 2: LOCK_STATE, 3: SEAL_STATE }, [u16('status'), skip(2)]),
  tags({
    id: 'u8',
    length: 'u8',
    minBytes: 1,
    table: {
      0x02: fix.altitude('i16'),
      0x0b: LOCK,
      0x0c: tilt,
      0x10: u8('wakeSource'),
      0xfc: u8('geofence'),
    },
  }),
];
