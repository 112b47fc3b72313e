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
      /** the largest value; those beyond stand for an error or for no value */
      readonly most?: number;
      /** where another element has said this already: the key instead, or none but its number */
      readonly otherwise?: string;
    }
  | { readonly is: 'flag'; readonly key: string; readonly absent?: readonly number[] }
  /** a line that the vendor means for the ignition */
  | { readonly is: 'line'; readonly key: string }
  | { readonly is: 'hex'; readonly key: string }
  /** an alarm while the value is more than zero, or exactly `at` */
  | { readonly is: 'alarm'; readonly alarm: string; readonly at?: number }
  /** an output, which is on at 0 */
  | { readonly is: 'output'; readonly key: string }
  /** eight bytes of a longer value; `isKept`: also under its number */
  | { readonly is: 'part'; readonly whole: number; readonly at: number; readonly isKept: boolean };

const number = (key: string, factor = 1): Element => ({ is: 'number', key, factor });
/** Beyond 250, which is 100 %, stands an error or a value that is not available. */
const level = (key: string): Element => ({ is: 'number', key, factor: 0.4, most: 250 });
const upTo = (key: string, factor: number, most: number): Element => ({ is: 'number', key, factor, most });
/** What other elements say too, and more exactly. */
const OTHERWISE_RAW = '';
const selected = (key: string, factor: number, absent: number): Element => ({
  is: 'number',
  key,
  factor,
  absent: [absent],
  otherwise: OTHERWISE_RAW,
});
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
const part = (whole: number, at: number, isKept = false): Element => ({ is: 'part', whole, at, isKept });

/** What parts of eight bytes make: text of the driver's card, the vehicle's number, or the number of a tag. The later row wins. */
export const WHOLES: readonly {
  readonly key: string;
  readonly form: 'text' | 'vin' | 'hex';
  readonly parts: number;
}[] = [
  { key: 'driverUniqueId', form: 'text', parts: 2 },
  { key: 'driverUniqueId', form: 'text', parts: 2 },
  { key: 'tagId', form: 'hex', parts: 2 },
  { key: 'vin', form: 'vin', parts: 3 },
  { key: 'vin', form: 'vin', parts: 3 },
  { key: 'vin', form: 'vin', parts: 3 },
  { key: 'vin', form: 'vin', parts: 3 },
];
const [CAN_DRIVER, TACHOGRAPH_DRIVER, TAG, TACHOGRAPH_VIN, CAN_VIN, OBD_VIN, VEHICLE_VIN] = [
  0, 1, 2, 3, 4, 5, 6,
] as const;

/** the largest values of SAE J1939 in one, two and four bytes */
const MAX_8 = 250;
const MAX_16 = 64_255;
const MAX_32 = 4_211_081_215;
/** 0.05 h in ms */
const HOURS = 180_000;

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
  39: upTo('engineLoad', 1, MAX_8),
  65: number('odometer'),
  74: temperature('temp3'),
  78: temperature('temp0'),
  79: temperature('temp1'),
  80: temperature('temp2'),
  88: alarm('jamming'),
  94: number('rpm', 0.25),
  95: number('obdSpeed'),
  96: celsius('coolantTemp'),
  92: { is: 'number', key: 'fuelUsed', factor: 1 / 1000, most: MAX_32, otherwise: OTHERWISE_RAW },
  98: without('fuelLevel', 100 / 255, 0xff),
  100: upTo('fuelConsumption', 1 / 20, MAX_16),
  103: number('throttle', 100 / 255),
  104: part(OBD_VIN, 0, true),
  105: part(OBD_VIN, 1, true),
  106: part(OBD_VIN, 2, true),
  114: upTo('obdOdometer', 5, MAX_32),
  115: { is: 'number', key: 'coolantTemp', factor: 1, offset: -40, most: MAX_8 },
  116: upTo('fuelConsumption', 1 / 20, MAX_16),
  123: part(CAN_VIN, 0, true),
  124: part(CAN_VIN, 1, true),
  125: part(CAN_VIN, 2, true),
  126: part(CAN_DRIVER, 0),
  127: part(CAN_DRIVER, 1),
  135: alarm('hardBraking'),
  136: alarm('hardAcceleration'),
  143: alarm('hardCornering'),
  150: number('operator'),
  152: part(TACHOGRAPH_VIN, 0, true),
  153: part(TACHOGRAPH_VIN, 1, true),
  154: part(TACHOGRAPH_VIN, 2, true),
  155: part(TACHOGRAPH_DRIVER, 0),
  156: part(TACHOGRAPH_DRIVER, 1),
  163: { is: 'number', key: 'odometer', factor: 5, absent: [0xffff_ffff], otherwise: 'obdOdometer' },
  164: without('tripOdometer', 5, 0xffff_ffff),
  165: upTo('obdSpeed', 1 / 256, MAX_16),
  166: upTo('rpm', 0.125, MAX_16),
  170: flag('charge', 0xffff),
  173: flag('motion'),
  197: upTo('rpm', 0.125, MAX_16),
  203: upTo('hours', HOURS, MAX_32),
  205: without('fuel', 1, 0xffff),
  206: level('throttle'),
  207: level('fuelLevel'),
  208: upTo('fuelUsed', 0.5, MAX_32),
  210: upTo('obdSpeed', 1 / 256, MAX_16),
  251: flag('ignition'),
  405: { is: 'output', key: 'out1' },
  406: { is: 'output', key: 'out2' },
  409: flag('ignition'),
  410: alarm('tow'),
  411: alarm('accident'),
  415: alarm('gpsAntennaCut', 0),
  522: flag('ignition', 0xff),
  538: flag('lock', 0xff),
  558: alarm('sos'),
  642: without('fuel', 1, 0xffff),
  645: without('obdOdometer', 1000, 0xffff_ffff),
  758: alarm('tampering', 1),
  760: part(TAG, 0),
  761: part(TAG, 1),
  920: selected('rpm', 1, 0xffff),
  921: selected('obdSpeed', 1, 0xffff),
  922: selected('obdOdometer', 1000, 0xffff_ffff),
  923: selected('fuelLevel', 1, 0xff),
  924: selected('fuel', 1, 0xffff),
  925: selected('fuelConsumption', 1 / 20, 0xffff),
  926: { is: 'number', key: 'coolantTemp', factor: 1, offset: -40, absent: [0xff], otherwise: OTHERWISE_RAW },
  939: part(VEHICLE_VIN, 0, true),
  940: part(VEHICLE_VIN, 1, true),
  941: part(VEHICLE_VIN, 2, true),
  985: alarm('powerCut'),
  996: without('power', 1 / 1000, 0xffff_ffff),
};

/** by id, for the hot path */
export const ELEMENTS: readonly (Element | undefined)[] = Array.from({ length: 997 }, (_, id) => TABLE[id]);
