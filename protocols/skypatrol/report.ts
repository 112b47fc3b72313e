import { CodecError, Draft, exactUtcFromParts, KNOT_KMH, type Message } from '#codec';
import { type Field, ifInMask, u8, u16, u32 } from '#codec/binary';

/** What a report consists of while it is read. */
export class Report extends Draft {
  id = '';
  mask = 0;
  /** day, month, year; then hour, minute, second */
  date: readonly number[] = [];
  clock: readonly number[] = [];
}

export const idOf =
  (length: number): Field<Report> =>
  ({ reader, into }) => {
    into.id = reader.latin1(length).replaceAll('\0', ' ').trim();
  };

/** The field that says for which fields there is a mask. */
export const useMask: Field<Report> = (scope) => {
  scope.mask = scope.into.mask;
};

export const STATUS = ifInMask(2 ** 1, u32('status'));
export const LONG_ID = ifInMask(2 ** 2, idOf(22));

export const INPUTS = [
  ifInMask(2 ** 3, u16('io1')),
  ifInMask(2 ** 4, u16('adc1')),
  ifInMask(2 ** 5, u16('adc2')),
  ifInMask(2 ** 7, u8('event')),
];

export const VALIDITY = ifInMask<Report>(2 ** 9, ({ reader, into }) => {
  into.valid = reader.u8() === 1;
});

export const MOVEMENT = [
  ifInMask<Report>(2 ** 12, ({ reader, into }) => {
    into.speed = (reader.u16() / 10) * KNOT_KMH;
  }),
  ifInMask<Report>(2 ** 13, ({ reader, into }) => {
    into.course = reader.u16() / 10;
  }),
];

export const ALTITUDE_AND_SATELLITES = [
  ifInMask<Report>(2 ** 15, ({ reader, into }) => {
    into.altitude = (reader.u24() << 8) >> 8;
  }),
  ifInMask(2 ** 16, u8('sat')),
];

/** latitude and longitude */
const PLACE = 2 ** 10 + 2 ** 11;

/** The messages of a report that has been read. */
export function messagesOf(report: Report): Message[] {
  if (report.id === '') throw new CodecError('bad-value', 'the report names no device');
  const [[day, month, year], [hour, minute, second]] = [report.date, report.clock];
  if (year !== undefined && second !== undefined) {
    const time = exactUtcFromParts(year, month!, day!, hour!, minute!, second);
    if ((report.mask & PLACE) === PLACE) report.setFix(time, report.valid, report.latitude, report.longitude);
    else report.deviceTime = time;
  }
  return [{ type: 'login', ids: [report.id] }, report.toPosition()];
}
