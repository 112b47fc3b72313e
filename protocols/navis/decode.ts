import {
  CodecError,
  crc8Nrsc5,
  type DecodeContext,
  type Decoded,
  type Draft,
  type Message,
  Reader,
  type Reply,
  statusPosition,
  storedReply,
  textAnswer,
  toLatin1,
  Writer,
  xor8,
} from '#codec';
import { newReader, readExtra, readRecords } from './flex.ts';
import { FIELD_BYTES } from './flex-values.ts';
import { FLEX, HEADER_BYTES, NTCB } from './frame.ts';
import { readRecord } from './record.ts';
import type { State } from './state.ts';

export function decode(bytes: Uint8Array, { state }: DecodeContext<State>): Decoded<State> {
  if (bytes[0] === FLEX) return decodeFlex(bytes, state);
  if (bytes[0] !== NTCB || bytes.length < HEADER_BYTES) throw new CodecError('truncated', 'no header', 0);
  return decodeNtcb(bytes, state);
}

/** The header of the request, with sender and receiver changed over. */
export function seal(head: Uint8Array, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES + data.length);
  for (let at = 0; at < 4; at++) {
    bytes[at] = head[at]!;
    bytes[4 + at] = head[8 + at]!;
    bytes[8 + at] = head[4 + at]!;
  }
  bytes[12] = data.length;
  bytes[13] = data.length >> 8;
  bytes[14] = xor8(data);
  bytes[15] = xor8(bytes, 0, 15);
  bytes.set(data, HEADER_BYTES);
  return bytes;
}

const positionsOf = (drafts: readonly Draft[]): Message[] =>
  drafts.filter((draft) => !draft.isEmpty).map((draft) => draft.toPosition());

const [STAR, HASH, COLON, GREATER, AT] = [0x2a, 0x23, 0x3a, 0x3e, 0x40];
const LETTER = { A: 0x41, F: 0x46, S: 0x53, T: 0x54 } as const;
/** `*<T` */
const TAKEN = Uint8Array.of(0x2a, 0x3c, 0x54);
const IMEI = /^[A-Za-z0-9._:-]{1,64}$/;

function decodeNtcb(bytes: Uint8Array, state: State): Decoded<State> {
  const data = bytes.subarray(HEADER_BYTES);
  const answer = (content: Writer): Reply[] => [storedReply(seal(bytes, content.finish()))];
  if (data[0] !== STAR) return { state, messages: [{ type: 'heartbeat' }], replies: [] };
  if (data[1] === AT || data[1] === HASH) {
    const text = toLatin1(data);
    return {
      state,
      messages: [statusPosition({ result: text }), textAnswer(text)],
      replies: [],
    };
  }
  switch (data[1] === GREATER ? (data[2] ?? 0) : 0) {
    case LETTER.S:
      return login(data, state, answer);
    case LETTER.T: {
      const { draft, index } = readRecord(new Reader(data, 3));
      return { state, messages: positionsOf([draft]), replies: answer(new Writer(7).raw(TAKEN).u32LE(index)) };
    }
    case LETTER.A: {
      const reader = new Reader(data, 3);
      const count = reader.u8();
      const drafts: Draft[] = [];
      for (let n = 0; n < count; n++) drafts.push(readRecord(reader).draft);
      return { state, messages: positionsOf(drafts), replies: answer(new Writer(8).latin1('*<A').u8(count)) };
    }
    case LETTER.F:
      return negotiate(data, state, answer);
    default:
      return { state, messages: [{ type: 'heartbeat' }], replies: [] };
  }
}

function login(data: Uint8Array, state: State, answer: (content: Writer) => Reply[]): Decoded<State> {
  // `*>S:` and the id
  const id = data[3] === COLON ? toLatin1(data, 4) : '';
  if (!IMEI.test(id)) throw new CodecError('bad-text', 'no device id', HEADER_BYTES + 4);
  return { state, messages: [{ type: 'login', ids: [id] }], replies: answer(new Writer().latin1('*<S')) };
}

const OFFER_AT = 6;
const FLEX_VERSION = 0xb0;

/** The fields that the device has; they hold for the packages that follow. */
function negotiate(data: Uint8Array, state: State, answer: (content: Writer) => Reply[]): Decoded<State> {
  const reader = new Reader(data, OFFER_AT);
  if (reader.u8() !== FLEX_VERSION) return { state, messages: [{ type: 'heartbeat' }], replies: [] };
  const protocol = reader.u8();
  const structure = reader.u8();
  const count = reader.u8();
  const mask = reader.view(Math.ceil(count / 8));
  const fields: number[] = [];
  for (let field = 0; field < count; field++) {
    if (mask[field >> 3]! & (0x80 >> (field & 7))) fields.push(field);
  }
  const recordBytes = fields.reduce((bytes, field) => bytes + FIELD_BYTES[field]!, 0);
  const reply = new Writer().latin1('*<FLEX').u8(FLEX_VERSION).u8(protocol).u8(structure);
  return { state: { fields, recordBytes }, messages: [{ type: 'heartbeat' }], replies: answer(reply) };
}

/** Repeats the letter, and the count or the record's index. */
function confirm(bytes: Uint8Array, value: (writer: Writer) => Writer): Reply[] {
  const writer = value(new Writer(8).raw(bytes.subarray(0, 2)));
  const content = writer.finish();
  return [storedReply(writer.u8(crc8Nrsc5(content)).finish())];
}

function decodeFlex(bytes: Uint8Array, state: State): Decoded<State> {
  if (bytes.length < 4 || state.recordBytes === 0) throw new CodecError('bad-value', 'no fields were agreed on', 0);
  const { drafts, replies } = readFlex(bytes, state);
  return { state, messages: positionsOf(drafts), replies };
}

function readFlex(bytes: Uint8Array, state: State): { drafts: readonly Draft[]; replies: Reply[] } {
  const reader = newReader(bytes);
  const letter = String.fromCharCode(bytes[1]!);
  if (letter === 'A' || letter === 'E') {
    const count = reader.u8();
    const replies = confirm(bytes, (writer) => writer.u8(count));
    if (letter === 'A') return { drafts: readRecords(reader, count, state), replies };
    return { drafts: Array.from({ length: count }, () => readExtra(reader)).flat(), replies };
  }
  // The current state has no index; its answer is the letter alone.
  if (letter === 'C') return { drafts: readRecords(reader, 1, state), replies: confirm(bytes, (writer) => writer) };
  if (letter !== 'T' && letter !== 'X') throw new CodecError('unknown-type', `package ${letter}`, 1);
  // The index of the event stands before it, also where the record does not repeat it.
  const index = reader.u32LE();
  const replies = confirm(bytes, (writer) => writer.u32LE(index));
  return { drafts: letter === 'T' ? readRecords(reader, 1, state) : readExtra(reader), replies };
}
