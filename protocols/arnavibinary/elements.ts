import { type Attributes, addAlarm, type Reader } from '#codec';

/** What a tag's value is: kinds of four bytes, and where they go. */
export type Element =
  | { readonly kind: 'u16' | 'i16' | 'u32'; readonly key: string; readonly factor: number; readonly per: number }
  | { readonly kind: 'read'; readonly read: (reader: Reader, attributes: Attributes) => void };

const NO_VALUE = 0xffff;

const element = (kind: 'u16' | 'i16' | 'u32', key: string, factor = 1, per = 1): Element => ({
  kind,
  key,
  factor,
  per,
});
const read = (reader: (reader: Reader, attributes: Attributes) => void): Element => ({ kind: 'read', read: reader });

const series = (first: number, count: number, make: (number: number) => Element): [number, Element][] =>
  Array.from({ length: count }, (_, at) => [first + at, make(at + 1)]);

/** Absent values are 0 or all bits set. */
function setVoltage(attributes: Attributes, key: string, value: number): void {
  if (value !== 0 && value !== NO_VALUE) attributes[key] = value / 1000;
}

/** Tag 6: what its first byte names. */
const INPUTS: Readonly<Record<number, (reader: Reader, attributes: Attributes) => void>> = {
  1: (reader, attributes) => {
    const flags = reader.u8();
    attributes['ignition'] = (flags & 1) !== 0;
    attributes['callButton'] = (flags & 2) !== 0;
    attributes['input'] = reader.u16LE();
  },
  6: (reader, attributes) => {
    attributes[`pulses${reader.u8()}`] = reader.u16LE();
  },
  7: (reader, attributes) => {
    attributes[`freq${reader.u8()}`] = reader.u16LE();
  },
  8: (reader, attributes) => {
    attributes[`adc${reader.u8()}`] = reader.u16LE() / 1000;
  },
};

const level = (number: number): Element =>
  read((reader, attributes) => {
    const value = reader.u16LE();
    if (value === 0 || value === NO_VALUE) return;
    attributes[`llsLevel${number}`] = value;
    attributes[`llsTemp${number}`] = reader.i8();
  });

const engine = read((reader, attributes) => {
  attributes['engineLoad'] = reader.u8();
  attributes['throttle'] = reader.u8();
  const motion = reader.u16LE();
  if (motion !== 0) attributes['motionStatus'] = motion;
});

const ALARM = 1 << 20;

/** Lines, outputs and an alarm; the supply in its upper byte is left to tag 1. */
const status = read((reader, attributes) => {
  const word = reader.u32LE();
  attributes['status'] = word;
  attributes['input'] ??= word & 0xff;
  attributes['output'] = (word >>> 8) & 0x0f;
  if (word & ALARM) addAlarm(attributes, 'general');
});

/** Tag → value; place, cell and satellites are read apart. Source: protocol of the tag data, record type 1. */
export const ELEMENTS: ReadonlyMap<number, Element> = new Map<number, Element>([
  [
    1,
    read((reader, attributes) => {
      setVoltage(attributes, 'battery', reader.u16LE());
      setVoltage(attributes, 'power', reader.u16LE());
    }),
  ],
  [
    2,
    read((reader, attributes) => {
      attributes['driverUniqueId'] = String(reader.u32LE());
    }),
  ],
  [6, read((reader, attributes) => INPUTS[reader.u8()]?.(reader, attributes))],
  [9, status],
  ...series(20, 8, (number) => element('u32', `freq${number}`)),
  ...series(30, 8, (number) => element('u16', `adc${number}`, 1, 1000)),
  ...series(40, 10, (number) => element('i16', `temp${number}`, 1, 100)),
  [51, element('u32', 'canStatus')],
  [52, element('u32', 'hours', 36_000)],
  [53, element('u32', 'odometer', 10)],
  [54, element('u32', 'fuelUsed', 1, 10)],
  [55, element('u16', 'fuelLevel', 1, 10)],
  [56, element('u32', 'fuel')],
  [57, element('u16', 'rpm')],
  [58, element('u32', 'engineTemp')],
  [59, element('u32', 'obdSpeed')],
  ...series(60, 5, (number) => element('u32', `axleLoad${number}`)),
  [67, element('u16', 'adBlueLevel', 1, 10)],
  [69, engine],
  [70, level(0)],
  ...series(71, 9, level),
  [100, element('u32', 'tachographOdometer', 10)],
  [102, element('u32', 'tachographPower', 1, 1000)],
  [150, element('u32', 'odometer', 10)],
  [151, element('u16', 'hdop', 1, 100)],
]);
