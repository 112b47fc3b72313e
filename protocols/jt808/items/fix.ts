import { bcdTime, type Condition, type FieldList, fix, skip, u8, u16, u32 } from '#codec/binary';
import type { Report } from '../report.ts';
import { STATUS } from './status.ts';

/** Status, altitude, speed, course and time, as in a location. */
export const FIX: FieldList<Report> = [
  STATUS,
  fix.altitude('i16'),
  fix.speed('u16', { divisor: 10 }),
  fix.course('u16'),
  bcdTime('fix'),
];

const FIXED_TAIL_BYTES = 20;

/**
 * What some send instead of items: exactly this many bytes, checksum and delimiter included. Items of that size are
 * usual too (odometer, analogue inputs, radio and satellites of a message): their lengths lead to the end.
 */
export const hasFixedTail: Condition = ({ reader: { bytes, offset, end, remaining } }) => {
  if (remaining !== FIXED_TAIL_BYTES) return false;
  let at = offset;
  while (at + 2 <= end - 2) at += 2 + bytes[at + 1]!;
  return at !== end && at !== end - 2;
};

export const FIXED_TAIL: FieldList = [
  skip(4),
  u32('odometer', { factor: 1000 }),
  u16('battery', { divisor: 10 }),
  skip(4),
  u8('rssi'),
];
