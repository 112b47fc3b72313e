import { type DecodeContext, type Decoded, Draft, decodedFor, type Message, Reader, textAnswer } from '#codec';
import {
  alarmsByMask,
  binaryTime,
  type Field,
  fix,
  fixNumber,
  flagByMask,
  layout,
  number,
  optionalTail,
  skip,
  u8,
  u16,
  validIf,
} from '#codec/binary';
import { TAIL_BYTES } from './frame.ts';

const POSITION = 0x10;
const HEARTBEAT = 0x1a;
const ANSWER = 0x1c;

/** highest of the seven levels, 0 to 6, of the battery */
const FULL = 6;
/** ten thousandths of a minute, in three parts */
const PER_DEGREE = 1_800_000;
const NORTH = 0x02;
const EAST = 0x04;

/** Coordinates have no sign: two flags at the end do. The others: charging, the SOS button, a supply that was cut off. */
const status = number(
  'u32',
  validIf(0x01),
  (raw, { into }) => {
    if ((raw & NORTH) === 0) into.latitude = 0 - into.latitude;
    if ((raw & EAST) === 0) into.longitude = 0 - into.longitude;
  },
  flagByMask(0x08, 'charge'),
  alarmsByMask([
    [0x10, 'sos'],
    [0x20, 'powerCut'],
  ]),
);
const coordinate = (property: 'latitude' | 'longitude'): Field =>
  number('u32', fixNumber(property, { divisor: PER_DEGREE }));

const FIX = layout([
  binaryTime('fix'),
  coordinate('latitude'),
  coordinate('longitude'),
  fix.speed('u8'),
  fix.course('u16'),
  skip(3),
  status,
]);

/** Whether there is a fix, the number of satellites, the signal level of each. */
const SATELLITES = layout(optionalTail([skip(1), u8('satVisible')]));

/** Levels of battery and radio, the IMEI, a serial: what every message has. */
const HEAD = layout([
  u8('batteryLevel', { factor: 100, divisor: FULL, truncate: true }),
  u8('rssi'),
  skip(8),
  u16('index'),
]);

/** Heartbeats are answered. */
const HEARTBEAT_ANSWER = Uint8Array.of(0x54, 0x68, HEARTBEAT, 0x0d, 0x0a);

function readContent(type: number, reader: Reader, draft: Draft): Message[] {
  if (type === POSITION) FIX(reader, draft);
  else if (type === HEARTBEAT) SATELLITES(reader, draft);
  else if (type === ANSWER) {
    const text = reader.latin1(reader.u8());
    draft.attributes['result'] = text;
    return [draft.toPosition(), textAnswer(text)];
  }
  return [draft.toPosition()];
}

export function decode(bytes: Uint8Array, { state }: DecodeContext<undefined>): Decoded<undefined> {
  const reader = new Reader(bytes, 3, bytes.length - TAIL_BYTES);
  const draft = new Draft();
  const imei = new Reader(bytes, 5).hex(8).slice(1);
  HEAD(reader, draft);
  const type = reader.u8();
  const messages = readContent(type, reader, draft);
  return decodedFor(imei, type === HEARTBEAT ? { messages, reply: HEARTBEAT_ANSWER } : { messages }, state);
}
