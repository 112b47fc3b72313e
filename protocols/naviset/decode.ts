import { CodecError, type DecodeContext, type Decoded, type Message, Reader, storedReply, Writer } from '#codec';
import { readPositions } from '#codec/binary';
import { bytesOf, earlierRecordOf } from './earlier.ts';
import { HEAD_BYTES, isEarlier, kindOf, LOGIN, RECORDS } from './frame.ts';
import { recordOf } from './tables.ts';

const IMEI = /^\d{15}$/;
const CRC_BYTES = 2;
const ACCEPTED = 0x01;

function readLogin(reader: Reader): Message[] {
  const imei = reader.latin1(15);
  if (!IMEI.test(imei)) throw new CodecError('bad-text', 'no IMEI', HEAD_BYTES);
  return [{ type: 'login', ids: [imei] }];
}

/** Which blocks there are, then records to the end. */
function readRecords(reader: Reader): Message[] {
  return readPositions(recordOf(reader.u8()), reader);
}

/** What each record of the message consists of, then records to the end. */
function readEarlierRecords(reader: Reader): Message[] {
  const mask = reader.u16LE();
  if (reader.remaining % bytesOf(mask) !== 0)
    throw new CodecError('bad-length', 'records do not end with the message', reader.offset);
  return readPositions(earlierRecordOf(mask), reader);
}

function read(bytes: Uint8Array): Message[] {
  const reader = new Reader(bytes, HEAD_BYTES, bytes.length - CRC_BYTES);
  if (kindOf(bytes) === LOGIN) return readLogin(reader);
  if (kindOf(bytes) !== RECORDS || reader.remaining === 0) return [];
  return isEarlier(bytes) ? readEarlierRecords(reader) : readRecords(reader);
}

/** Answered with the checksum of the message. */
export function decode(bytes: Uint8Array, { state }: DecodeContext<undefined>): Decoded<undefined> {
  const messages = read(bytes);
  if (messages.length === 0) messages.push({ type: 'heartbeat' });
  const reply = new Writer(3).u8(ACCEPTED).raw(bytes.subarray(-CRC_BYTES)).finish();
  return { state, messages, replies: [storedReply(reply)] };
}
