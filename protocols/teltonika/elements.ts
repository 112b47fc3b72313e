import {
  alarmOf,
  alarmsByMask,
  bits,
  type Field,
  fix,
  fixNumber,
  ifInMask,
  presenceMask,
  u8,
  u16,
  u32,
} from '#codec/binary';
import {
  type Element,
  element,
  elementCustom,
  elementFlag,
  elementNumber,
  elementRow,
  elementWith,
  type Product,
} from './io/meanings.ts';

/**
 * IO elements as data. Source: the AVL id lists of the FMB, FMB64x, FM63xx, FTx and TAT families
 * (wiki.teltonika-gps.com, "Teltonika Data Sending Parameters ID"). What is not here is reported as `io<id>`.
 */

const PROFESSIONAL = /^(?:FM[B-Z]6[345].|FM63..)$/;

/**
 * Which products number elements alike. `all`: any, known or not. `fmb`: FMB, FMC, FMM and kin. `pro`: the professional
 * FMx63x to FMx65x, which give most numbers another meaning; `not-pro`: any but these. `fmb6`: those and FM36, whose
 * driver cards and Bluetooth temperatures are alike. `fmb-not-6`: the first without the last. `tat`: asset trackers.
 * `ft`: the platform after FMB. `unknown`: a device whose option says no model.
 */
export const products: readonly Product[] = [
  { product: 'all', models: /^/ },
  { product: 'not-pro', models: /^/, except: PROFESSIONAL },
  { product: 'unknown', models: /^$/ },
  { product: 'fmb', models: /^(?:FM[B-Z].{3}|MTB100|MSP500)$/ },
  { product: 'pro', models: PROFESSIONAL },
  { product: 'fmb6', models: /^(?:FM.6.{2}|FM63..)$/ },
  { product: 'fmb-not-6', models: /^(?:FM[B-Z].{3}|MTB100|MSP500)$/, except: /^FM.6.{2}$/ },
  { product: 'tat', models: /^(?:T.T.{3}|GH5200)$/ },
  { product: 'ft', models: /^FT[A-Z].{3}$/ },
];

/** Raw numbers of a Dallas sensor: not ready, no value, not connected, wrong id. */
const DALLAS_ERRORS = [850, 2000, 3000, 4000, 5000];
/** Raw numbers of a Bluetooth sensor, since firmware 03.28: abnormal, unreadable, not found. */
const BLUETOOTH_ERRORS = [32_765, 32_766, 32_767];
const HOUR = 3_600_000;

const ZONE_ALARMS: Readonly<Record<number, string>> = { 0: 'geofenceExit', 1: 'geofenceEnter', 3: 'overspeed' };

/** State of a geofence zone: left, entered, end and start of overspeed in it. Alarms only in the record of the event. */
const zone = (id: number): Element =>
  element(
    id,
    'fmb-not-6',
    elementWith('u8', (raw, { into }) => {
      into.attributes[`io${id}`] = raw;
      const alarm = ZONE_ALARMS[raw];
      if (alarm !== undefined && into.attributes['event'] === id) into.addAlarm(alarm);
    }),
  );
const ZONES = [
  [61, 65],
  [70, 70],
  [88, 88],
  [91, 99],
  [153, 159],
  [190, 198],
  [208, 209],
  [216, 231],
] as const;
const zones = ZONES.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, at) => zone(first + at)));

