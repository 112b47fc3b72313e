import { type DecodeContext, type Decoded, degreesFromDdmm, Reader } from '#codec';
import { ifInMask, layout, optionalTail, skip, u16, u32 } from '#codec/binary';
import { eventMessages } from './event.ts';
import { isEvent, readMask, withoutLength } from './head.ts';
import {
  ALTITUDE_AND_SATELLITES,
  INPUTS,
  idOf,
  LONG_ID,
  MOVEMENT,
  messagesOf,
  Report,
  STATUS,
  useMask,
  VALIDITY,
} from './report.ts';
import { decodeTT8850, isOfTT8850 } from './tt8850.ts';

/** Signed degrees and minutes in ten-thousandths. Negative ones are the complement of their magnitude. */
function readDegrees(reader: Reader): number {
  const raw = reader.i32();
  const degrees = degreesFromDdmm((raw < 0 ? ~raw : raw) / 10_000);
  return raw < 0 ? 0 - degrees : degrees;
}

const SHORT_ID = 2 ** 23;
const three = (reader: Reader): number[] => [reader.u8(), reader.u8(), reader.u8()];

/** Bits of the mask in the order of their fields. The long id is sent where the short one is not. */
const FIELDS = layout<Report>([
  useMask,
  optionalTail<Report>([
    STATUS,
    ifInMask(SHORT_ID, idOf(8)),
    (scope) => {
      if ((scope.mask & SHORT_ID) === 0) LONG_ID(scope);
    },
    ...INPUTS,
    ifInMask(2 ** 8, ({ reader, into }) => {
      into.date = three(reader);
    }),
    VALIDITY,
    ifInMask(2 ** 10, ({ reader, into }) => {
      into.latitude = readDegrees(reader);
    }),
    ifInMask(2 ** 11, ({ reader, into }) => {
      into.longitude = readDegrees(reader);
    }),
    ...MOVEMENT,
    ifInMask(2 ** 14, ({ reader, into }) => {
      into.clock = three(reader);
    }),
    ...ALTITUDE_AND_SATELLITES,
    ifInMask(2 ** 17, u16('batteryLevel', { max: 100 })),
    ifInMask(2 ** 20, u32('tripOdometer')),
    ifInMask(2 ** 21, u32('odometer')),
    ifInMask(2 ** 22, skip(6)),
    ifInMask(2 ** 24, u16('power', { divisor: 1000 })),
    ifInMask(2 ** 25, skip(18)),
    ifInMask(2 ** 26, skip(54)),
    ifInMask(2 ** 28, u16('index')),
  ]),
]);

export function decode(frame: Uint8Array, { state, options }: DecodeContext<undefined>): Decoded<undefined> {
  const event = withoutLength(frame);
  if (isOfTT8850(event)) return decodeTT8850(event);
  if (isEvent(event)) return { state, messages: eventMessages(event, options), replies: [] };
  const reader = new Reader(frame);
  const report = new Report();
  report.mask = readMask(reader, options);
  FIELDS(reader, report);
  return { state, messages: messagesOf(report), replies: [] };
}
