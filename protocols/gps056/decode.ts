import {
  CodecError,
  calendarReader,
  type DecodeContext,
  type Decoded,
  Draft,
  decodedFor,
  degreesFromDdmm,
  fromLatin1,
  handlerOf,
  Reader,
  readOptional,
  toLatin1,
  Writer,
  withHemisphere,
} from '#codec';
import { i16LE, layout, u8 } from '#codec/binary';
import { CONTENT_AT, ID_AT, TYPE_AT } from './frame.ts';

const TYPE_LETTERS = 4;
const NO_SPEED = 0xff;
const IMEI = /^\d{15}$/;
const MILLIVOLTS = { factor: 506, divisor: 100 };

const readTime = calendarReader('dMyHms');
const STATUS = layout([u8('input'), u8('output'), i16LE('adc1', MILLIVOLTS), u8('sat'), u8('rssi')]);

/** Degrees and minutes, ten-thousandths of a minute, letter of the hemisphere. */
function readDegrees(reader: Reader): number {
  const degrees = degreesFromDdmm(reader.u16() + reader.u16() / 10_000);
  return withHemisphere(degrees, reader.latin1(1));
}

function readFix(reader: Reader, draft: Draft): void {
  const time = readTime(reader);
  const latitude = readDegrees(reader);
  draft.setFix(time, true, latitude, readDegrees(reader));
  const speed = reader.u8();
  // not known: sent without satellites
  if (speed !== NO_SPEED) draft.speed = speed;
  draft.course = reader.u16();
}

/** What stands before the id in an answer, by the type without its last three characters. */
const ANSWERS: Readonly<Record<string, string>> = { LOGN: 'LGSA', GPSL: 'GPSA', SYNC: 'SYSA' };

export function decode(frame: Uint8Array, { state }: DecodeContext<undefined>): Decoded<undefined> {
  const type = toLatin1(frame, TYPE_AT, TYPE_AT + TYPE_LETTERS);
  const answer = handlerOf(ANSWERS, type, TYPE_AT);
  const id = toLatin1(frame, ID_AT, CONTENT_AT);
  if (!IMEI.test(id)) throw new CodecError('bad-text', 'no device id', ID_AT);
  const reply = new Writer().latin1(`*${answer}`).raw(frame.subarray(TYPE_AT + TYPE_LETTERS, CONTENT_AT));
  const reader = new Reader(frame, CONTENT_AT, frame.length - 1);
  const draft = new Draft();
  if (type === 'LOGN') {
    if (reader.remaining > 0) draft.attributes['versionFw'] = reader.latin1();
    reply.latin1('1');
  } else {
    if (type === 'GPSL') readFix(reader, draft);
    readOptional(() => {
      STATUS(reader, draft);
      if (type === 'GPSL') reply.raw(reader.view(2));
    });
  }
  reply.raw(fromLatin1('#'));
  const messages = draft.isEmpty ? [] : [draft.toPosition()];
  return decodedFor(id, { messages, reply: reply.finish() }, state);
}
