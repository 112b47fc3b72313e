import {
  type Field,
  type FieldList,
  fix,
  fixNumber,
  i8,
  ifInMask,
  type Layout,
  layout,
  type NumberUse,
  number,
  presenceMask,
  setValid,
  skip,
  u8,
  u16LE,
  u32LE,
} from '#codec/binary';

/** What a sensor that is not connected sends. */
const NO_SENSOR = { noValue: -128 };

/** A block: the mask of its fields, then those that are there. */
const block = (...fields: readonly FieldList[]): Field[] => [
  presenceMask('u8'),
  ...fields.map((field, index) => ifInMask(1 << index, field)),
];

const MIN_SATELLITES = 3;
/**
 * The first bit is clear in recorded fixes of 12 satellites with a dilution of 0.7, so it does not say that a fix is
 * valid: their number does.
 */
const satellites: NumberUse = (raw, { into }) => {
  const sat = raw & 0x7f;
  into.valid = sat >= MIN_SATELLITES;
  into.attributes['sat'] = sat;
};

const RECEIVER = block(
  number('u8', satellites),
  fix.course('u16LE', { divisor: 10 }),
  fix.altitude('i16LE'),
  u8('hdop', { divisor: 10 }),
  [u16LE('power', { divisor: 1000 }), u16LE('battery', { divisor: 1000 })],
  [u8('input'), u8('output')],
  u32LE('odometer'),
  skip(6),
);

const ANALOGUE = block(...Array.from({ length: 8 }, (_, index) => u16LE(`adc${index + 1}`)));

/** The clock of the engine counts minutes. */
const SENSORS = block(
  i8('deviceTemp'),
  skip(6),
  [i8('temp1', NO_SENSOR), i8('temp2', NO_SENSOR)],
  [i8('temp3', NO_SENSOR), i8('temp4', NO_SENSOR)],
  [5, 6, 7, 8].map((n) => i8(`temp${n}`, NO_SENSOR)),
  u16LE('hours', { factor: 60_000 }),
  skip(1),
  skip(1),
);

const FUEL = block(u16LE('fuel1'), u16LE('fuel2'), u16LE('fuel'), skip(18), skip(1), skip(1), skip(2), skip(2));

const VEHICLE = block(
  [skip(1), u16LE('rpm'), i8('coolantTemp')],
  skip(4),
  u32LE('obdOdometer'),
  skip(2),
  skip(2),
  skip(2),
  skip(2),
  skip(2),
);

/** The second block of the vehicle bus, of which nothing is read. */
const VEHICLE_FURTHER = block(skip(1), skip(3), skip(4), skip(4), skip(2), skip(26), skip(4), skip(4));

const BLOCKS = [RECEIVER, ANALOGUE, SENSORS, FUEL, VEHICLE, VEHICLE_FURTHER];

/** Recorded devices send northern and eastern places only; with a sign others are right too. */
const coordinate = (property: 'latitude' | 'longitude'): Field =>
  number('i32LE', fixNumber(property, { divisor: 1_000_000 }));

const HEAD: FieldList = [
  u16LE('index'),
  u8('status'),
  fix.time('u32LE'),
  setValid(true),
  coordinate('latitude'),
  coordinate('longitude'),
  fix.speed('u16LE', { divisor: 10 }),
];

const layouts = Array.from(
  { length: 1 << BLOCKS.length },
  (_, mask): Layout => layout([HEAD, ...BLOCKS.filter((_block, index) => (mask & (1 << index)) !== 0)]),
);

/** Records of a message by the mask of its blocks. */
export const recordOf = (mask: number): Layout => layouts[mask & (layouts.length - 1)]!;
