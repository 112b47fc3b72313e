import { CodecError, type DecodeContext, type Decoded, Draft, degreesFromDdmm, KNOT_KMH, Reader } from '#codec';
import { type Field, ifBit, layout, optionalTail, skip, u8, u16, u32 } from '#codec/binary';
import { readMask } from './head.ts';

/** What a report consists of while it is read. */
class Report extends Draft {
  id = '';
  mask = 0;
  /** day, month, year; then hour, minute, second */
  date: readonly number[] = [];
  clock: readonly number[] = [];
}

/** Signed degrees and minutes in ten-thousandths. Negative ones are the complement of their magnitude. */
function readDegrees(reader: Reader): number {
  const raw = reader.i32();
  const degrees = degreesFromDdmm((raw < 0 ? ~raw : raw) / 10_000);
  return raw < 0 ? 0 - degrees : degrees;
}

const idOf =
  (length: number): Field<Report> =>
  ({ reader, into }) => {
    into.id = reader.latin1(length).replaceAll('\0', ' ').trim();
  };

const SHORT_ID = 2 ** 23;
const LONG_ID = ifBit(2 ** 2, idOf(22));
const three = (reader: Reader): number[] => [reader.u8(), reader.u8(), reader.u8()];

/** latitude and longitude */
const PLACE = 2 ** 10 + 2 ** 11;

/** Bits of the mask in the order of their fields. The long id is sent where the short one is not. */
const FIELDS = layout<Report>([
  (scope) => {
    scope.mask = scope.into.mask;
  },
  optionalTail<Report>([
    ifBit(2 ** 1, u32('status')),
    ifBit(SHORT_ID, idOf(8)),
    (scope) => {
      if ((scope.mask & SHORT_ID) === 0) LONG_ID(scope);
    },
    ifBit(2 ** 3, u16('io1')),
    ifBit(2 ** 4, u16('adc1')),
    ifBit(2 ** 5, u16('adc2')),
    ifBit(2 ** 7, skip(1)),
    ifBit(2 ** 8, ({ reader, into }) => {
      into.date = three(reader);
    }),
    ifBit(2 ** 9, ({ reader, into }) => {
      into.valid = reader.u8() === 1;
    }),
    ifBit(2 ** 10, ({ reader, into }) => {
      into.latitude = readDegrees(reader);
    }),
    ifBit(2 ** 11, ({ reader, into }) => {
      into.longitude = readDegrees(reader);
    }),
    ifBit(2 ** 12, ({ reader, into }) => {
      into.speed = (reader.u16() / 10) * KNOT_KMH;
    }),
    ifBit(2 ** 13, ({ reader, into }) => {
      into.course = reader.u16() / 10;
    }),
    ifBit(2 ** 14, ({ reader, into }) => {
      into.clock = three(reader);
    }),
    ifBit(2 ** 15, ({ reader, into }) => {
      into.altitude = (reader.u24() << 8) >> 8;
    }),
    ifBit(2 ** 16, u8('sat')),
    ifBit(2 ** 17, u16('batteryLevel', { max: 100 })),
    ifBit(2 ** 20, u32('tripOdometer')),
    ifBit(2 ** 21, u32('odometer')),
    ifBit(2 ** 22, skip(6)),
    ifBit(2 ** 24, u16('power', { divisor: 1000 })),
    ifBit(2 ** 25, skip(18)),
    ifBit(2 ** 26, skip(54)),
    ifBit(2 ** 28, u16('index')),
  ]),
]);

export function decode(frame: Uint8Array, { state, options }: DecodeContext<undefined>): Decoded<undefined> {
  const reader = new Reader(frame);
  const report = new Report();
  report.mask = readMask(reader, options);
  FIELDS(reader, report);
  if (report.id === '') throw new CodecError('bad-value', 'the report names no device');
  const [[day, month, year], [hour, minute, second]] = [report.date, report.clock];
  if (year !== undefined && second !== undefined) {
    const time = Date.UTC(2000 + year, month! - 1, day, hour, minute, second);
    if ((report.mask & PLACE) === PLACE) report.setFix(time, report.valid, report.latitude, report.longitude);
    else report.deviceTime = time;
  }
  return { state, messages: [{ type: 'login', ids: [report.id] }, report.toPosition()], replies: [] };
}
