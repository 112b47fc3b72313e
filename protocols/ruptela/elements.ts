/** What an IO element means. Values are unsigned unless `signed`; those of eight bytes are always signed. */
export type Element =
  | {
      readonly is: 'number';
      readonly key: string;
      readonly factor: number;
      readonly signed?: true;
      readonly absent?: number;
    }
  | { readonly is: 'flag'; readonly key: string }
  | { readonly is: 'hex'; readonly key: string }
  /** an alarm while the value is more than zero, or exactly `at` */
  | { readonly is: 'alarm'; readonly alarm: string; readonly at?: number }
  /** first or second half of a value of sixteen bytes */
  | { readonly is: 'half'; readonly pair: number; readonly second: boolean };

const number = (key: string, factor = 1): Element => ({ is: 'number', key, factor });
/** a byte of which all bits are set is not available */
const level = (key: string): Element => ({ is: 'number', key, factor: 0.4, absent: 0xff });
const signed = (key: string, factor = 1): Element => ({ is: 'number', key, factor, signed: true });
const flag = (key: string): Element => ({ is: 'flag', key });
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

/** IO elements by id ("FM-IO list"); what is not listed keeps its number as `io<id>`. */
const TABLE: Readonly<Record<number, Element>> = {
  2: number('in1'),
  3: number('in2'),
  4: number('in3'),
  5: number('in4'),
  13: flag('motion'),
  20: number('adc3'),
  21: number('adc4'),
  22: number('adc1'),
  23: number('adc2'),
  29: number('power', 1 / 1000),
  30: number('battery', 1 / 1000),
  32: signed('deviceTemp'),
  34: { is: 'hex', key: 'driverUniqueId' },
  39: number('engineLoad'),
  65: number('odometer'),
  74: signed('temp3', 1 / 10),
  78: signed('temp0', 1 / 10),
  79: signed('temp1', 1 / 10),
  80: signed('temp2', 1 / 10),
  88: alarm('jamming'),
  94: number('rpm', 0.25),
  95: number('obdSpeed'),
  98: number('fuel', 100 / 255),
  100: number('fuelConsumption', 1 / 20),
  126: half(0, false),
  127: half(0, true),
  134: alarm('hardBraking'),
  136: alarm('hardAcceleration'),
  150: number('operator'),
  155: half(1, false),
  156: half(1, true),
  163: number('odometer', 5),
  164: number('tripOdometer', 5),
  165: number('obdSpeed', 1 / 256),
  166: number('rpm', 0.125),
  170: flag('charge'),
  173: flag('motion'),
  197: number('rpm', 0.125),
  205: number('fuel'),
  207: level('fuelLevel'),
  208: number('fuelUsed', 0.5),
  251: flag('ignition'),
  409: flag('ignition'),
  410: alarm('tow'),
  411: alarm('accident'),
  415: alarm('gpsAntennaCut', 0),
  645: number('obdOdometer', 1000),
  758: alarm('tampering', 1),
  760: half(2, false),
  761: half(2, true),
};

/** by id, for the hot path */
export const ELEMENTS: readonly (Element | undefined)[] = Array.from({ length: 762 }, (_, id) => TABLE[id]);
