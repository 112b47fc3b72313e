import {
  type DecodeContext,
  type Decoded,
  Draft,
  fromLatin1,
  type Message,
  Reader,
  type Reply,
  storedReply,
  toHex,
  Writer,
} from '#codec';
import { placeIn } from './answer.ts';
import { readNew, readOld, readPedometer, readVehicle } from './blocks.ts';
import { DATAGRAM_HEADER, encodePackage, isDatagram, PACKAGE_BYTES, wrap } from './frame.ts';
import { readNewStatus, readOldStatus } from './status.ts';

export interface State {
  readonly deviceId: string | undefined;
  /** commands go as datagrams, in their envelope */
  readonly isDatagram: boolean;
  /** the login was that of version 2, so heartbeats have its status word */
  readonly isVersion2?: boolean;
}

interface Package {
  readonly type: number;
  readonly index: number;
  readonly reader: Reader;
  readonly isVersion2?: boolean;
}

const LOGIN = 0x01;
const ANSWER = 0x80;
const PARAMETERS = 0x1b;

const one = (draft: Draft): Message[] => [draft.toPosition()];
const old = ({ type, index, reader }: Package): Message[] => one(readOld(type, index, reader));

function readHeartbeat({ reader, isVersion2 }: Package): Message[] {
  const draft = new Draft();
  if (reader.remaining < 2) return [{ type: 'heartbeat' }];
  if (isVersion2) readNewStatus(reader.u16(), draft);
  else readOldStatus(reader.u16(), draft);
  return one(draft);
}

const STATUS_BYTES = 4;

function readAnswer({ index, reader }: Package): Message[] {
  const draft = new Draft({ index });
  reader.skip(1);
  const ticket = String(reader.u32());
  const text = reader.utf8(reader.remaining);
  if (!placeIn(text, draft)) draft.attributes['result'] = text;
  return [draft.toPosition(), { type: 'answer', ticket, outcome: 'done', text }];
}

/** A part of the parameters, which are compressed: kept as it is. */
function readParameters({ index, reader }: Package): Message[] {
  const draft = new Draft({ index });
  draft.attributes['parametersVersion'] = reader.u16();
  reader.skip(6);
  draft.attributes['parametersOffset'] = reader.u16();
  draft.attributes['parameters'] = toHex(reader.view(reader.remaining));
  return one(draft);
}

const HANDLERS: Readonly<Record<number, (part: Package) => Message[]>> = {
  2: old,
  3: readHeartbeat,
  4: old,
  5: old,
  6: old,
  7: (part) =>
    part.reader.remaining === STATUS_BYTES
      ? readHeartbeat({ ...part, isVersion2: false })
      : one(readVehicle(part.reader)),
  0x1a: ({ index, reader }) => one(readPedometer(index, reader)),
  [PARAMETERS]: readParameters,
  [ANSWER]: readAnswer,
};

const isNew = (type: number): boolean => type >= 0x12 && type <= 0x19;

function messagesOf(part: Package): Message[] {
  if (isNew(part.type)) return one(readNew(part.type, part.index, part.reader));
  return HANDLERS[part.type]?.(part) ?? [];
}

const NO_CONTENT = new Uint8Array(0);
const MESSAGE = 0x16;
const PHONE_BYTES = 21;

/** A short message is answered with the number that it came from, and no text for it. */
function phoneOf(text: unknown): Uint8Array {
  const phone = new Uint8Array(PHONE_BYTES);
  if (typeof text === 'string') phone.set(fromLatin1(text).subarray(0, PHONE_BYTES));
  return phone;
}

/** Locations, and what the server itself began: another package of that type would be another command. */
const UNANSWERED: readonly number[] = [0x02, ANSWER, 0x81];

function replyTo({ type, index }: Package, now: number, messages: readonly Message[]): Uint8Array | undefined {
  if (UNANSWERED.includes(type)) return undefined;
  if (type === MESSAGE) {
    const message = messages.at(-1);
    return encodePackage(type, index, phoneOf(message?.type === 'position' ? message.attributes['phone'] : undefined));
  }
  // Result 0: the parameters were received.
  if (type === PARAMETERS) return encodePackage(type, index, Uint8Array.of(0));
  if (type !== LOGIN) return encodePackage(type, index, NO_CONTENT);
  // The time, version of the protocol, action.
  return encodePackage(
    type,
    index,
    new Writer(7)
      .u32(Math.floor(now / 1000))
      .u16(1)
      .u8(0)
      .finish(),
  );
}

const LANGUAGE_AND_ZONE = 2;

/** 0205 is 2.0.5. */
const versionOf = (word: number): string => `${word >> 8}.${(word >> 4) & 0x0f}.${word & 0x0f}`;

/** What a login of version 2 says behind language and time zone. */
function readVersions(reader: Reader): Message[] {
  reader.skip(LANGUAGE_AND_ZONE);
  if (reader.remaining < 4) return [];
  const draft = new Draft();
  draft.attributes['versionSystem'] = versionOf(reader.u16());
  draft.attributes['versionFw'] = versionOf(reader.u16());
  return one(draft);
}

/** A package, or a datagram of several; each is answered by itself, once it is known who sends it. */
export function decode(bytes: Uint8Array, { state, transport, now }: DecodeContext<State>): Decoded<State> {
  const reader = new Reader(bytes);
  const messages: Message[] = [];
  const replies: Reply[] = [];
  let { deviceId, isVersion2 = false } = state;
  if (isDatagram(bytes)) {
    reader.skip(DATAGRAM_HEADER - 8);
    deviceId = reader.hex(8).slice(1);
    messages.push({ type: 'login', ids: [deviceId] });
  }
  while (reader.remaining >= PACKAGE_BYTES) {
    reader.skip(2);
    const type = reader.u8();
    const content = reader.slice(Math.max(2, Math.min(reader.u16(), reader.remaining)));
    const part: Package = { type, index: content.u16(), reader: content, isVersion2 };
    if (type === LOGIN) {
      deviceId = content.hex(8).slice(1);
      if (messages[0]?.type !== 'login') messages.unshift({ type: 'login', ids: [deviceId] });
      isVersion2 = content.remaining > LANGUAGE_AND_ZONE;
      if (isVersion2) messages.push(...readVersions(content));
    } else messages.push(...messagesOf(part));
    const reply = deviceId === undefined ? undefined : replyTo(part, now, messages);
    if (reply === undefined) continue;
    replies.push(storedReply(transport === 'udp' ? wrap(reply, deviceId!) : reply));
  }
  return { state: { deviceId, isDatagram: transport === 'udp', isVersion2 }, messages, replies };
}

/** Each type is answered by its own number; of a datagram only the first package. */
export function acknowledgeUndecoded(
  bytes: Uint8Array,
  { state, transport, now }: DecodeContext<State>,
): readonly Reply[] {
  const at = isDatagram(bytes) ? DATAGRAM_HEADER : 0;
  if (bytes.length < at + PACKAGE_BYTES) return [];
  const deviceId = at > 0 ? new Reader(bytes, 6).hex(8).slice(1) : state.deviceId;
  const index = (bytes[at + 5]! << 8) | bytes[at + 6]!;
  const reply = replyTo({ type: bytes[at + 2]!, index, reader: new Reader(bytes, bytes.length) }, now, []);
  if (deviceId === undefined || reply === undefined) return [];
  return [storedReply(transport === 'udp' ? wrap(reply, deviceId) : reply)];
}
