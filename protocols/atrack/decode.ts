import {
  type Attributes,
  CodecError,
  type DecodeContext,
  type Decoded,
  fileChunk,
  type Message,
  Reader,
  type Reply,
  statusPosition,
  textAnswer,
  toLatin1,
  Writer,
} from '#codec';
import { readRecords } from './binary.ts';
import { isKeepAlive, isLine, isText } from './frame.ts';
import { readLines } from './text.ts';

/** Bytes of a photo that have come. */
export interface State {
  readonly photo?: { readonly name: string; readonly next: number; readonly received: number };
}

const acknowledge = (id: bigint, sequence: number): Reply => ({
  when: 'stored',
  bytes: new Writer(12).u16(0xfe02).u64(id).u16(sequence).finish(),
});

export function decode(bytes: Uint8Array, { state, options }: DecodeContext<State>): Decoded<State> {
  if (isKeepAlive(bytes)) {
    return { state, messages: [{ type: 'heartbeat' }], replies: [{ when: 'received', bytes: bytes.slice(0, 12) }] };
  }
  if (isLine(bytes)) return { state, messages: readAnswer(toLatin1(bytes).trim()), replies: [] };
  if (isText(bytes)) {
    const text = toLatin1(bytes);
    const lines = readLines(text.trimEnd(), options);
    if (lines === undefined) throw new CodecError('bad-text', 'no header of a text message', 0);
    const { id, drafts } = lines;
    const positions = drafts.map((draft) => draft.toPosition());
    return { state, messages: [{ type: 'login', ids: [id] }, ...positions], replies: textReply(text) };
  }
  const reader = new Reader(bytes, 6);
  const sequence = reader.u16();
  const id = reader.u64();
  const login: Message = { type: 'login', ids: [String(id)] };
  const replies = [acknowledge(id, sequence)];
  if ((bytes[1]! & ~LOWER_CASE) === PHOTO) return { ...readPhoto(reader, state, login), replies };
  const positions = readRecords(bytes, options).map((draft) => draft.toPosition());
  return { state, messages: [login, ...positions], replies };
}

const PHOTO = 0x52;
/** bit of a letter in lower case */
const LOWER_CASE = 0x20;
const HEADER = /^..,[0-9A-Fa-f]{1,4},\d{1,5},(\d{1,10}),(\d{1,20}),/s;

/** Sequence and id of the unit, as of binary records. Some count on above what two bytes hold. */
function textReply(text: string): readonly Reply[] {
  const m = HEADER.exec(text);
  return m === null ? [] : [acknowledge(BigInt(m[2]!), Number(m[1]) & 0xffff)];
}

/** Parts of a photo, one after another. */
function readPhoto(reader: Reader, state: State, login: Message): Pick<Decoded<State>, 'state' | 'messages'> {
  const seconds = reader.u32();
  const index = reader.u8();
  const count = reader.u8();
  const bytes = reader.view(Math.min(reader.u16(), reader.remaining)).slice();
  const name = `photo-${seconds}.jpg`;
  const { photo } = state;
  const offset = photo?.name === name && photo.next === index ? photo.received : index * bytes.length;
  const isLast = index + 1 >= count;
  const messages = [login, ...fileChunk({ name, media: 'image', offset, bytes }, isLast, seconds * 1000)];
  return { state: isLast ? {} : { photo: { name, next: index + 1, received: offset + bytes.length } }, messages };
}

const INFO = '$INFO=';
const DIGITS = /^\d{1,10}$/;
/** Numbers of the line, by their place; with what they are divided by. */
const INFO_NUMBERS: readonly (readonly [place: number, key: string, per: number])[] = [
  [6, 'power', 10],
  [7, 'battery', 10],
  [8, 'sat', 1],
  [10, 'rssi', 1],
];

/** An answer; what the device says of itself is one, too. */
function readAnswer(text: string): Message[] {
  if (!text.startsWith(INFO))
    return [statusPosition({ result: text }), { type: 'answer', outcome: outcomeOf(text), text }];
  const fields = text.slice(INFO.length).split(',');
  const [id = '', model = '', version = ''] = fields;
  const attributes: Attributes = {};
  if (model !== '') attributes['model'] = model;
  if (version !== '') attributes['versionFw'] = version;
  for (const [place, key, per] of INFO_NUMBERS) {
    const value = fields[place] ?? '';
    if (!DIGITS.test(value)) throw new CodecError('bad-text', `field ${place} of the information is no number`);
    attributes[key] = Number(value) / per;
  }
  if (!/^[A-Za-z0-9._:-]{1,64}$/.test(id)) throw new CodecError('bad-text', 'no device id');
  return [{ type: 'login', ids: [id] }, statusPosition(attributes), textAnswer(text)];
}

const outcomeOf = (text: string): 'done' | 'refused' => (text.startsWith('$ERROR') ? 'refused' : 'done');

/** What cannot be read is the device's no more. */
export function acknowledgeUndecoded(bytes: Uint8Array): readonly Reply[] {
  if (isLine(bytes) || isKeepAlive(bytes) || bytes.length < 16) return [];
  if (isText(bytes)) return textReply(toLatin1(bytes));
  const reader = new Reader(bytes, 6);
  const sequence = reader.u16();
  return [acknowledge(reader.u64(), sequence)];
}
