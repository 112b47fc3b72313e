import {
  attr,
  coordinates,
  type Field,
  fixField,
  groups,
  ifBit,
  layout,
  lengthPrefixed,
  number,
  optionalTail,
  presenceMask,
  readerOf,
  skip,
  time,
  u8,
  u16LE,
  u32LE,
  validIf,
} from '#codec/binary';

/** Vibration and its count, outputs, input alarms. */
const LINES = [
  skip(2),
  number('u8', ...[0, 1, 2, 3].map((shift) => attr(`out${shift + 1}`, { mask: 1 << shift, shift }))),
  skip(1),
];
const VOLTAGES = groups(u16LE('adc#', { divisor: 1000 }), { count: 6 });
const COUNTERS = groups(u32LE('count#'), { count: 2 });
const TANKS = [groups(u16LE('fuel#'), { count: 3 }), groups(u8('temp#'), { count: 3 })];

/** Values of the bus that have a name; the others are `can<number>`. The battery's is a raw one. */
const BUS_KEYS: Readonly<Record<number, string>> = { 1: 'temp1', 2: 'humidity', 3: 'illumination', 4: 'battery' };
const BUS_NUMBERS = [readerOf('u8'), readerOf('u16LE'), readerOf('u32LE')];

/** The size in two bits, the number in the others, then the value. */
const busValue: Field = ({ reader, into }) => {
  const head = reader.u8();
  const read = BUS_NUMBERS[head >> 6];
  const value = read === undefined ? Number(BigInt.asIntN(64, reader.u64LE())) : read(reader);
  into.attributes[BUS_KEYS[head & 0x3f] ?? `can${head & 0x3f}`] = value;
};

/** Type, what every data message has, then a block for each bit of the type. */
export const DATA = layout([
  presenceMask('u8'),
  u8('versionFw'),
  u16LE('index'),
  number('u16LE', attr('status'), validIf(0x20, 'not')),
  coordinates('f32LE'),
  number('u16LE', fixField('course', { divisor: 10 })),
  number('u16LE', fixField('speed', { divisor: 10 })),
  u8('acceleration', { divisor: 10 }),
  number('i16LE', fixField('altitude')),
  u8('hdop', { divisor: 10 }),
  number('u8', attr('sat', { mask: 0x0f })),
  time('fix', 'u32LE'),
  u16LE('power', { divisor: 1000 }),
  u16LE('battery', { divisor: 1000 }),
  optionalTail([
    ifBit(0x04, LINES),
    ifBit(0x08, VOLTAGES),
    ifBit(0x10, COUNTERS),
    ifBit(0x20, TANKS),
    // the length counts its own byte
    ifBit(0x40, lengthPrefixed('u8', groups(busValue), -1)),
    ifBit(0x80, u32LE('odometer')),
  ]),
]);
