import { crc16CcittFalse, type DecodeContext, type Decoded, decodedFor, type Message, Reader, Writer } from '#codec';
import {
  attr,
  type Field,
  type FieldList,
  fix,
  type Layout,
  layout,
  lengthPrefixed,
  number,
  optionalTail,
  readPosition,
  skip,
  u8,
  u16LE,
  validIf,
} from '#codec/binary';
import { HEADER_BYTES, LITE, preambleOf } from './frame.ts';
import { readPackets } from './lite.ts';

/** Checksum, number, type and the length of the further data, then the fix. */
const RECORD_BYTES = 30;
const FIXED_BYTES = RECORD_BYTES - 8;

const ARCHIVE = 0x01;
const SOUTH = 0x40;
const WEST = 0x80;

/** Coordinates have no sign: two flags do, as in the vendor's older containers. */
const flags = number('u8', attr('archive', { mask: ARCHIVE, lookup: { 1: true } }), (raw, { into }) => {
  if ((raw & SOUTH) !== 0) into.latitude = 0 - Math.abs(into.latitude);
  if ((raw & WEST) !== 0) into.longitude = 0 - Math.abs(into.longitude);
});

/** The fix is valid for any number but 0. */
const FIX = [
  fix.time('u32LE'),
  fix.coordinates('i32LE', 1e6),
  fix.speed('u16LE', { divisor: 100 }),
  fix.altitude('i16LE'),
  fix.course('u16LE'),
  number('u8', validIf(0xff)),
  u8('sat'),
  u8('event'),
  flags,
];

const MAX_TEXT_BYTES = 32;
/** Text to a zero. */
const textUnder =
  (key: string): Field =>
  ({ reader, into }) => {
    const at = reader.offset;
    const [text = ''] = reader.latin1(Math.min(MAX_TEXT_BYTES, reader.remaining)).split('\0', 1);
    reader.offset = Math.min(at + text.length + 1, reader.end);
    if (text !== '' && key !== '') into.attributes[key] = text;
  };

/** Hundredths of a volt. */
const SUPPLY = [u16LE('power', { divisor: 100 }), skip(2), u16LE('battery', { divisor: 100 })];
/** The signal; the IMEI, the numbers of the SIM card and of its owner, the network. */
const MODEM = [skip(1), u8('rssi'), textUnder(''), textUnder('iccid'), textUnder(''), textUnder('operator')];

/** Data behind the fix by the type of the record; those of other types are passed over. */
const FURTHER: Readonly<Record<number, FieldList>> = { 0x03: MODEM, 0x20: SUPPLY };

const recordOf = (further: FieldList): Layout =>
  layout([skip(2), u16LE('index'), skip(2), lengthPrefixed('u16LE', [FIX, optionalTail(further)], FIXED_BYTES)]);

const RECORD = recordOf([]);
const RECORDS = new Map(Object.entries(FURTHER).map(([type, further]) => [Number(type), recordOf(further)]));

const TYPE_AT = 4;
const typeAt = ({ bytes, offset }: Reader): number => bytes[offset + TYPE_AT]! | (bytes[offset + TYPE_AT + 1]! << 8);

/** The header of the message, without a length. */
function acknowledge(preamble: number, unit: number): Uint8Array {
  const content = new Writer(10).u16LE(preamble).u32LE(unit).u16LE(0).finish();
  return new Writer(10).u16LE(crc16CcittFalse(content)).raw(content).finish();
}

/** A message without records is a heartbeat. */
export function decode(bytes: Uint8Array, { state }: DecodeContext<undefined>): Decoded<undefined> {
  const reader = new Reader(bytes, 4);
  const unit = reader.u32LE();
  reader.skip(HEADER_BYTES - 8);
  const preamble = preambleOf(bytes);
  const messages = preamble === LITE ? readPackets(reader) : readRecords(reader);
  if (messages.length === 0) messages.push({ type: 'heartbeat' });
  return decodedFor(String(unit), { messages, reply: acknowledge(preamble, unit) }, state);
}

function readRecords(reader: Reader): Message[] {
  const messages: Message[] = [];
  while (reader.remaining >= RECORD_BYTES) messages.push(readPosition(RECORDS.get(typeAt(reader)) ?? RECORD, reader));
  return messages;
}
