import {
  type DecodeContext,
  type Decoded,
  Draft,
  degreesFromMinutes,
  type Message,
  Reader,
  storedReply,
  Writer,
  xor8,
} from '#codec';
import {
  alarmsByMask,
  attr,
  bcdTime,
  type Condition,
  choose,
  type Field,
  fix,
  flagByMask,
  inOrder,
  layout,
  number,
  optionalTail,
  skip,
  u8,
  u32,
  validIf,
} from '#codec/binary';
import { HEADER_BYTES, TAIL_BYTES } from './frame.ts';
import { identityOf } from './identity.ts';

const ALARM = 0x82;
const POSITIONS: ReadonlySet<number> = new Set([0x80, 0x81, ALARM, 0x8e]);

/** Degrees, minutes and thousandths in eight decimal digits; the first flagByMask is that of the south or the west. */
const coordinate =
  (property: 'latitude' | 'longitude'): Field =>
  ({ reader, into }) => {
    const sign = reader.peekU8() & 0x80;
    const digits = Number((reader.u32() & 0x7fff_ffff).toString(16));
    const degrees = degreesFromMinutes(Math.trunc(digits / 100_000), (digits % 100_000) / 1_000);
    into[property] = sign === 0 ? degrees : 0 - degrees;
  };

/** A whole number and its hundredths, under each of the names. */
const hundredths =
  (...keys: string[]): Field =>
  ({ reader, into }) => {
    const value = reader.u8() + reader.u8() / 100;
    for (const key of keys) into.attributes[key] = value;
  };

const DATE_BYTES = 6;
const isDecimal = (byte: number): boolean => byte >> 4 < 10 && (byte & 0x0f) < 10;
/** A clock that is not set sends half bytes that are not digits. */
const hasDate: Condition = ({ reader }) =>
  reader.bytes.subarray(reader.offset, reader.offset + DATE_BYTES).every(isDecimal);

const PLACE = [
  bcdTime('fix'),
  coordinate('latitude'),
  coordinate('longitude'),
  fix.speed('bcd16'),
  fix.course('bcd16'),
  number('u8', validIf(0x80), attr('sat', { mask: 0x0f })),
];
const PLACE_BYTES = 19;

/** Inputs, the key, the resistance of an oil sensor, the supply (which was called adc2 first), meters. */
const VALUES = [
  u8('status'),
  number('u8', attr('key'), flagByMask(0x01, 'ignition')),
  hundredths('adc1'),
  hundredths('adc2', 'power'),
  u32('odometer'),
];

const ALARM_BYTES = 2;
/** A second byte of this value stands for no sensor; what other values of the first byte mean is not known. */
const NO_SENSOR = 0xff;
const temperature: Field = ({ reader, into }) => {
  const [first, degrees] = [reader.u8(), reader.u8()];
  if (first === 0 && degrees !== NO_SENSOR) into.attributes['temp1'] = degrees;
};

const POSITION = inOrder([choose([[hasDate, PLACE]], skip(PLACE_BYTES)), VALUES]);

const DRIVING = alarmsByMask([
  [0x01, 'hardAcceleration'],
  [0x02, 'hardBraking'],
  [0x04, 'hardCornering'],
]);
const ALARMS = [
  number(
    'u8',
    alarmsByMask([
      [0x01, 'hardBraking'],
      [0x20, 'hardAcceleration'],
    ]),
  ),
  number(
    'u8',
    alarmsByMask([
      [0x01, 'sos'],
      [0x02, 'overspeed'],
      [0x10, 'hardCornering'],
      [0x20, 'vibration'],
    ]),
  ),
];

const REPORT = layout(POSITION);
const NEWER_TAIL = layout(optionalTail([skip(4), number('u8', DRIVING)]));
const OLDER_TAIL = layout(optionalTail([temperature]));
const ALARM_TAIL = layout(optionalTail(ALARMS));

function readReport(reader: Reader, type: number, isNewer: boolean): Message {
  const draft = new Draft();
  REPORT(reader, draft);
  // alarms come last
  const alarms = reader.end - (type === ALARM ? ALARM_BYTES : 0);
  const tail = reader.slice(Math.max(0, alarms - reader.offset));
  if (isNewer) NEWER_TAIL(tail, draft);
  else OLDER_TAIL(tail, draft);
  if (type === ALARM) ALARM_TAIL(reader, draft);
  return draft.toPosition();
}

/** The checksum and the type of the message. */
function acknowledge(type: number, checksum: number): Uint8Array {
  const writer = new Writer(10).hex('2424').u8(0x21).u16(5).u8(checksum).u8(type).u8(0);
  return writer.u8(xor8(writer.finish(), 2)).u8(0x0d).finish();
}

export function decode(bytes: Uint8Array, { state }: DecodeContext<undefined>): Decoded<undefined> {
  const end = bytes.length - TAIL_BYTES;
  const reader = new Reader(bytes, HEADER_BYTES, end);
  const type = bytes[2]!;
  const identity = identityOf(bytes.subarray(HEADER_BYTES, end));
  const messages: Message[] = identity === undefined ? [] : [{ type: 'login', ids: identity.ids }];
  reader.skip(identity?.bytes ?? 0);
  messages.push(POSITIONS.has(type) ? readReport(reader, type, identity?.isImei ?? false) : { type: 'heartbeat' });
  return { state, messages, replies: [storedReply(acknowledge(type, bytes[end]!))] };
}