/** Of codecs 8, 8 Extended and 16. */
export const elements: readonly Element[] = [
  ...elementRow(1, 4, 'all', elementFlag('in#')),
  element(6, ['fmb-not-6', 'ft'], elementNumber('u16', 'adc2', 1000)),
  element(9, ['fmb', 'ft', 'tat'], elementNumber('u16', 'adc1', 1000)),
  element(10, 'pro', elementNumber('u16', 'adc2', 1000)),
  element(11, ['fmb-not-6', 'tat'], elementCustom('i64', 'decimal', 'iccid')),
  element(11, 'pro', elementNumber('u16', 'adc3', 1000)),
  element(12, 'fmb-not-6', elementNumber('u32', 'fuelUsed', 1000)),
  element(13, 'fmb-not-6', elementNumber('u16', 'fuelConsumption', 100)),
  element(14, ['fmb-not-6', 'tat'], elementCustom('i64', 'decimalEnd')),
  element(16, 'all', elementNumber('u32', 'odometer')),
  element(17, 'not-pro', elementNumber('i16', 'axisX')),
  element(18, 'not-pro', elementNumber('i16', 'axisY')),
  element(19, 'not-pro', elementNumber('i16', 'axisZ')),
  element(18, 'pro', elementNumber('u16', 'fuelConsumption', 10)),
  element(21, 'all', elementNumber('u8', 'rssi')),
  element(23, 'pro', elementNumber('u8', 'engineLoad')),
  element(24, 'fmb', elementWith('u16', fixNumber('speed'))),
  ...elementRow(25, 4, 'not-pro', elementNumber('i16', 'bleTemp#', 100, 1, BLUETOOTH_ERRORS)),
  element(25, 'pro', elementNumber('i16', 'engineTemp', 10)),
  element(30, 'fmb-not-6', elementNumber('u8', 'faultCount')),
  element(30, 'pro', elementNumber('u8', 'obdSpeed')),
  element(31, 'fmb-not-6', elementNumber('u8', 'engineLoad')),
  element(31, 'pro', elementNumber('u8', 'throttle')),
  element(32, 'fmb-not-6', elementNumber('i8', 'coolantTemp')),
  element(33, 'pro', elementNumber('u32', 'fuelUsed', 10)),
  element(34, 'pro', elementNumber('u16', 'fuel', 10)),
  element(35, 'pro', elementNumber('u16', 'rpm')),
  element(36, 'fmb-not-6', elementNumber('u16', 'rpm')),
  element(36, 'pro', elementNumber('u32', 'obdOdometer')),
  element(37, 'pro', elementNumber('u8', 'fuelLevel')),
  element(43, 'fmb-not-6', elementNumber('u16', 'milDistance')),
  element(57, 'fmb-not-6', elementNumber('i8', 'hybridBatteryLevel')),
  element(66, 'all', elementNumber('u16', 'power', 1000)),
  element(67, 'all', elementNumber('u16', 'battery', 1000)),
  element(68, ['fmb', 'ft', 'tat'], elementNumber('u16', 'batteryCurrent', 1000)),
  ...elementRow(72, 4, 'fmb', elementNumber('i32', 'temp#', 10, 1, DALLAS_ERRORS)),
  element(78, 'all', elementCustom('u64LE', 'key', 'driverUniqueId')),
  element(80, 'fmb-not-6', elementNumber('u8', 'dataMode')),
  element(81, 'fmb-not-6', elementNumber('u8', 'obdSpeed')),
  element(82, 'fmb-not-6', elementNumber('u8', 'throttle')),
  element(83, 'fmb-not-6', elementNumber('u32', 'fuelUsed', 10)),
  element(84, 'fmb-not-6', elementNumber('u16', 'fuel', 10)),
  element(85, 'fmb-not-6', elementNumber('u16', 'rpm')),
  element(87, 'fmb-not-6', elementNumber('u32', 'obdOdometer')),
  element(89, 'fmb-not-6', elementNumber('u8', 'fuelLevel')),
  element(80, 'pro', elementNumber('u32', 'obdSpeed')),
  element(84, 'pro', elementNumber('u32', 'throttle')),
  element(85, 'pro', elementNumber('u8', 'engineLoad')),
  element(86, 'pro', elementNumber('u32', 'fuelUsed')),
  element(87, 'pro', elementNumber('u32', 'fuelLevel')),
  element(88, 'pro', elementNumber('u32', 'rpm')),
  element(104, 'pro', elementNumber('u32', 'hours', 1, HOUR)),
  element(107, 'fmb-not-6', elementNumber('u32', 'fuelUsed', 10)),
  element(110, 'fmb-not-6', elementNumber('u16', 'fuelConsumption', 10)),
  element(113, ['fmb-not-6', 'ft', 'tat'], elementNumber('u8', 'batteryLevel')),
  element(115, 'fmb-not-6', elementNumber('i16', 'engineTemp', 10)),
  element(127, 'pro', elementNumber('i8', 'coolantTemp')),
  element(135, 'pro', elementNumber('u32', 'fuelConsumption')),
  ...zones,
  element(
    175,
    ['fmb', 'tat'],
    elementWith('u8', bits(0xff, 0, alarmsByMask([[0xff, 'geofenceEnter']]), alarmOf({ 0: 'geofenceExit' }))),
  ),
  ...elementRow(179, 2, 'all', elementFlag('out#')),
  element(181, 'all', elementNumber('u16', 'pdop', 10)),
  element(182, 'all', elementNumber('u16', 'hdop', 10)),
  element(199, 'all', elementNumber('u32', 'tripOdometer')),
  element(200, ['fmb', 'tat'], elementNumber('u8', 'sleepMode')),
  element(205, ['fmb', 'ft', 'tat'], elementCustom('u32', 'cid')),
  element(206, ['fmb', 'ft', 'tat'], elementCustom('u16', 'lac')),
  element(205, 'unknown', elementCustom('u32', 'io205')),
  element(206, 'unknown', elementCustom('u16', 'io206')),
  element(216, 'pro', elementNumber('u32', 'odometer')),
  element(235, 'pro', elementCustom('u8', 'vinEnd')),
  element(236, 'not-pro', elementWith('u8', alarmsByMask([[0xff, 'general']]))),
  element(236, 'pro', elementNumber('i16', 'axisX')),
  element(237, 'pro', elementNumber('i16', 'axisY')),
  element(238, 'pro', elementNumber('i16', 'axisZ')),
  element(239, 'all', elementFlag('ignition')),
  element(240, 'all', elementFlag('motion')),
  element(241, 'all', elementNumber('u32', 'operator')),
  element(243, 'pro', elementWith('u8', alarmsByMask([[0xff, 'idle']]))),
  element(246, ['fmb', 'tat'], elementWith('u8', alarmsByMask([[0xff, 'tow']]))),
  element(247, ['fmb', 'tat'], elementWith('u8', alarmsByMask([[0xff, 'accident']]))),
  element(249, ['fmb', 'tat'], elementWith('u8', alarmsByMask([[0xff, 'jamming']]))),
  element(251, ['fmb-not-6', 'tat'], elementWith('u8', alarmsByMask([[0xff, 'idle']]))),
  element(252, ['fmb-not-6', 'tat'], elementWith('u8', alarmsByMask([[0xff, 'powerCut']]))),
  element(253, 'all', elementWith('u8', alarmOf({ 1: 'hardAcceleration', 2: 'hardBraking', 3: 'hardCornering' }))),
  element(389, 'fmb-not-6', elementNumber('u32', 'obdOdometer', 1, 1000)),
  element(636, ['fmb', 'ft', 'tat'], elementCustom('u32', 'lteCid')),
  element(636, 'unknown', elementCustom('u32', 'io636')),
  element(662, 'fmb', elementFlag('door')),
  ...elementRow(701, 4, 'fmb6', elementNumber('i16', 'bleTemp#', 10)),
  element(800, 'ft', elementNumber('u32', 'power', 1000)),
  ...elementRow(10644, 6, 'fmb', elementNumber('i16', 'tempProbe#', 100)),
  ...elementRow(10800, 4, 'fmb', elementNumber('i16', 'eyeTemp#', 100)),
  ...elementRow(10832, 4, 'fmb', elementNumber('i16', 'eyeRoll#')),
];

