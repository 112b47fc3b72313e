import { type Draft, fixFlags, ninePlaces, type Reader } from '#codec';
import { RANGES } from './flex-fields.ts';

/** Values of a record that are set when all of it is read. */
export interface FlexRecord {
  readonly draft: Draft;
  fixTime?: number;
  valid: boolean;
  latitude: number;
  longitude: number;
  altitude?: number;
  speed?: number;
  course?: number;
}

type Handler = (reader: Reader, record: FlexRecord) => void;
type Kind = 'u8' | 'i8' | 'u16LE' | 'i16LE' | 'u32LE' | 'f32LE';

/** Of the state of the receiver; the number of satellites stands above them. */
export const FLAGS = fixFlags({ valid: 0x02 });

/** Degrees of what counts ten-thousandths of a minute. */
export const DEGREES = 600_000;

const number =
  (kind: Kind, key: string, factor = 1, absent?: number): Handler =>
  (reader, { draft }) => {
    const value = reader[kind]();
    if (value !== absent) draft.setNumber(key, value * factor);
  };
const divided =
  (kind: Kind, key: string, by: number, absent?: number): Handler =>
  (reader, { draft }) => {
    const value = reader[kind]();
    if (value !== absent) draft.setNumber(key, value / by);
  };
const distance =
  (key: string): Handler =>
  (reader, { draft }) => {
    const value = reader.f32LE() * 1000;
    // -1 stands for a vehicle that does not report it
    if (value >= 0) draft.setNumber(key, value);
  };

const MOST_LEVEL = 65_500;
const level =
  (key: string): Handler =>
  (reader, { draft }) => {
    const value = reader.u16LE();
    if (value < MOST_LEVEL) draft.attributes[key] = value;
  };

/** Eight lines in a byte, from a number on. */
const lines =
  (name: string, first: number): Handler =>
  (reader, { draft }) => {
    const bits = reader.u8();
    for (let at = 0; at < 8; at++) draft.attributes[`${name}${first + at}`] = ((bits >> at) & 1) !== 0;
    const key = name === 'in' ? 'input' : 'output';
    const known = draft.attributes[key];
    draft.attributes[key] = first === 1 ? bits : wide(Number(known ?? 0), bits);
  };

/** A low and a high byte as one number, signed. */
const wide = (low: number, high: number): number => (((high << 8) | low) << 16) >> 16;

const [NO_LEVEL, IN_PER_CENT, LEVEL_BITS] = [0x7fff, 0x8000, 0x3fff];

/** A level in per cent or in tenths, as its highest bit says. */
const busLevel =
  (key: string): Handler =>
  (reader, { draft }) => {
    const value = reader.u16LE();
    if (value === NO_LEVEL) return;
    if (value & IN_PER_CENT) draft.attributes[`${key}Level`] = value & LEVEL_BITS;
    else draft.attributes[key] = (value & LEVEL_BITS) / 10;
  };

/** The serving cell and two others: cell, area, country, network, level in dBm; then when that was. */
function readCells(reader: Reader, { draft }: FlexRecord): void {
  for (let n = 0; n < 3; n++) {
    const cid = reader.u32LE();
    const lac = reader.u16LE();
    const mcc = reader.u16LE();
    const mnc = reader.u16LE();
    const rssi = reader.i8();
    if (mcc > 0 && mcc <= 999) draft.addCell({ mcc, mnc, lac, cid, rssi });
  }
}

const series = (first: number, count: number, make: (number: number) => Handler): [number, Handler][] =>
  Array.from({ length: count }, (_, at) => [first + at, make(at + 1)]);

