import { CodecError, type DecodeContext, type Decoded, type Message, Reader, type Reply, Writer } from '#codec';
import { bodyStart, DATA, KEEP_ALIVE, LOGIN } from './frame.ts';
import { type Blocks, readRecords } from './records.ts';
import { readText } from './values.ts';

const [OK, REFUSED] = [0, 1];

const reply = (bytes: Uint8Array, code: number, when: Reply['when'] = 'stored'): Reply => ({
  when,
  bytes: new Writer(5).u16(0x4040).u8(code).u8(bytes[3]!).u8(bytes[4]!).finish(),
});

export function decode(bytes: Uint8Array, { state }: DecodeContext<Blocks | undefined>): Decoded<Blocks | undefined> {
  const type = bytes[2];
  if (bytes.length < 5 || type === undefined) throw new CodecError('truncated', 'a header of five bytes');
  if (type === KEEP_ALIVE) return { state, messages: [{ type: 'heartbeat' }], replies: [reply(bytes, OK)] };
  const reader = new Reader(bytes, bytes.length > 5 ? bodyStart(bytes) : 5, bytes.length - 2);
  if (type === LOGIN)
    return { state, messages: [readLogin(reader)], replies: [reply(bytes, OK), reply(bytes, REFUSED, 'refused')] };
  if (type !== DATA) throw new CodecError('unknown-type', `type ${type}`, 2);
  return { ...readRecords(reader, state), replies: [reply(bytes, OK)] };
}

const [SHORT, LONG, LARGE, TEXT] = [1, 2, 3, 5];

/** Version, the kinds of id and password, then both. */
function readLogin(reader: Reader): Message {
  reader.skip(1);
  const kinds = reader.u8();
  const id = readCredential(reader, kinds >> 4);
  if (id === undefined) throw new CodecError('bad-value', `kind ${kinds >> 4} of an id`, reader.offset);
  if (!/^[A-Za-z0-9._:-]{1,64}$/.test(id)) throw new CodecError('bad-text', 'no device id');
  const password = readCredential(reader, kinds & 0x0f);
  return password === undefined || password === ''
    ? { type: 'login', ids: [id] }
    : { type: 'login', ids: [id], password };
}

/** Undefined for a kind that the document does not have; 0 is an absent password. */
function readCredential(reader: Reader, kind: number): string | undefined {
  if (kind === SHORT) return String(reader.u16());
  if (kind === LONG) return String(reader.u32());
  if (kind === LARGE) return String(reader.u64());
  return kind === TEXT ? readText(reader) : undefined;
}

/** A packet that verifies is the device's no more, whatever is in it. */
export const acknowledgeUndecoded = (bytes: Uint8Array): readonly Reply[] =>
  bytes.length >= 5 && bytes[2] === DATA ? [reply(bytes, OK)] : [];
