import {
  CodecError,
  type DecodeContext,
  type Decoded,
  Draft,
  decodedFor,
  degreesFromDdmm,
  KNOT_KMH,
  type Message,
  Reader,
  withHemisphere,
} from '#codec';
import { utcFromDdmmyyHhmmss } from '#codec/text';
import { CRC_BYTES, HEADER_BYTES, imeiOf } from './frame.ts';

const LEVELS: ReadonlySet<number> = new Set([4, 8]);
const POSITION = 17;
const TYPE_MASK = 0x3f;

/** count, hours, energy, logger speed, login time, minutes */
const LOGGER_HEAD_BYTES = 9;
const RECORD_BYTES = 4;
const ECHO_MASK = 0x0f;

/** Behind product and versions: why the unit calls, its alarms, the signal. */
function readHead(bytes: Uint8Array, draft: Draft): void {
  const [, , , reason, status, rssi] = bytes;
  Object.assign(draft.attributes, { event: reason, status, rssi });
  if ((reason! & CALLS_FOR_ALARM) !== 0) draft.addAlarm('general');
}

const CALLS_FOR_ALARM = 0x02;

/**
 * The newest level: strength of the echo, half degrees from -30 °C, quality of the echo in four bits, the distance from
 * the sensor to the surface in ten. Head and 28 records fill the message.
 */
function readLevel(reader: Reader, draft: Draft): Message[] {
  if (reader.remaining < LOGGER_HEAD_BYTES) throw new CodecError('truncated', `${reader.remaining} bytes of a logger`);
  reader.skip(LOGGER_HEAD_BYTES);
  if (reader.remaining >= RECORD_BYTES) {
    draft.attributes['rssi1'] = reader.u8() & ECHO_MASK;
    draft.attributes['temp1'] = (reader.u8() >> 1) - 30;
    const level = reader.u16();
    draft.attributes['src1'] = (level >> 10) & 0x0f;
    draft.attributes['ullage1'] = level & 0x03ff;
  }
  return [draft.toPosition()];
}

const NUMBER = '(\\d{1,6}(?:\\.\\d{1,6})?)';
/** number of the message, time, latitude, longitude, dilution, altitude, mode, course, km/h, knots, date, satellites */
const FIX = new RegExp(
  `^,\\d{1,6},(\\d{6})\\.\\d{1,3},(\\d{4}\\.\\d{1,6})([NS]),(\\d{5}\\.\\d{1,6})([EW]),${NUMBER},${NUMBER},(\\d),${NUMBER},${NUMBER},${NUMBER},(\\d{6}),(\\d{1,2}),`,
);

function readFix(text: string, draft: Draft): Message[] {
  const [, clock, latitude, north, longitude, east, hdop, altitude, mode, course, , knots, date, sat] =
    FIX.exec(text) ?? [];
  if (sat === undefined) return [];
  Object.assign(draft.attributes, { hdop: Number(hdop), sat: Number(sat) });
  draft.setFix(
    utcFromDdmmyyHhmmss(date!, clock!),
    Number(mode) > 0,
    withHemisphere(degreesFromDdmm(Number(latitude)), north!),
    withHemisphere(degreesFromDdmm(Number(longitude)), east!),
  );
  draft.setMovement(Number(altitude), Number(knots) * KNOT_KMH, Number(course));
  return [draft.toPosition()];
}

function read(bytes: Uint8Array): Message[] {
  const type = bytes[15]! & TYPE_MASK;
  const reader = new Reader(bytes, HEADER_BYTES, bytes.length - CRC_BYTES);
  const draft = new Draft();
  readHead(bytes, draft);
  if (LEVELS.has(type)) return readLevel(reader, draft);
  return type === POSITION ? readFix(reader.latin1(), draft) : [];
}

export function decode(bytes: Uint8Array, { state }: DecodeContext<undefined>): Decoded<undefined> {
  if (bytes.length < HEADER_BYTES + CRC_BYTES) throw new CodecError('truncated', `${bytes.length} bytes of a message`);
  return decodedFor(imeiOf(bytes), { messages: read(bytes) }, state);
}
