import { CodecError, type DeviceOptions, degreesFromDdmm, type Message, Reader, toLatin1 } from '#codec';
import { type Field, ifInMask, layout, skip, u32 } from '#codec/binary';
import { API_EVENT, bodyStart } from './head.ts';
import {
  ALTITUDE_AND_SATELLITES,
  INPUTS,
  LONG_ID,
  MOVEMENT,
  messagesOf,
  Report,
  STATUS,
  useMask,
  VALIDITY,
} from './report.ts';
import { textMessages } from './text.ts';

/** Pairs of digits of a number: day, month and year, or hour, minute and second. */
const pairs = (number: number): number[] => [Math.trunc(number / 1e4), Math.trunc(number / 100) % 100, number % 100];

const dateField: Field<Report> = ({ reader, into }) => {
  into.date = pairs(reader.u24());
};

/** Fields of binary events. They do not carry their mask: it is an option, or that of a message so long. */
const FIELDS = layout<Report>([
  useMask,
  STATUS,
  LONG_ID,
  ...INPUTS,
  ifInMask(2 ** 8, dateField),
  VALIDITY,
  ifInMask<Report>(2 ** 10, ({ reader, into }) => {
    into.latitude = degreesFromDdmm(((reader.u24() << 8) >> 8) / 1000);
  }),
  ifInMask<Report>(2 ** 11, ({ reader, into }) => {
    into.longitude = degreesFromDdmm(reader.i32() / 1000);
  }),
  ...MOVEMENT,
  ifInMask<Report>(2 ** 14, ({ reader, into }) => {
    into.clock = pairs(reader.u24());
  }),
  ...ALTITUDE_AND_SATELLITES,
  ifInMask(2 ** 20, u32('odometer')),
  ifInMask(2 ** 21, skip(6)),
]);

/** Masks of every field, without the odometer and the clock, with the odometer, and with both, by the bytes of a message. */
const MASKS: Readonly<Record<number, number | undefined>> = {
  55: 0xf_ffff,
  59: 0x1f_ffff,
  65: 0x3f_ffff,
  66: 0x3f_ffff,
};

/** What an event says. */
export function eventMessages(frame: Uint8Array, { mask }: DeviceOptions): Message[] {
  const start = bodyStart(frame);
  const inText = textMessages(toLatin1(frame, start), frame[1] === API_EVENT);
  if (inText !== undefined) return inText;
  const report = new Report();
  const known = typeof mask === 'number' ? mask >>> 0 : MASKS[frame.length - start];
  if (known === undefined) throw new CodecError('unknown-type', 'an event without a mask', start);
  report.mask = known;
  FIELDS(new Reader(frame.subarray(start)), report);
  return messagesOf(report);
}
