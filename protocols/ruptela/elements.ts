/** What an IO element means. Values are unsigned unless `signed`; those of eight bytes are always signed. */
export type Element =
  | {
      readonly is: 'number';
      readonly key: string;
      readonly factor: number;
      readonly signed?: true;
      readonly offset?: number;
      /** values that stand for an error or for no sensor */
      readonly absent?: readonly number[];
    }
  | { readonly is: 'flag'; readonly key: string; readonly absent?: readonly number[] }
  /** a line that the vendor means for the ignition */
  | { readonly is: 'line'; readonly key: string }
  | { readonly is: 'hex'; readonly key: string }
  /** an alarm while the value is more than zero, or exactly `at` */
  | { readonly is: 'alarm'; readonly alarm: string; readonly at?: number }
  /** first or second half of a value of sixteen bytes */
  | { readonly is: 'half'; readonly pair: number; readonly second: boolean };

const number = (key: string, factor = 1): Element => ({ is: 'number', key, factor });
/** 254 and 255 stand for an error and for a value that is not available */
const level = (key: string): Element => ({ is: 'number', key, factor: 0.4, absent: [0xfe, 0xff] });
const signed = (key: string, factor = 1): Element => ({ is: 'number', key, factor, signed: true });
const flag = (key: string, ...absent: number[]): Element => ({ is: 'flag', key, absent });
const without = (key: string, factor: number, ...absent: number[]): Element => ({ is: 'number', key, factor, absent });
/** no sensor, faulty bus, wrong checksum, no value, out of range, supply too low */
const TEMPERATURE_ERRORS = [2000, 2001, 2002, 2003, 2004, 850];
const temperature = (key: string): Element => ({
  is: 'number',
  key,
  factor: 1 / 10,
  signed: true,
  absent: TEMPERATURE_ERRORS,
});
/** °C from -40 on, in one byte */
const celsius = (key: string): Element => ({ is: 'number', key, factor: 1, offset: -40, absent: [0xfe, 0xff] });
const alarm = (name: string, at?: number): Element => ({
  is: 'alarm',
  alarm: name,
  ...(at === undefined ? {} : { at }),
});
const half = (pair: number, second: boolean): Element => ({ is: 'half', pair, second });

/** What two halves make: text of the driver's card, or the number of a tag. The later row wins. */
export const PAIRS: readonly { readonly key: string; readonly form: 'text' | 'hex' }[] = [
  { key: 'driverUniqueId', form: 'text' },
  { key: 'driverUniqueId', form: 'text' },
  { key: 'tagId', form: 'hex' },
];

/** IO elements by id (FM-IO list of the vendor); what is not listed keeps its number as `io<id>`. */
const TABLE: Readonly<Record<number, Element>> = {
  2: number('in1'),
  3: number('in2'),
  4: number('in3'),
  5: { is: 'line', key: 'in4' },
  13: flag('motion', 2, 3),
  20: without('adc3', 1, 0xffff),
  21: without('adc4', 1, 0xffff),
  22: without('adc1', 1, 0xffff),
  23: without('adc2', 1, 0xffff),
  27: without('rssi', 1, 100, 0xff),
  29: without('power', 1 / 1000, 0xffff),
  30: without('battery', 1 / 1000, 0xffff),
  32: signed('deviceTemp'),
  34: { is: 'hex', key: 'driverUniqueId' },
  39: without('engineLoad', 1, 0xfe, 0xff),
  65: number('odometer'),
  74: temperature('temp3'),
  78: temperature('temp0'),
  79: temperature('temp1'),
  80: temperature('temp2'),
  88: alarm('jamming'),
  94: number('rpm', 0.25),
  95: number('obdSpeed'),
  96: celsius('coolantTemp'),
  98: without('fuelLevel', 100 / 255, 0xff),
  100: number('fuelConsumption', 1 / 20),
  103: number('throttle', 100 / 255),
  114: without('obdOdometer', 5, 0xffff_ffff),
  115: celsius('coolantTemp'),
  116: without('fuelConsumption', 1 / 20, 0xfe00, 0xffff),
  126: half(0, false),
  127: half(0, true),
  134: alarm('hardBraking'),
  135: alarm('hardBraking'),
  136: alarm('hardAcceleration'),
  143: alarm('hardCornering'),
  150: number('operator'),
  155: half(1, false),
  156: half(1, true),
  163: without('odometer', 5, 0xffff_ffff),
  164: without('tripOdometer', 5, 0xffff_ffff),
  165: number('obdSpeed', 1 / 256),
  166: number('rpm', 0.125),
  170: flag('charge', 0xffff),
  173: flag('motion'),
  197: number('rpm', 0.125),
  205: number('fuel'),
  206: level('throttle'),
  207: level('fuelLevel'),
  208: without('fuelUsed', 0.5, 0xffff_ffff),
  210: without('obdSpeed', 1 / 256, 0xfe00, 0xffff),
  251: flag('ignition'),
  409: flag('ignition'),
  410: alarm('tow'),
  411: alarm('accident'),
  415: alarm('gpsAntennaCut', 0),
  642: without('fuel', 1, 0xffff),
  645: without('obdOdometer', 1000, 0xffff_ffff),
  758: alarm('tampering', 1),
  760: half(2, false),
  761: half(2, true),
};

/** by id, for the hot path */
export const ELEMENTS: readonly (Element | undefined)[] = Array.from({ length: 762 }, (_, id) => TABLE[id]);
