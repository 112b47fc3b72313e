import {
  accessPoint,
  alarmOf,
  attr,
  type FieldList,
  fix,
  flagByMask,
  i8,
  layout,
  number,
  optionalTail,
  setValid,
  skip,
  tags,
  u8,
  validIf,
} from '#codec/binary';
import { hasFix } from './fields.ts';

export const AMBER = layout([
  skip(1),
  number('u8', flagByMask(0x02, 'motion')),
  u8('battery', { divisor: 50 }),
  i8('temp1'),
  fix.coordinates('i32', 60_000),
  setValid(true),
  hasFix,
]);

/** Coordinates whose first flagByMask is the sign. */
export const SIGNED = layout([number('u8', validIf(0x10)), fix.coordinates('m32', 1e6), hasFix, u8('batteryLevel')]);

/** Digital Matter, "Decoding the Oyster Sigfox payload", GPS data record. */
export const OYSTER = layout([
  number('u8', validIf(0x20, 'not'), flagByMask(0x10, 'motion')),
  fix.coordinates('i32LE', 1e7),
  hasFix,
  fix.course('u8', { factor: 2 }),
  fix.speed('u8'),
  u8('battery', { divisor: 40 }),
]);

const ITEMS: Readonly<Record<number, FieldList>> = {
  // three bytes each, of which the unit is not known
  1: skip(6),
  2: [fix.coordinates('f32'), setValid(true), hasFix],
  3: i8('temp1', { divisor: 2 }),
  4: u8('battery', { divisor: 10 }),
  5: u8('batteryLevel'),
  6: accessPoint('u8'),
  7: skip(10),
  8: skip(6),
  9: fix.speed('u8'),
};

/** An event, then a type and a value again and again. */
export const PAYLOAD = layout([
  number('u8', attr('event'), alarmOf({ 0x22: 'sos', 0x62: 'sos' })),
  optionalTail(tags({ id: 'u8', table: ITEMS, other: skip(1) })),
]);
