import {
  type AttributeValue,
  CodecError,
  type DecodeContext,
  type Decoded,
  Draft,
  type Message,
  ninePlaces,
  type Reader,
  type Reply,
  readOptional,
  storedReply,
  Writer,
} from '#codec';
import {
  CONNECT,
  contentOf,
  PINGREQ,
  PUBACK,
  PUBLISH,
  PUBREL,
  type Publication,
  packet,
  readPublication,
  readText,
  SUBSCRIBE,
} from './packets.ts';
import { SENSORS } from './sensors.ts';

export function decode(frame: Uint8Array, { state }: DecodeContext<undefined>): Decoded<undefined> {
  const type = frame[0]! >> 4;
  if (type === CONNECT) return { state, messages: [readConnect(contentOf(frame))], replies: CONNACK };
  if (type === PUBLISH) return { state, ...readData(frame) };
  if (type === PINGREQ) return { state, messages: [{ type: 'heartbeat' }], replies: [reply(0xd0)] };
  if (type === PUBACK) {
    const ticket = String(contentOf(frame).u16());
    return { state, messages: [{ type: 'answer', ticket, outcome: 'done' }], replies: [] };
  }
  if (type === PUBREL) return { state, messages: [], replies: [reply(0x70, numberOf(contentOf(frame).u16()))] };
  if (type === SUBSCRIBE) return { state, messages: [], replies: [readSubscription(contentOf(frame))] };
  // acknowledgements of what is never sent, unsubscriptions, the end of the connection
  return { state, messages: [], replies: [] };
}

const NOTHING: Uint8Array = new Uint8Array();
const reply = (first: number, content = NOTHING): Reply => storedReply(packet(first, content));
const numberOf = (packetId: number): Uint8Array => new Writer().u16(packetId).finish();

/** Accepted, or identifier rejected (MQTT 3.1.1, 3.2.2.3). */
const CONNACK: readonly Reply[] = [
  storedReply(packet(0x20, Uint8Array.of(0, 0))),
  { when: 'refused', bytes: packet(0x20, Uint8Array.of(0, 2)) },
];

const [HAS_WILL, HAS_PASSWORD, HAS_USER] = [0x04, 0x40, 0x80];

/** MQTT 3.1.1, 3.1: the client identifier is the device. */
function readConnect(reader: Reader): Message {
  reader.skip(reader.u16() + 1);
  const flags = reader.u8();
  reader.skip(2);
  const id = readText(reader);
  if (id === '') throw new CodecError('not-identified', 'an empty client identifier');
  let password = '';
  readOptional(() => {
    if (flags & HAS_WILL) for (let field = 0; field < 2; field++) reader.skip(reader.u16());
    if (flags & HAS_USER) reader.skip(reader.u16());
    if (flags & HAS_PASSWORD) password = readText(reader);
  });
  return { type: 'login', ids: [id], ...(password !== '' && { password }) };
}

const MAX_QOS = 1;

/** MQTT 3.1.1, 3.9: the granted quality of service of each filter. */
function readSubscription(reader: Reader): Reply {
  const writer = new Writer().u16(reader.u16());
  while (reader.remaining > 0) {
    reader.skip(reader.u16());
    writer.u8(Math.min(reader.u8(), MAX_QOS));
  }
  return reply(0x90, writer.finish());
}

const ACKNOWLEDGED_BY: Readonly<Record<number, number>> = { 1: 0x40, 2: 0x50 };

const acknowledge = ({ qos, packetId }: Publication): readonly Reply[] =>
  packetId === undefined ? [] : [reply(ACKNOWLEDGED_BY[qos]!, numberOf(packetId))];

function readData(frame: Uint8Array): Pick<Decoded<undefined>, 'messages' | 'replies'> {
  const publication = readPublication(frame);
  const { payload } = publication;
  const messages: Message[] = [];
  readOptional(() => {
    // version of the structure
    payload.skip(1);
    // the last byte is the sum
    while (payload.remaining > 1) {
      const kind = payload.u8();
      const body = payload.slice(Math.min(payload.u16LE(), payload.remaining));
      const message = readRecord(kind, body);
      if (message !== undefined) messages.push(message);
    }
  });
  if (messages.length === 0) throw new CodecError('unknown-type', 'no record of a known type');
  return { messages, replies: acknowledge(publication) };
}

/** The device repeats what is not acknowledged, whatever it is. */
export function acknowledgeUndecoded(frame: Uint8Array): readonly Reply[] {
  const replies: Reply[] = [];
  readOptional(() => {
    if (frame[0]! >> 4 === PUBLISH) replies.push(...acknowledge(readPublication(frame)));
  });
  return replies;
}

const [DATA, FUNCTION_ANSWER] = [1, 3];

function readRecord(kind: number, body: Reader): Message | undefined {
  if (kind !== DATA && kind !== FUNCTION_ANSWER) return undefined;
  const draft = new Draft();
  readOptional(() => {
    draft.deviceTime = body.u32LE() * 1_000;
    if (kind === FUNCTION_ANSWER) {
      body.skip(1);
      draft.attributes['event'] = body.u8();
    }
    while (kind === DATA && body.remaining > 0) readSensor(draft, body);
  });
  return draft.toPosition();
}

const FIX = 14;

function readSensor(draft: Draft, body: Reader): void {
  const [type, id] = [body.u8(), body.u16LE()];
  if (type === FIX) {
    readFix(draft, body);
    return;
  }
  const value = readValue(type, body);
  if (value === undefined) return;
  const use = SENSORS.get(id);
  if (use !== undefined) use(draft, value);
  else if (value !== '') draft.attributes[`io${id}`] = value;
}

function readFix(draft: Draft, body: Reader): void {
  const [latitude, longitude] = [ninePlaces(body.exactF32LE()), ninePlaces(body.exactF32LE())];
  const speed = body.u16LE();
  const [hdop, sat] = [body.u8() / 10, body.u8()];
  const course = body.u16LE();
  draft.setFix(draft.deviceTime!, true, latitude, longitude);
  draft.setMovement(body.i16LE(), speed, course);
  Object.assign(draft.attributes, { hdop, sat });
}

const NO_VALUE = 3;
/** The size of other types is not known, so what follows them cannot be read. */
const VALUES: Readonly<Record<number, (body: Reader) => AttributeValue | undefined>> = {
  0: () => false,
  1: () => true,
  [NO_VALUE]: () => undefined,
  4: (body) => body.u8(),
  5: (body) => body.u16LE(),
  6: (body) => body.u32LE(),
  7: signed64,
  8: (body) => body.i8(),
  9: (body) => body.i16LE(),
  10: (body) => body.i32LE(),
  11: signed64,
  12: (body) => finite(body.f32LE()),
  13: (body) => finite(body.f64LE()),
  32: (body) => body.latin1(body.u8()),
  33: (body) => body.hex(body.u8()),
  64: (body) => body.latin1(body.u16LE()),
  65: (body) => body.hex(body.u16LE()),
};

function readValue(type: number, body: Reader): AttributeValue | undefined {
  const read = VALUES[type];
  if (read === undefined) throw new CodecError('unknown-type', `value of type ${type}`, body.offset);
  return read(body);
}

const finite = (value: number): number | undefined => (Number.isFinite(value) ? value : undefined);

/** Larger numbers, such as those of drivers' keys, are texts. */
function signed64(body: Reader): AttributeValue {
  const value = BigInt.asIntN(64, body.u64LE());
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
}