/** Of codec 7 (GH3000 protocol), with its own numbering of ids and unsigned values. */
export const elements7: readonly Element[] = [
  element(1, 'all', elementNumber('u32', 'batteryLevel')),
  element(2, 'all', elementFlag('usbConnected')),
  element(5, 'all', elementNumber('u32', 'uptime')),
  element(20, 'all', elementNumber('u32', 'hdop', 10)),
  element(21, 'all', elementNumber('u32', 'vdop', 10)),
  element(22, 'all', elementNumber('u32', 'pdop', 10)),
  element(67, 'all', elementNumber('u32', 'battery', 1000)),
  element(221, 'all', elementNumber('u32', 'button')),
  element(222, 'all', elementCustom('u32', 'sos')),
  element(240, 'all', elementFlag('motion')),
  element(244, 'all', elementFlag('roaming')),
];

/** The fix of codec 7; what its mask does not name is 0. */
export const fix7: readonly Field[] = [
  presenceMask('u8'),
  ifInMask(0x01, fix.coordinates('f32')),
  ifInMask(0x02, fix.altitude('u16')),
  ifInMask(0x04, fix.course('u8', { factor: 360, divisor: 256 })),
  ifInMask(0x08, fix.speed('u8')),
  ifInMask(0x10, u8('sat')),
  ifInMask(0x20, u16('lac'), u16('cid')),
  ifInMask(0x40, u8('rssi')),
  ifInMask(0x80, u32('operator')),
];

/** Asset trackers of the TAT100: elements of mnc, lac, cid and rssi of four cells. */
export const cellTriples = [
  ['io1200', 'io287', 'io288', 'io289'],
  ['io1201', 'io290', 'io291', 'io292'],
  ['io1202', 'io293', 'io294', 'io295'],
  ['io1203', 'io296', 'io297', 'io298'],
] as const;

/** What scales behind the serial port say, in this order. */
export const loads = [
  'axle1',
  'axle2',
  'axle3',
  'axle4',
  'axle5',
  'axle6',
  'axle7',
  'axle8',
  'loadTruck',
  'loadTrailer',
  'totalTruck',
  'totalTrailer',
] as const;
