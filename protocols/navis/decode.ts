import {
  CodecError,
  crc8Nrsc5,
  type DecodeContext,
  type Decoded,
  type Draft,
  type Message,
  Reader,
  type Reply,
  statusOf,
  toLatin1,
  Writer,
  xor8,
} from '#codec';
import { newReader, type Package, readExtra, readRecords } from './flex.ts';
import { FIELD_BYTES } from './flex-fields.ts';
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
  const writer = new Writer(HEADER_BYTES + data.length).raw(head.subarray(0, 4)).raw(head.subarray(8, 12));
  writer.raw(head.subarray(4, 8)).u16LE(data.length).u8(xor8(data));
  return writer.u8(xor8(writer.finish())).raw(data).finish();
}

const stored = (bytes: Uint8Array): Reply => ({ when: 'stored', bytes });
const positionsOf = (drafts: readonly Draft[]): Message[] =>
  drafts.filter(({ hasFix }) => hasFix).map((draft) => draft.toPosition());

const IMEI = /^[A-Za-z0-9._:-]{1,64}$/;

function decodeNtcb(bytes: Uint8Array, state: State): Decoded<State> {
  const data = bytes.subarray(HEADER_BYTES);
  const text = toLatin1(data);
  const answer = (content: Writer): Reply[] => [stored(seal(bytes, content.finish()))];
  if (text.startsWith('*>S:')) {
    const id = text.slice(4);
    if (!IMEI.test(id)) throw new CodecError('bad-text', 'no device id', HEADER_BYTES + 4);
    return { state, messages: [{ type: 'login', ids: [id] }], replies: answer(new Writer().latin1('*<S')) };
  }
  if (text.startsWith('*>T')) {
    const { draft, index } = readRecord(new Reader(data, 3));
    return { state, messages: positionsOf([draft]), replies: answer(new Writer().latin1('*<T').u32LE(index)) };
  }
  if (text.startsWith('*>A')) {
    const reader = new Reader(data, 3);
    const count = reader.u8();
    const drafts = Array.from({ length: count }, () => readRecord(reader).draft);
    return { state, messages: positionsOf(drafts), replies: answer(new Writer().latin1('*<A').u8(count)) };
  }
  if (text.startsWith('*>F')) return negotiate(data, state, answer);
  if (/^\*[@#]/.test(text)) {
    return { state, messages: [statusOf({ result: text }), { type: 'answer', outcome: 'done', text }], replies: [] };
  }
  return { state, messages: [{ type: 'heartbeat' }], replies: [] };
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
  return [stored(writer.u8(crc8Nrsc5(content)).finish())];
}

function decodeFlex(bytes: Uint8Array, state: State): Decoded<State> {
  if (bytes.length < 4 || state.recordBytes === 0) throw new CodecError('bad-value', 'no fields were agreed on', 0);
  const { drafts, replies } = readFlex(bytes, state);
  return { state, messages: positionsOf(drafts), replies };
}

function readFlex(bytes: Uint8Array, state: State): { drafts: readonly Draft[]; replies: Reply[] } {
  const reader = newReader(bytes);
  const letter = String.fromCharCode(bytes[1]!);
  const byIndex = ({ drafts, index }: Package) => ({ drafts, replies: confirm(bytes, (w) => w.u32LE(index)) });
  if (letter === 'A' || letter === 'E') {
    const count = reader.u8();
    const replies = confirm(bytes, (writer) => writer.u8(count));
    if (letter === 'A') return { drafts: readRecords(reader, count, state).drafts, replies };
    return { drafts: Array.from({ length: count }, () => readExtra(reader).drafts).flat(), replies };
  }
  if (letter === 'C') return byIndex(readRecords(reader, 1, state));
  // The event's own index stands before it.
  reader.skip(4);
  if (letter === 'T') return byIndex(readRecords(reader, 1, state));
  if (letter === 'X') return byIndex(readExtra(reader));
  throw new CodecError('unknown-type', `package ${letter}`, 1);
}
