import {
  type Attributes,
  CodecError,
  type DecodeContext,
  type Decoded,
  type Message,
  Reader,
  type Reply,
  readOptional,
  statusPosition,
  storedReply,
  Writer,
} from '#codec';
import { CONFIGURATION } from './configuration.ts';
import { ELEMENTS, REPEATED, Record } from './elements.ts';
import { HEADER_BYTES, seal } from './frame.ts';

const [DATA, CONFIGURED, SERVICES, CONTROL, RESPONSE] = [0x01, 0x02, 0x03, 0x04, 0x7f];
const WANTS_ANSWER = 0x10;
const IMEI = 0x01;

export function decode(bytes: Uint8Array, context: DecodeContext<undefined>): Decoded<undefined> {
  const messages = read(new Reader(bytes, HEADER_BYTES), context.now);
  return { state: context.state, messages, replies: acknowledgeUndecoded(bytes, context) };
}

function read(reader: Reader, now: number): Message[] {
  const type = reader.u8();
  if (type === DATA || type === SERVICES) return readRecords(reader, now);
  if (type === CONFIGURED) return readConfiguration(reader);
  if (type === CONTROL) return answered(readControl(reader));
  if (type !== RESPONSE) return [{ type: 'heartbeat' }];
  reader.skip(1);
  return answered(String(reader.u8()));
}

const answered = (result: string | undefined): Message[] => [
  statusPosition(result === undefined ? {} : { result }),
  { type: 'answer', outcome: 'done', ...(result === undefined ? {} : { text: result }) },
];

/** Key and content of the next element, which has its length before it; what is known of a damaged one stays. */
function nextElement(reader: Reader): Reader | undefined {
  while (reader.remaining > 0) {
    const length = reader.u8();
    if (length > 0 && reader.remaining > 0) return reader.slice(Math.min(length, reader.remaining));
  }
  return undefined;
}

/** An element that came already begins another record. */
function readRecords(reader: Reader, now: number): Message[] {
  const records: Record[] = [];
  let record = new Record();
  let seen = new Set<number>();
  let id: string | undefined;
  for (let content = nextElement(reader); content !== undefined; content = nextElement(reader)) {
    const element = content;
    const key = element.u8();
    if (seen.has(key) && !REPEATED.has(key)) {
      records.push(record);
      record = new Record();
      seen = new Set();
    }
    seen.add(key);
    if (key === IMEI) id = element.latin1();
    else readOptional(() => ELEMENTS.get(key)?.(element, record));
  }
  records.push(record);
  if (id === undefined) return [];
  if (!/^\d{15}$/.test(id)) throw new CodecError('bad-text', 'no IMEI');
  return [{ type: 'login', ids: [id] }, ...records.map((filled) => finish(filled, now))];
}

/** A position without precision and supporting element is dropped; one without a time gets the time of arrival. */
function finish({ draft, time, fixTime, place, valid }: Record, now: number): Message {
  draft.deviceTime = time;
  const isFix = valid || draft.attributes['hdop'] !== undefined;
  if (isFix && place !== undefined) draft.setFix(fixTime ?? time ?? now, valid, ...place);
  return draft.toPosition();
}

function readConfiguration(reader: Reader): Message[] {
  const attributes: Attributes = {};
  for (let content = nextElement(reader); content !== undefined; content = nextElement(reader)) {
    const element = content;
    const key = element.u8();
    readOptional(() => CONFIGURATION.get(key)?.(element, attributes));
  }
  return [statusPosition(attributes), { type: 'answer', outcome: 'done' }];
}

const RESULT = 0x1f;

function readControl(reader: Reader): string | undefined {
  let result: string | undefined;
  for (let content = nextElement(reader); content !== undefined; content = nextElement(reader)) {
    if (content.u8() !== RESULT || content.remaining === 0) continue;
    content.skip(1);
    result = content.utf8(content.remaining);
  }
  return result;
}

const ACKNOWLEDGEMENT = Uint8Array.of(RESPONSE, 1, 0);
const [PLACE_WANTED, TIME_WANTED] = [0x11, 0x12];

/** The requested reply, otherwise an acknowledgement. Answers to commands are recognized before decoding. */
export function acknowledgeUndecoded(bytes: Uint8Array, { now }: DecodeContext<undefined>): readonly Reply[] {
  if (bytes.length <= HEADER_BYTES || (bytes[1]! & WANTS_ANSWER) === 0) return [];
  const content = bytes[HEADER_BYTES] === SERVICES ? serve(new Reader(bytes, HEADER_BYTES + 1), now) : undefined;
  return [storedReply(seal(bytes[6]! | (bytes[7]! << 8), content ?? ACKNOWLEDGEMENT))];
}

/** No place is known to the gateway; the time is. */
function serve(reader: Reader, now: number): Uint8Array | undefined {
  const writer = new Writer(32).u8(SERVICES);
  for (let content = nextElement(reader); content !== undefined; content = nextElement(reader)) {
    const key = content.u8();
    if (key === PLACE_WANTED) writer.u8(10).u8(PLACE_WANTED).u32(0).u32(0).u8(0);
    if (key === TIME_WANTED)
      writer
        .u8(5)
        .u8(TIME_WANTED)
        .u32LE(Math.floor(now / 1000));
  }
  return writer.length > 1 ? writer.finish() : undefined;
}
