/**
 * IO elements of codecs 8, 8 Extended and 16, as data. Source: the AVL id lists of the FMB, FMB64x and TAT families
 * (wiki.teltonika-gps.com, "Teltonika Data Sending Parameters ID"). What is not here is reported as `io<id>`.
 */

export type Wire = 'u8' | 'i8' | 'u16' | 'i16' | 'u32' | 'i32';

/**
 * Which products number the element so. `all`: any, known or not. `fmb`: FMB, FMC, FMM and kin. `fmb6`: the
 * professional FMx6xx line. `fmb-not-6`: the first without the second. `tat`: asset trackers. Else one model's name.
 */
export type Family = 'all' | 'fmb' | 'fmb6' | 'fmb-not-6' | 'tat' | 'FMB003';

export type Meaning =
  /** raw · `times` ÷ `divide` */
  | {
      readonly is: 'number';
      readonly key: string;
      readonly wire: Wire;
      readonly divide?: number;
      readonly times?: number;
    }
  /** above zero */
  | { readonly is: 'flag'; readonly key: string; readonly wire: 'u8' }
  /** raised when above zero */
  | { readonly is: 'alarm'; readonly alarm: string; readonly otherwise?: string; readonly wire: 'u8' }
  /** which alarm, by value */
  | { readonly is: 'alarms'; readonly alarms: Readonly<Record<number, string>>; readonly wire: 'u8' }
  /** km/h, instead of the satellite receiver's */
  | { readonly is: 'speed'; readonly wire: 'u16' }
  | { readonly is: 'cell'; readonly part: 'lac' | 'cid' | 'lteCid'; readonly wire: 'u16' | 'u32' }
  /** 64 bits, signed, as decimal text: more digits than a number keeps */
  | { readonly is: 'decimal'; readonly key: string; readonly wire: 'i64' }
  /** 64 bits, little endian, as 16 upper-case hex digits; zero: nobody */
  | { readonly is: 'key'; readonly key: string; readonly wire: 'u64LE' };

export interface Element {
  readonly ids: readonly number[];
  readonly families: readonly Family[];
  readonly meaning: Meaning;
}

const number = (wire: Wire, key: string, divide = 1, times = 1): Meaning => ({
  is: 'number',
  key,
  wire,
  divide,
  times,
});
const flag = (key: string): Meaning => ({ is: 'flag', key, wire: 'u8' });
const alarm = (name: string): Meaning => ({ is: 'alarm', alarm: name, wire: 'u8' });

const one = (id: number, family: Family, meaning: Meaning): Element => ({ ids: [id], families: [family], meaning });

/** Ids that follow each other and keys that count from 1. */
const several = (first: number, count: number, family: Family, meaning: (n: number) => Meaning): Element[] =>
  Array.from({ length: count }, (_, at) => one(first + at, family, meaning(at + 1)));

