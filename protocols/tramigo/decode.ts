import {
  CodecError,
  type DecodeContext,
  type Decoded,
  Draft,
  decodedFor,
  fromLatin1,
  Reader,
  readOptional,
  Writer,
} from '#codec';
import { attr, fix, flagByMask, layout, number, setValid, skip, u8, u16LE } from '#codec/binary';
import { BINARY, CHECKSUM_AT, checksumOf } from './frame.ts';
import { readText } from './text.ts';

const IGNITION = 0x20;

/** Block 0: an event where the device is. */
const EVENT = layout([
  u16LE('event'),
  skip(4),
  number('u16LE', attr('status'), flagByMask(IGNITION, 'ignition')),
  fix.coordinates('i32LE', 100_000),
  fix.speed('u16LE'),
  fix.course('u16LE'),
  u8('rssi'),
  u8('gps'),
  u8('batteryLevel'),
  u16LE('tripOdometer'),
  number('u16LE', attr('maxAcceleration', { divisor: 1_000 })),
  number('u16LE', attr('maxDeceleration', { divisor: 1_000 })),
  // bearing and distance of a landmark
  skip(6),
  fix.time('u32LE'),
  setValid(true),
  skip(1),
]);

/** Sizes of blocks whose contents are not known; those with a length count it, and their type. */
const SIZES: Readonly<Record<number, number>> = { 4: 53, 20: 32, 30: 79, 40: 40, 255: 4 };
const [EVENT_BLOCK, LANDMARK, ZONE, LANDMARKS] = [0, 1, 22, 50];

export function decode(bytes: Uint8Array, { state, now }: DecodeContext<undefined>): Decoded<undefined> {
  return bytes[0] === BINARY ? decodeBinary(bytes, state) : decodeText(bytes, state, now);
}

function decodeBinary(bytes: Uint8Array, state: undefined): Decoded<undefined> {
  const reader = new Reader(bytes, CHECKSUM_AT + 2);
  const index = reader.u16LE();
  const id = String(reader.u32LE()).padStart(8, '0') + String(reader.u32LE()).padStart(7, '0');
  const draft = new Draft();
  draft.attributes['index'] = index;
  const clock = reader.u32LE() * 1_000;
  readOptional(() => {
    while (reader.remaining > 0) readBlock(draft, reader);
  });
  draft.deviceTime = clock;
  return decodedFor(id, { messages: [draft.toPosition()], reply: acknowledge(bytes, index) }, state);
}

function readBlock(draft: Draft, reader: Reader): void {
  const type = reader.u8();
  if (type === EVENT_BLOCK) EVENT(reader, draft);
  else if (type === LANDMARK || type === LANDMARKS) reader.skip(Math.max(0, reader.u16LE() - 3));
  else if (type === ZONE) {
    reader.skip(1);
    reader.skip(reader.u16LE());
  } else if (SIZES[type] === undefined) throw new CodecError('unknown-type', `block ${type}`, reader.offset - 1);
  else reader.skip(SIZES[type]);
}

const REPLY_BYTES = 24;

/** Ids, index and time of the report, and a block that names the index. */
function acknowledge(report: Uint8Array, index: number): Uint8Array {
  const writer = new Writer(REPLY_BYTES).u8(BINARY).u16LE(REPLY_BYTES).u16LE(0).raw(report.subarray(5, 19));
  const reply = writer.u8(0xff).u16LE(index).u16LE(0).finish();
  const checksum = checksumOf(reply);
  reply[CHECKSUM_AT] = checksum & 0xff;
  reply[CHECKSUM_AT + 1] = checksum >> 8;
  return reply;
}

const TEXT_AT = 20;

function decodeText(bytes: Uint8Array, state: undefined, now: number): Decoded<undefined> {
  const reader = new Reader(bytes, 2);
  const index = reader.u16();
  reader.skip(8);
  const id = String(reader.u32());
  const clock = reader.u32LE() * 1_000;
  const message = readText(
    reader.latin1(bytes.length - TEXT_AT),
    index,
    clock > 0 && clock < now + DAY_MS ? clock : now,
  );
  return decodedFor(id, { messages: [message], reply: fromLatin1(`gprs,ack,${index}`) }, state);
}

const DAY_MS = 86_400_000;
