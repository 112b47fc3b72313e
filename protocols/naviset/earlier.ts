import {
  alarmsByMask,
  attr,
  choose,
  type Field,
  type FieldList,
  fix,
  flagByMask,
  i8,
  ifInMask,
  type Layout,
  layout,
  type NumberUse,
  nextNumber,
  number,
  setValid,
  skip,
  u8,
  u16LE,
  u32LE,
} from '#codec/binary';

/*
 * Records of the earlier structure, by the mask of their message. Source: the decoder of maprox/pipe with its messages
 * of GT-10 and GT-20 of 2012 and 2013.
 */

/** No dilution is known: the receiver has no fix, and the place is the last one. The satellites are a flag then. */
const NO_DILUTION = 0xff;

const dilution: NumberUse = (raw, { into }) => {
  into.valid = raw !== NO_DILUTION;
  if (into.valid) into.attributes['hdop'] = raw / 10;
  else delete into.attributes['sat'];
};

const HEAD: FieldList = [
  u16LE('index'),
  fix.time('u32LE'),
  setValid(true),
  u8('sat'),
  fix.latitude('i32LE', { divisor: 1_000_000 }),
  fix.longitude('i32LE', { divisor: 1_000_000 }),
  fix.speed('u16LE', { divisor: 10 }),
  fix.course('u16LE', { divisor: 10 }),
  fix.altitude('i16LE'),
  number('u8', dilution),
];

const STATUS = number(
  'u8',
  attr('status'),
  flagByMask(0x02, 'motion'),
  flagByMask(0x04, 'armed'),
  alarmsByMask([
    [0x01, 'lowPower'],
    [0x40, 'gpsAntennaCut'],
  ]),
);

/** A sensor that is not connected sends -128. */
const temperatures = (first: number): Field[] => [0, 1, 2, 3].map((index) => i8(`temp${first + index}`, { min: -99 }));

const analogue = (first: number): Field[] => [u16LE(`adc${first}`), u16LE(`adc${first + 1}`)];

/** Six bytes of a key, the last one first; none without a key. */
const KEY: Field = ({ reader, into }) => {
  const digits: string[] = [];
  for (let index = 0; index < 6; index++) digits.unshift(reader.u8().toString(16).padStart(2, '0'));
  const key = digits.join('');
  if (/[1-9a-f]/.test(key)) into.attributes['driverUniqueId'] = key;
};

const NO_BUS = nextNumber('u32LE', 0);
/** Level of the fuel, revolutions and coolant; zeros without a vehicle bus. */
const BUS: Field = choose(
  [[NO_BUS, skip(4)]],
  [u8('fuelLevel', { max: 250, factor: 2, divisor: 5 }), u16LE('rpm'), i8('coolantTemp')],
);

/** What each flagByMask of the mask adds, and its bytes. */
const PARTS: readonly (readonly [bytes: number, fields: FieldList])[] = [
  [1, STATUS],
  [4, [u16LE('power', { divisor: 1000 }), u16LE('battery', { divisor: 1000 })]],
  [1, i8('deviceTemp')],
  [2, [u8('input'), u8('output')]],
  [4, analogue(1)],
  [4, analogue(3)],
  [4, analogue(5)],
  [4, analogue(7)],
  [4, temperatures(1)],
  [4, temperatures(5)],
  [6, KEY],
  // counts of two frequency inputs
  [4, skip(4)],
  [4, [u16LE('fuel1'), u16LE('fuel2')]],
  // temperatures of two fuel sensors
  [2, skip(2)],
  [4, BUS],
  [8, [u32LE('fuelUsed', { divisor: 2, noValue: 0 }), u32LE('obdOdometer', { factor: 5, noValue: 0 })]],
];

const HEAD_BYTES = 22;

/** Bytes of a record with this mask. */
export function bytesOf(mask: number): number {
  let bytes = HEAD_BYTES;
  for (const [index, [size]] of PARTS.entries()) if ((mask & (1 << index)) !== 0) bytes += size;
  return bytes;
}

const READ_PARTS = PARTS.map(([, fields], index) => ifInMask(1 << index, fields));

export const earlierRecordOf = (mask: number): Layout =>
  layout([
    HEAD,
    (scope) => {
      scope.mask = mask;
    },
    READ_PARTS,
  ]);
