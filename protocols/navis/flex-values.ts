import { type Draft, fixFlags, ninePlaces, type Reader } from '#codec';
import { RANGES } from './flex-fields.ts';

/** Values of a record that are set when all of it is read. */
export interface FlexRecord {
  readonly draft: Draft;
  fixTime: number | undefined;
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
/** Epoch ms; undefined if the device has no time, or has had no fix, and sends zero. */
export const timeOf = (seconds: number): number | undefined => (seconds > 0 ? seconds * 1000 : undefined);
const distance =
  (key: string): Handler =>
  (reader, { draft }) => {
    const value = reader.f32LE() * 1000;
    // -1 stands for a vehicle that does not report it
    if (value >= 0) draft.setNumber(key, value);
  };

const MAX_LEVEL = 65_500;
const level =
  (key: string): Handler =>
  (reader, { draft }) => {
    const value = reader.u16LE();
    if (value < MAX_LEVEL) draft.attributes[key] = value;
  };

/** Eight lines in a byte, from a number on. */
const lines =
  (name: string, first: number): Handler =>
  (reader, { draft }) => {
    const bits = reader.u8();
    for (let at = 0; at < 8; at++) draft.attributes[`${name}${first + at}`] = ((bits >> at) & 1) !== 0;
    const key = name === 'in' ? 'input' : 'output';
    const known = draft.attributes[key];
    if (first > 9) return;
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

/** of the device: the alarm is announced, the alarm is on; two bits of the mode of work; the vehicle is carried away */
const [ALARM, MODE, TOWED] = [0x06, 0x18, 0x20];
/** Modes of work, in their place: guarding, and guarding but for what the driver needs. */
const GUARDING: ReadonlySet<number> = new Set([0x08, 0x10]);

/** Field 4 of the document, which records of NTCB have as well. */
export function readDeviceState(flags: number, draft: Draft): void {
  draft.attributes['armed'] = GUARDING.has(flags & MODE);
  if (flags & ALARM) draft.addAlarm('general');
  if (flags & TOWED) draft.addAlarm('tow');
}

const [ROAMING, ENGINE_RUNS] = [0x40, 0x80];
const [GSM_JAMMED, GNSS_JAMMED] = [0x03, 0x04];

/** Field 5 of the document, which records of NTCB have as well. */
export function readModules(modules: number, { attributes }: Draft): void {
  attributes['roaming'] = (modules & ROAMING) !== 0;
  attributes['ignition'] = (modules & ENGINE_RUNS) !== 0;
}

const [CASE_OPEN, ANTENNA] = [0x01, 0x06];
/** States of the antenna, in their place: shorted, absent. */
const ANTENNA_LOST: ReadonlySet<number> = new Set([0x02, 0x04]);

function readSecondState(reader: Reader, { draft }: FlexRecord): void {
  const flags = reader.u8();
  if (flags & CASE_OPEN) draft.addAlarm('tampering');
  if (ANTENNA_LOST.has(flags & ANTENNA)) draft.addAlarm('gpsAntennaCut');
}

const [BUS_IGNITION, BUS_DOORS] = [0x01, 0x0360];

/** State of the vehicle's own alarm system, as its bus has it. */
function readBusSecurity(reader: Reader, { draft: { attributes } }: FlexRecord): void {
  const flags = reader.u16LE();
  attributes['ignition'] = attributes['ignition'] === true || (flags & BUS_IGNITION) !== 0;
  attributes['door'] = (flags & BUS_DOORS) !== 0;
}

/** Level and temperature of a fuel sensor that is sent with both together. */
const levelAndTemperature =
  (n: number): Handler =>
  (reader, record) => {
    const { attributes } = record.draft;
    level(`fuel${n}`)(reader, record);
    if (attributes[`fuel${n}`] !== undefined) attributes[`fuelTemp${n}`] = reader.i8();
  };

const series = (first: number, count: number, make: (number: number) => Handler): [number, Handler][] =>
  Array.from({ length: count }, (_, at) => [first + at, make(at + 1)]);

/** Field → its meaning; the others are skipped by their size. Source: FLEX 3.0, table of fields. */
export const VALUES: ReadonlyMap<number, Handler> = new Map<number, Handler>([
  [0, number('u32LE', 'index')],
  [1, number('u16LE', 'event')],
  [
    2,
    (reader, { draft }) => {
      draft.deviceTime = timeOf(reader.u32LE());
    },
  ],
  [
    3,
    (reader, { draft }) => {
      readDeviceState(reader.u8(), draft);
    },
  ],
  [
    4,
    (reader, { draft }) => {
      const modules = reader.u8();
      draft.attributes['status'] = modules;
      readModules(modules, draft);
    },
  ],
  [
    5,
    (reader, { draft }) => {
      const modules = reader.u8();
      draft.attributes['status'] = wide(Number(draft.attributes['status'] ?? 0), modules);
      if ((modules & GSM_JAMMED) === 1 || modules & GNSS_JAMMED) draft.addAlarm('jamming');
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
      record.fixTime = timeOf(reader.u32LE());
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
  [68, number('u8', 'obdSpeed', 1, 0xff)],
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
  ...series(83, 10, (n) => levelAndTemperature(n + 6)),
  [122, readSecondState],
  [125, lines('in', 17)],
  ...series(126, 6, (n) => number('u32LE', `count${n + 2}`)),
  ...series(132, 6, (n) => number('u16LE', `freq${n + 2}`)),
  ...series(162, 4, (n) => divided('i16LE', `temp${n + 8}`, 20, -32_768)),
  ...series(166, 4, (n) => divided('u8', `humidity${n}`, 2, 0xff)),
  [200, readBusSecurity],
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