/** Field → its meaning; the others are skipped by their size. Source: FLEX 3.0, table of fields. */
export const VALUES: ReadonlyMap<number, Handler> = new Map<number, Handler>([
  [0, number('u32LE', 'index')],
  [1, number('u16LE', 'event')],
  [
    2,
    (reader, { draft }) => {
      draft.deviceTime = reader.u32LE() * 1000;
    },
  ],
  [
    3,
    (reader, { draft }) => {
      const flags = reader.u8();
      draft.attributes['armed'] = (flags & 1) !== 0;
      if (flags & 2) draft.addAlarm('general');
    },
  ],
  [4, number('u8', 'status')],
  [
    5,
    (reader, { draft }) => {
      draft.attributes['status'] = wide(Number(draft.attributes['status'] ?? 0), reader.u8());
    },
  ],
  [6, number('u8', 'rssi')],
  [
    7,
    (reader, record) => {
      const flags = reader.u8();
      record.valid = FLAGS.isValid(flags);
      record.draft.attributes['sat'] = flags >> 2;
    },
  ],
  [
    8,
    (reader, record) => {
      record.fixTime = reader.u32LE() * 1000;
      record.draft.deviceTime ??= record.fixTime;
    },
  ],
  [
    9,
    (reader, record) => {
      record.latitude = ninePlaces(reader.i32LE() / DEGREES);
    },
  ],
  [
    10,
    (reader, record) => {
      record.longitude = ninePlaces(reader.i32LE() / DEGREES);
    },
  ],
  [
    11,
    (reader, record) => {
      record.altitude = reader.i32LE() / 10;
    },
  ],
  [
    12,
    (reader, record) => {
      record.speed = reader.f32LE();
    },
  ],
  [
    13,
    (reader, record) => {
      record.course = reader.u16LE();
    },
  ],
  [14, distance('odometer')],
  [15, distance('distance')],
  [18, divided('u16LE', 'power', 1000)],
  [19, divided('u16LE', 'battery', 1000)],
  ...series(20, 8, (n) => number('u16LE', `adc${n}`)),
  [28, lines('in', 1)],
  [29, lines('in', 9)],
  [30, lines('out', 1)],
  [31, lines('out', 9)],
  ...series(32, 2, (n) => number('u32LE', `count${n}`)),
  ...series(34, 2, (n) => number('u16LE', `freq${n}`)),
  [36, number('u32LE', 'hours', 1000)],
  ...series(37, 6, (n) => level(`fuel${n}`)),
  [43, level('fuel')],
  ...series(44, 8, (n) => number('i8', `temp${n}`, 1, -128)),
  [52, busLevel('obdFuel')],
  [
    53,
    (reader, { draft }) => {
      const value = reader.f32LE();
      if (value >= 0) draft.setNumber('fuelUsed', value * 0.5);
    },
  ],
  [54, number('u16LE', 'rpm', 1, 0xffff)],
  [55, number('i8', 'coolantTemp', 1, -128)],
  [56, distance('obdOdometer')],
  ...series(57, 5, (n) => number('u16LE', `axleWeight${n}`, 1, 0xffff)),
  [62, number('u8', 'acceleratorPosition', 1, 0xff)],
  [63, number('u8', 'brakePosition', 1, 0xff)],
  [64, number('u8', 'engineLoad', 1, 0xff)],
  [65, busLevel('obdAdBlue')],
  [66, number('u32LE', 'obdHours', 1000)],
  [67, number('u16LE', 'serviceOdometer', 5000, 0xffff)],
  [68, number('u8', 'obdSpeed')],
  [
    69,
    (reader, { draft }) => {
      let visible = 0;
      for (let system = 0; system < 8; system++) visible += reader.u8();
      draft.attributes['satVisible'] = visible;
    },
  ],
  [
    70,
    (reader, { draft }) => {
      draft.attributes['hdop'] = reader.u8() / 10;
      draft.attributes['pdop'] = reader.u8() / 10;
    },
  ],
  [76, readCells],
  ...series(77, 6, (n) => number('i8', `fuelTemp${n}`)),
  ...series(162, 4, (n) => divided('i16LE', `temp${n + 8}`, 20, -32_768)),
  ...series(166, 4, (n) => divided('u8', `humidity${n}`, 2, 0xff)),
  ...series(206, 16, (n) => number('u8', `user1Byte${n}`)),
  ...series(222, 15, (n) => number('u16LE', `user2Byte${n}`)),
  ...series(237, 15, (n) => number('u32LE', `user4Byte${n}`)),
  ...series(252, 3, (n) => (reader, { draft }) => {
    draft.attributes[`user8Byte${n}`] = Number(BigInt.asIntN(64, reader.u64LE()));
  }),
]);

/** Bytes of a field, by its number. */
export const FIELD_BYTES: readonly number[] = RANGES.flatMap(([first, last, bytes]) =>
  Array.from({ length: last - first + 1 }, () => bytes),
);
