import {
  CodecError,
  type DecodeContext,
  type Decoded,
  Draft,
  type Message,
  Reader,
  readOptional,
  statusPosition,
  toLatin1,
} from '#codec';
import { BLOCK_KEYS, KEYS } from './elements.ts';
import { messageStart, SMALLEST_MESSAGE } from './frame.ts';

export type State = undefined;

const ANSWER_SIZE = 0x84;
const LOGIN = 3;
const IMEI = /^\d{15}$/;

const utf8 = new TextDecoder();

export function decode(bytes: Uint8Array, { state }: DecodeContext<State>): Decoded<State> {
  const start = messageStart(bytes);
  const messages: Message[] = [];
  if (start > 0) messages.push({ type: 'login', ids: [imeiAt(bytes, 0)] });
  if (bytes.length < start + SMALLEST_MESSAGE) throw new CodecError('truncated', 'a message of four bytes', start);
  const type = bytes[start + 3]!;
  if (bytes[start + 2] === ANSWER_SIZE) messages.push(...readAnswer(bytes.subarray(start + 3)));
  else if (type === LOGIN) messages.push({ type: 'login', ids: [imeiAt(bytes, start + 4)] });
  else if ((type & 3) === 0) messages.push(readData(new Reader(bytes, start + 4), type).toPosition());
  return { state, messages, replies: [] };
}

function imeiAt(bytes: Uint8Array, at: number): string {
  const imei = toLatin1(bytes, at, at + 15);
  if (!IMEI.test(imei)) throw new CodecError('bad-text', 'no IMEI', at);
  return imei;
}

/** Text up to the first zero. */
function readAnswer(bytes: Uint8Array): Message[] {
  const end = bytes.indexOf(0);
  const text = utf8.decode(end < 0 ? bytes : bytes.subarray(0, end));
  return [statusPosition({ result: text }), { type: 'answer', outcome: 'done', text }];
}

const INVALID = 0x20;

/** What every data message has, then a block for each bit of the type. */
function readData(reader: Reader, type: number): Draft {
  const draft = new Draft();
  const { attributes } = draft;
  attributes['versionFw'] = reader.u8();
  attributes['index'] = reader.u16LE();
  const status = reader.u16LE();
  attributes['status'] = status;
  const latitude = reader.f32LE();
  const longitude = reader.f32LE();
  const course = reader.u16LE() / 10;
  const speed = reader.u16LE() / 10;
  attributes['acceleration'] = reader.u8() / 10;
  draft.setMovement(reader.i16LE(), speed, course);
  attributes['hdop'] = reader.u8() / 10;
  attributes['sat'] = reader.u8() & 0x0f;
  draft.setFix(reader.u32LE() * 1000, (status & INVALID) === 0, latitude, longitude);
  attributes['power'] = reader.u16LE() / 1000;
  attributes['battery'] = reader.u16LE() / 1000;
  readOptional(() => {
    for (const [bit, read] of BLOCKS) if (type & bit) read(reader, draft);
  });
  return draft;
}

/** In the order in which they lie. */
const BLOCKS: readonly (readonly [bit: number, read: (reader: Reader, draft: Draft) => void])[] = [
  [0x04, readLines],
  [0x08, readVoltages],
  [0x10, readCounters],
  [0x20, readTanks],
  [0x40, readBlock],
  [0x80, readOdometer],
];

/** Vibration and its count, outputs, input alarms. */
function readLines(reader: Reader, { attributes }: Draft): void {
  reader.skip(2);
  const outputs = reader.u8();
  for (const [at, key] of KEYS.out.entries()) attributes[key] = (outputs >> at) & 1;
  reader.skip(1);
}

function readVoltages(reader: Reader, { attributes }: Draft): void {
  for (const key of KEYS.adc) attributes[key] = reader.u16LE() / 1000;
}

function readCounters(reader: Reader, { attributes }: Draft): void {
  for (const key of KEYS.count) attributes[key] = reader.u32LE();
}

function readOdometer(reader: Reader, { attributes }: Draft): void {
  attributes['odometer'] = reader.u32LE();
}

function readTanks(reader: Reader, { attributes }: Draft): void {
  for (const key of KEYS.fuel) attributes[key] = reader.u16LE();
  for (const key of KEYS.temp) attributes[key] = reader.u8();
}

/** Values of a bus, each with its size and number; the length counts its own byte. */
function readBlock(reader: Reader, draft: Draft): void {
  const length = reader.u8();
  const block = reader.slice(Math.min(Math.max(length - 1, 0), reader.remaining));
  while (block.remaining > 0) {
    const mask = block.u8();
    const index = mask & 0x3f;
    draft.attributes[BLOCK_KEYS.get(index) ?? `can${index}`] = readSized(block, mask >> 6);
  }
}

function readSized(reader: Reader, size: number): number {
  if (size === 0) return reader.u8();
  if (size === 1) return reader.u16LE();
  return size === 2 ? reader.u32LE() : Number(BigInt.asIntN(64, reader.u64LE()));
}
