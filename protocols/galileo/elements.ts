/**
 * What a tag of the body holds, little endian. `number`: `size` bytes to `key`, times `factor`, plus `offset`.
 * `text` and `bytes` begin with their length in one byte. `skip`: not decoded; `extended`: with a length of two bytes.
 */
export type Element =
  | {
      readonly is: 'number';
      readonly size: 1 | 2 | 4;
      readonly key: string;
      readonly factor: number;
      readonly signed?: true;
    }
  | { readonly is: 'decimalText'; readonly key: string }
  | { readonly is: 'text' | 'bytes'; readonly key: string }
  | { readonly is: 'skip'; readonly size: number }
  | { readonly is: 'parts'; readonly parts: readonly NumberPart[] }
  | {
      readonly is:
        | 'extended'
        | 'extendedStatus'
        | 'identity'
        | 'time'
        | 'milliseconds'
        | 'precision'
        | 'status'
        | 'busDistance'
        | 'coordinates'
        | 'movement'
        | 'altitude'
        | 'engine'
        | 'acceleration';
    };

/** One of several numbers of a tag. */
export interface NumberPart {
  readonly key: string;
  readonly type: 'u8' | 'i8' | 'u16LE';
  readonly factor: number;
  /** the number of a sensor that does not answer */
  readonly noValue?: number;
}

type Row = readonly [tag: number, element: Element];

const number = (size: 1 | 2 | 4, key: string, factor = 1): Element => ({ is: 'number', size, key, factor });
const signed = (size: 1 | 2 | 4, key: string): Element => ({ is: 'number', size, key, factor: 1, signed: true });
const part = (type: NumberPart['type'], key: string, factor = 1): NumberPart => ({ type, key, factor });
const temperature = (key: string): NumberPart => ({ type: 'i8', key, factor: 1, noValue: -128 });
const parts = (...all: readonly NumberPart[]): Element => ({ is: 'parts', parts: all });
const runOfParts = (first: number, last: number, from: number, of: (n: number) => readonly NumberPart[]): Row[] =>
  Array.from({ length: last - first + 1 }, (_, n) => [first + n, parts(...of(from + n))]);
const skip = (size: number): Element => ({ is: 'skip', size });

/** Tags in a row, with keys that count on from `from`. */
const run = (first: number, last: number, size: 1 | 2 | 4, name: string, from = 0): Row[] =>
  Array.from({ length: last - first + 1 }, (_, n) => [first + n, number(size, `${name}${from + n}`)]);
/** "Tags of the Galileosky protocol" */
const TABLE: readonly Row[] = [
  [0x01, number(1, 'versionHw')],
  [0x02, number(1, 'versionFw')],
  [0x03, { is: 'identity' }],
  [0x04, number(2, 'deviceId')],
  [0x10, number(2, 'index')],
  [0x11, number(4, 'index')],
  [0x20, { is: 'time' }],
  [0x21, { is: 'milliseconds' }],
  [0x30, { is: 'coordinates' }],
  [0x33, { is: 'movement' }],
  [0x34, { is: 'altitude' }],
  [0x35, { is: 'precision' }],
  [0x36, number(1, 'pdop', 1 / 10)],
  [0x40, { is: 'status' }],
  [0x41, number(2, 'power', 1 / 1000)],
  [0x42, number(2, 'battery', 1 / 1000)],
  [0x43, signed(1, 'deviceTemp')],
  [0x44, { is: 'acceleration' }],
  [0x45, number(2, 'output')],
  [0x46, number(2, 'input')],
  // EcoDrive, in hundredths of g
  [
    0x47,
    parts(
      part('u8', 'maxAcceleration', 1 / 100),
      part('u8', 'maxBraking', 1 / 100),
      part('u8', 'maxCornering', 1 / 100),
      part('u8', 'maxBump', 1 / 100),
    ),
  ],
  [0x48, { is: 'extendedStatus' }],
  [0x49, number(1, 'channel')],
  ...run(0x50, 0x57, 2, 'adc'),
  ...run(0x58, 0x59, 2, 'rs232'),
  [0x5a, skip(4)],
  [0x5b, skip(7)],
  [0x5c, skip(68)],
  [0x5d, skip(3)],
  ...run(0x60, 0x62, 2, 'fuel'),
  ...runOfParts(0x63, 0x6f, 3, (n) => [part('u16LE', `fuel${n}`), temperature(`fuel${n}Temp`)]),
  ...runOfParts(0x70, 0x77, 0, (n) => [part('u8', `temp${n}Id`), temperature(`temp${n}`)]),
  ...run(0x78, 0x7d, 2, 'adc', 8),
  ...runOfParts(0x80, 0x87, 0, (n) => [
    part('u8', `sensor${n}Id`),
    temperature(`sensor${n}Temp`),
    part('u8', `sensor${n}Humidity`, 100 / 255),
  ]),
  ...runOfParts(0x88, 0x89, 0, (n) => [temperature(`rs232${n}Temp`)]),
  ...runOfParts(0x8a, 0x8c, 0, (n) => [temperature(`fuel${n}Temp`)]),
  [0x90, { is: 'decimalText', key: 'driverUniqueId' }],
  ...run(0xa0, 0xaf, 1, 'can8BitR', 15),
  ...run(0xb0, 0xb9, 2, 'can16BitR', 5),
  [0xc0, number(4, 'fuelTotal', 0.5)],
  [0xc1, { is: 'engine' }],
  [0xc2, { is: 'busDistance' }],
  [0xc3, number(4, 'canB1')],
  ...run(0xc4, 0xd2, 1, 'can8BitR'),
  [0xd3, { is: 'decimalText', key: 'driver2UniqueId' }],
  [0xd4, number(4, 'odometer')],
  [0xd5, skip(1)],
  ...run(0xd6, 0xda, 2, 'can16BitR'),
  ...run(0xdb, 0xdf, 4, 'can32BitR'),
  [0xe0, number(4, 'index')],
  [0xe1, { is: 'text', key: 'result' }],
  ...run(0xe2, 0xe9, 4, 'userData'),
  [0xea, { is: 'bytes', key: 'userDataArray' }],
  ...run(0xf0, 0xf9, 4, 'can32BitR', 5),
  [0xfa, skip(3)],
  [0xfd, skip(8)],
  [0xfe, { is: 'extended' }],
];

const byTag = new Map(TABLE);
/** by tag, for the hot path */
export const ELEMENTS: readonly (Element | undefined)[] = Array.from({ length: 256 }, (_, tag) => byTag.get(tag));
