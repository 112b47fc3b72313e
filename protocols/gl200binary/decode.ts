import {
  CodecError,
  type DecodeContext,
  type Decoded,
  Draft,
  type Message,
  Reader,
  readOptional,
  toLatin1,
} from '#codec';
import { readCompressed } from './compressed.ts';
import { HEAD_BYTES, isRecords } from './frame.ts';
import { readCell, readLocation, readTime } from './location.ts';

interface Content {
  readonly id: string;
  readonly drafts: readonly Draft[];
}

const ANSWER = '+ACK';
const MESSAGES: ReadonlyMap<string, (reader: Reader) => Content> = new Map([
  ['+RSP', readReport],
  ['+EVT', readEvent],
  ['+INF', readInformation],
]);

export function decode(bytes: Uint8Array, { state }: DecodeContext<undefined>): Decoded<undefined> {
  if (bytes.length < HEAD_BYTES) throw new CodecError('truncated', `${bytes.length} bytes of a header`);
  const header = toLatin1(bytes, 0, 4);
  const read = isRecords(bytes) ? readRecords : MESSAGES.get(header);
  if (read === undefined) return { state, messages: [other(header, bytes)], replies: [] };
  const { id, drafts } = read(new Reader(bytes, 4));
  const messages: Message[] = [{ type: 'login', ids: [id] }, ...drafts.map((draft) => draft.toPosition())];
  return { state, messages, replies: [] };
}

const other = (header: string, bytes: Uint8Array): Message =>
  header === ANSWER ? { type: 'answer', outcome: 'done', bytes: bytes.slice() } : { type: 'heartbeat' };

/** A number of 15 digits; units that hold a name there give what its bytes are. */
const readId = (reader: Reader): string => String(reader.i64()).padStart(15, '0');

const COMPRESSED = 100;
const CALL = 3;
const TOWED = 8;

/** +RSP: places with the state that they were sent in. */
function readReport(reader: Reader): Content {
  const type = reader.u8();
  reader.skip(4 + 2 + 1 + 2 + 2);
  const id = readId(reader);
  const batteryLevel = reader.u8();
  const power = reader.u16() / 1000;
  reader.skip(type === TOWED ? 3 : 1);
  const sat = reader.u8();
  if (type === COMPRESSED) return { id, drafts: readCompressed(reader) };
  reader.skip(1);
  if (type === CALL) skipPhone(reader);
  const drafts: Draft[] = [];
  for (let count = reader.u8(); count > 0; count--) {
    const draft = new Draft({ batteryLevel, power, sat });
    readLocation(reader, draft);
    drafts.push(draft);
  }
  return { id, drafts };
}

/** A length, then digits, two in a byte, to the first F. */
function skipPhone(reader: Reader): void {
  reader.skip(1);
  let byte = 0;
  do byte = reader.u8();
  while ((byte & 0x0f) !== 0x0f && byte >> 4 !== 0x0f);
}

/** Bytes of an event that are its own. */
const EVENT_BYTES: ReadonlyMap<number, number> = new Map([
  [6, 2],
  [15, 3],
  [17, 4],
  [21, 5],
  [23, 1],
  [26, 12],
  [31, 2],
  [33, 1],
  [34, 3],
  [35, 1],
  [45, 7],
  [46, 7],
]);

function readEvent(reader: Reader): Content {
  const draft = new Draft();
  const { attributes } = draft;
  const type = reader.u8();
  reader.skip(4 + 2 + 1 + 2);
  attributes['versionFw'] = String(reader.u16());
  const id = readId(reader);
  attributes['batteryLevel'] = reader.u8();
  attributes['power'] = reader.u16() / 1000;
  reader.skip(1);
  attributes['sat'] = reader.u8();
  reader.skip((EVENT_BYTES.get(type) ?? 0) + 1);
  readLocation(reader, draft);
  return { id, drafts: [draft] };
}

const [VERSION, SUPPLY, RADIO, CELL] = [6, 7, 5, 10];

/** +INF: what the device is and how it fares. */
function readInformation(reader: Reader): Content {
  const draft = new Draft();
  const { attributes } = draft;
  const type = reader.u8();
  reader.skip(4 + 2);
  const id = readId(reader);
  reader.skip(1 + 2);
  attributes['versionFw'] = String(reader.u16());
  reader.skip(type === VERSION ? 8 : 2);
  attributes['sat'] = reader.u8();
  readOptional(() => {
    reader.skip(21);
    if (type === SUPPLY) readSupply(reader, draft);
    reader.skip(10);
    if (type === RADIO) {
      attributes['rssi'] = reader.u8();
      reader.skip(1);
    }
    reader.skip(1 + 2);
    if (type === CELL) {
      reader.skip(2);
      readCell(reader, draft);
      reader.skip(2);
    }
    draft.deviceTime = readTime(reader);
  });
  return { id, drafts: [draft] };
}

function readSupply(reader: Reader, { attributes }: Draft): void {
  attributes['charge'] = reader.u8() !== 0;
  attributes['power'] = reader.u16() / 1000;
  attributes['battery'] = reader.u16() / 1000;
  attributes['batteryLevel'] = reader.u8();
}

const PLACE = 0x52;
const TAIL_BYTES = 4;

/** 2B 00: records of items, each with its length. */
function readRecords(reader: Reader): Content {
  const more = reader.u8() & 0x80;
  if (more) reader.skip(2);
  const id = reader.hex(8).slice(1);
  reader.skip(2 + 2 + 1);
  reader.skip(reader.u8());
  const drafts: Draft[] = [];
  const end = reader.bytes.length - TAIL_BYTES;
  readOptional(() => {
    while (reader.offset < end) {
      const start = reader.offset;
      const length = readVariable(reader);
      const record = new Reader(reader.bytes, reader.offset, Math.min(start + length, end));
      readRecord(record, drafts);
      reader.skip(Math.max(length - (reader.offset - start), 0));
    }
  });
  return { id, drafts };
}

/** A byte, or two where the first has its highest bit set. */
function readVariable(reader: Reader): number {
  const byte = reader.u8();
  return byte & 0x80 ? ((byte & 0x7f) << 8) | reader.u8() : byte;
}

/** Time, counter, ids; then items. */
function readRecord(reader: Reader, drafts: Draft[]): void {
  reader.skip(4 + 2 + 1 + 1);
  while (reader.remaining > 0) {
    const item = readVariable(reader);
    const content = reader.slice(readVariable(reader));
    if (item === PLACE) drafts.push(readPlace(content));
  }
}

const FIXED = 2;

function readPlace(reader: Reader): Draft {
  const draft = new Draft();
  const valid = ((reader.u8() >> 2) & 3) === FIXED;
  const longitude = reader.i32() / 1e6;
  const latitude = reader.i32() / 1e6;
  draft.setFix(reader.u32() * 1000, valid, latitude, longitude);
  const speed = reader.u16() / 10;
  draft.attributes['hdop'] = reader.u8() / 10;
  const course = reader.u16();
  draft.setMovement(reader.u24() / 10, speed, course);
  draft.attributes['sat'] = reader.u8();
  return draft;
}