export const elements: readonly Element[] = [
  ...several(1, 4, 'all', (n) => flag(`in${n}`)),
  ...several(9, 2, 'fmb', (n) => number('u16', `adc${n}`, 1000)),
  one(11, 'fmb', { is: 'decimal', key: 'iccid', wire: 'i64' }),
  one(12, 'fmb', number('u32', 'fuelUsed', 1000)),
  one(13, 'fmb', number('u16', 'fuelConsumption', 100)),
  one(16, 'all', number('u32', 'odometer')),
  one(17, 'all', number('i16', 'axisX')),
  one(18, 'all', number('i16', 'axisY')),
  one(19, 'all', number('i16', 'axisZ')),
  one(21, 'all', number('u8', 'rssi')),
  one(24, 'fmb', { is: 'speed', wire: 'u16' }),
  ...several(25, 4, 'all', (n) => number('i16', `bleTemp${n}`, 100)),
  one(30, 'fmb', number('u8', 'faultCount')),
  one(31, 'fmb', number('u8', 'engineLoad')),
  one(32, 'fmb', number('i8', 'coolantTemp')),
  one(36, 'fmb', number('u16', 'rpm')),
  one(43, 'fmb', number('u16', 'milDistance')),
  one(57, 'fmb', number('i8', 'hybridBatteryLevel')),
  one(66, 'all', number('u16', 'power', 1000)),
  one(67, 'all', number('u16', 'battery', 1000)),
  one(68, 'fmb', number('u16', 'batteryCurrent', 1000)),
  ...several(72, 4, 'fmb', (n) => number('i32', `temp${n}`, 10)),
  one(78, 'all', { is: 'key', key: 'driverUniqueId', wire: 'u64LE' }),
  one(80, 'fmb-not-6', number('u8', 'dataMode')),
  one(81, 'fmb-not-6', number('u8', 'obdSpeed')),
  one(82, 'fmb-not-6', number('u8', 'throttle')),
  one(83, 'fmb-not-6', number('u32', 'fuelUsed', 10)),
  one(84, 'fmb-not-6', number('u16', 'fuel', 10)),
  one(85, 'fmb-not-6', number('u16', 'rpm')),
  one(87, 'fmb-not-6', number('u32', 'obdOdometer')),
  one(89, 'fmb-not-6', number('u8', 'fuelLevel')),
  one(107, 'fmb', number('u32', 'fuelUsed', 10)),
  one(110, 'fmb', number('u16', 'fuelConsumption', 10)),
  one(113, 'fmb', number('u8', 'batteryLevel')),
  one(115, 'fmb', number('i16', 'engineTemp', 10)),
  one(175, 'fmb', { is: 'alarm', alarm: 'geofenceEnter', otherwise: 'geofenceExit', wire: 'u8' }),
  ...several(179, 2, 'all', (n) => flag(`out${n}`)),
  one(181, 'all', number('u16', 'pdop', 10)),
  one(182, 'all', number('u16', 'hdop', 10)),
  one(199, 'all', number('u32', 'tripOdometer')),
  one(200, 'fmb', number('u8', 'sleepMode')),
  { ids: [205], families: ['fmb', 'tat'], meaning: { is: 'cell', part: 'cid', wire: 'u16' } },
  { ids: [206], families: ['fmb', 'tat'], meaning: { is: 'cell', part: 'lac', wire: 'u16' } },
  one(236, 'all', alarm('general')),
  one(239, 'all', flag('ignition')),
  one(240, 'all', flag('motion')),
  one(241, 'all', number('u32', 'operator')),
  one(246, 'fmb', alarm('tow')),
  one(247, 'fmb', alarm('accident')),
  one(249, 'fmb', alarm('jamming')),
  one(251, 'fmb', alarm('idle')),
  one(252, 'fmb', alarm('powerCut')),
  one(253, 'all', {
    is: 'alarms',
    alarms: { 1: 'hardAcceleration', 2: 'hardBraking', 3: 'hardCornering' },
    wire: 'u8',
  }),
  one(389, 'FMB003', number('u32', 'obdOdometer', 1, 1000)),
  { ids: [636], families: ['fmb', 'tat'], meaning: { is: 'cell', part: 'lteCid', wire: 'u32' } },
  one(662, 'fmb', flag('door')),
  ...several(701, 4, 'fmb6', (n) => number('i16', `bleTemp${n}`, 10)),
  ...several(10644, 6, 'fmb', (n) => number('i16', `tempProbe${n}`, 100)),
  ...several(10800, 4, 'fmb', (n) => number('i16', `eyeTemp${n}`, 100)),
  ...several(10832, 4, 'fmb', (n) => number('i16', `eyeRoll${n}`)),
];

/** One parameter of a beacon in the lists of group X: name after `tag<n>`, and how its value is read. */
export interface BeaconParameter {
  readonly name: string;
  readonly read: 'u8' | 'i8' | 'u16' | 'i16' | 'flag' | 'hex' | 'text';
}

/** By parameter id. Parameter 2 (flags and voltage) is no single value and stands in the code. */
export const beaconParameters: Readonly<Record<number, BeaconParameter>> = {
  0: { name: 'Rssi', read: 'i8' },
  1: { name: 'Id', read: 'hex' },
  5: { name: 'Name', read: 'text' },
  6: { name: 'Temp', read: 'i16' },
  7: { name: 'Humidity', read: 'u8' },
  8: { name: 'Magnet', read: 'flag' },
  9: { name: 'Motion', read: 'flag' },
  10: { name: 'MotionCount', read: 'u16' },
  11: { name: 'Pitch', read: 'i8' },
  12: { name: 'AngleRoll', read: 'i16' },
  13: { name: 'LowBattery', read: 'u8' },
  14: { name: 'Battery', read: 'u16' },
  15: { name: 'Mac', read: 'hex' },
};
