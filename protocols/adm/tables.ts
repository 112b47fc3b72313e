import {
  attr,
  type Field,
  fix,
  groups,
  ifInMask,
  layout,
  lengthPrefixed,
  number,
  optionalTail,
  presenceMask,
  readerOf,
  skip,
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

/** Sizes of a value of the bus in bytes. */
const [ONE, TWO, FOUR] = [0, 1, 2];
const BUS_NUMBERS = [readerOf('u8'), readerOf('u16LE'), readerOf('u32LE')];

/** A value of a wireless sensor by the size it has; `absent` stands for no signal. */
interface SensorValue {
  readonly key: string;
  readonly size: number;
  readonly absent: number;
  readonly scale: number;
}
const NO_CODE = -1;
/** Five values of each of five sensors. Source: ADM333BLE manual 1.2, tables 3 and 7.1.1. */
const SENSOR_VALUES: readonly (readonly SensorValue[])[] = [
  [{ key: 'Temp', size: TWO, absent: 0x8ad0, scale: 100 }],
  [{ key: 'Humidity', size: ONE, absent: 0xff, scale: 1 }],
  [
    { key: 'LightSensor', size: TWO, absent: 0xffff, scale: 1 },
    { key: 'LightSensor', size: FOUR, absent: 0xffff_ffff, scale: 100 },
  ],
  [{ key: 'Battery', size: ONE, absent: 0xff, scale: 10 }],
  [{ key: 'Hall', size: ONE, absent: NO_CODE, scale: 1 }],
];
const SENSORS = 5;

/** The number in six bits below the size, then the value. What is not of a sensor is `can<number>`. */
const busValue: Field = ({ reader, into }) => {
  const head = reader.u8();
  const [size, number] = [head >> 6, head & 0x3f];
  const read = BUS_NUMBERS[size];
  const value = read === undefined ? Number(BigInt.asIntN(64, reader.u64LE())) : read(reader);
  const place = number - 1;
  const kinds = number <= SENSORS * SENSOR_VALUES.length ? SENSOR_VALUES[place % SENSOR_VALUES.length] : undefined;
  const kind = kinds?.find((known) => known.size === size);
  if (kind === undefined) into.attributes[`can${number}`] = value;
  else if (value !== kind.absent) {
    const signed = kind.key === 'Temp' ? (value << 16) >> 16 : value;
    into.attributes[`tag${Math.floor(place / SENSOR_VALUES.length) + 1}${kind.key}`] = signed / kind.scale;
  }
};

/** Type, what every data message has, then a block for each bit of the type. */
export const DATA = layout([
  presenceMask('u8'),
  u8('versionFw'),
  u16LE('index'),
  number('u16LE', attr('status'), validIf(0x20, 'not')),
  fix.coordinates('f32LE'),
  fix.course('u16LE', { divisor: 10 }),
  fix.speed('u16LE', { divisor: 10 }),
  u8('acceleration', { divisor: 10 }),
  fix.altitude('i16LE'),
  u8('hdop', { divisor: 10 }),
  number('u8', attr('sat', { mask: 0x0f })),
  fix.time('u32LE'),
  u16LE('power', { divisor: 1000 }),
  u16LE('battery', { divisor: 1000 }),
  optionalTail([
    ifInMask(0x04, LINES),
    ifInMask(0x08, VOLTAGES),
    ifInMask(0x10, COUNTERS),
    ifInMask(0x20, TANKS),
    // the length counts its own byte
    ifInMask(0x40, lengthPrefixed('u8', groups(busValue), -1)),
    ifInMask(0x80, u32LE('odometer')),
  ]),
]);
