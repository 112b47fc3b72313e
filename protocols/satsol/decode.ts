import { crc16CcittFalse, type DecodeContext, type Decoded, decodedFor, type Message, Reader, Writer } from '#codec';
import {
  attr,
  coordinates,
  fixField,
  layout,
  lengthPrefixed,
  number,
  readPosition,
  skip,
  time,
  u8,
  validIf,
} from '#codec/binary';
import { HEADER_BYTES } from './frame.ts';

/** Checksums, type and the length of the further data, then the fix. */
const RECORD_BYTES = 30;
const FIXED_BYTES = RECORD_BYTES - 8;

/** The fix is valid for any number but 0. */
const RECORD = layout([
  skip(6),
  lengthPrefixed(
    'u16LE',
    [
      time('fix', 'u32LE'),
      coordinates('i32LE', 1e6),
      number('u16LE', fixField('speed', { divisor: 100 })),
      number('i16LE', fixField('altitude')),
      number('u16LE', fixField('course')),
      number('u8', validIf(0xff)),
      u8('sat'),
      u8('event'),
      number('u8', attr('archive', { mask: 0x01, lookup: { 1: true } })),
    ],
    FIXED_BYTES,
  ),
]);

/** The header of the message, without a length. */
function acknowledge(unit: number): Uint8Array {
  const content = new Writer(10).u16LE(0x4cbf).u32LE(unit).u16LE(0).finish();
  return new Writer(10).u16LE(crc16CcittFalse(content)).raw(content).finish();
}

/** A message without records is a heartbeat. */
export function decode(bytes: Uint8Array, { state }: DecodeContext<undefined>): Decoded<undefined> {
  const reader = new Reader(bytes, 4);
  const unit = reader.u32LE();
  reader.skip(HEADER_BYTES - 8);
  const messages: Message[] = [];
  while (reader.remaining >= RECORD_BYTES) messages.push(readPosition(RECORD, reader));
  if (messages.length === 0) messages.push({ type: 'heartbeat' });
  return decodedFor(String(unit), { messages, reply: acknowledge(unit) }, state);
}
