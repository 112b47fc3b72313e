import {
  CodecError,
  type DecodeContext,
  type Decoded,
  decodedFor,
  fromLatin1,
  type Message,
  Reader,
  textAnswer,
  toLatin1,
} from '#codec';
import { TextRecord, utcToDdmmyyHhmmss } from '#codec/text';
import { readLong, readSensor, readShort } from './records.ts';
import { EVENT, PORTABLE, REPORT, TYPE } from './tables.ts';

const OPEN = 0x28;
const NEWER_ACKNOWLEDGEMENT = 0x19;
const REPLIES: Readonly<Record<string, string>> = { U01: '(S39)', U02: '(S39)', U03: '(S39)', U06: '(S20)' };

const received = (index: number): Uint8Array => fromLatin1(`(P69,0,${index})`);

/** One id for a device, in whichever form its messages are. */
const withoutZeros = (digits: string): string => digits.replace(/^0+(?=\d)/, '');

function decodeBinary(frame: Uint8Array, state: undefined): Decoded<undefined> {
  const reader = new Reader(frame, 1, frame.length - 1);
  const digits = reader.hex(5);
  if (!/^\d+$/.test(digits)) throw new CodecError('bad-value', 'no device id', 1);
  const id = withoutZeros(digits);
  const version = reader.u8();
  // in a message of two bytes for version and type, the first byte of the length is zero
  const isLong = reader.peekU8(1) === 0;
  const kind = isLong ? reader.u8() & 0x0f : 0;
  reader.skip(2);
  const index = frame.at(-1)!;
  if (!isLong) return decodedFor(id, { messages: readShort(reader, version >> 4) }, state);
  const { position, needsReply } = readLong(reader, kind, index);
  const messages: Message[] = [position];
  if (!needsReply) return decodedFor(id, { messages }, state);
  const reply = version < NEWER_ACKNOWLEDGEMENT ? fromLatin1('(P35)') : received(index);
  return decodedFor(id, { messages, reply }, state);
}

/** Messages that are no report: of the gateway of sensors, requests, heartbeats, answers. */
function decodeOther(frame: Uint8Array, id: string, text: string, { state, now }: DecodeContext<undefined>) {
  const fields = text.slice(1, -1).split(',');
  const [, type = '', what] = fields;
  if (fields[3] === 'WLNET' && fields[4] === '5') {
    const { position, index } = readSensor(frame, fields.slice(0, 6).join(',').length + 2);
    return decodedFor(id, { messages: [position], reply: received(index) }, state);
  }
  const messages: Message[] = [{ type: 'heartbeat' }];
  if (type === 'P22')
    return decodedFor(id, { messages, reply: fromLatin1(`(P22,${utcToDdmmyyHhmmss(now).join('')})`) }, state);
  if (type === 'P52' && what === '2')
    return decodedFor(id, { messages, reply: fromLatin1(`(P52,2,${fields[3] ?? ''})`) }, state);
  if (type === 'U04' || type === '@JT') return decodedFor(id, { messages }, state);
  if (/^[PS]\d\d$/.test(type)) return decodedFor(id, { messages: [textAnswer(text)] }, state);
  throw new CodecError('unknown-type', `message ${type.slice(0, 20)} is not known`);
}

export function decode(frame: Uint8Array, context: DecodeContext<undefined>): Decoded<undefined> {
  const { state } = context;
  if (frame[0] !== OPEN) return decodeBinary(frame, state);
  const text = toLatin1(frame);
  const digits = /^\((\d{10}),/.exec(text)?.[1];
  if (digits === undefined) throw new CodecError('bad-text', 'no device id', 1);
  const id = withoutZeros(digits);
  for (const read of [REPORT, EVENT, PORTABLE]) {
    const record = new TextRecord();
    if (read(text, record) < 0) continue;
    const messages = [positionOf(record)];
    const type = String(record.variables[TYPE]);
    if (type === 'P45')
      return decodedFor(id, { messages, reply: received(Number(record.draft.attributes['index'])) }, state);
    const reply = REPLIES[type];
    return decodedFor(id, reply === undefined ? { messages } : { messages, reply: fromLatin1(reply) }, state);
  }
  return decodeOther(frame, id, text, context);
}

/** A receiver that has not found a place yet sends zeros. */
function positionOf(record: TextRecord): Message {
  if (!record.valid && record.latitude === 0 && record.longitude === 0) record.latitude = undefined;
  return record.toPosition();
}
