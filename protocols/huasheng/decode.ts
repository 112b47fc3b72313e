import {
  type DecodeContext,
  type Decoded,
  Draft,
  type Message,
  Reader,
  type Reply,
  statusPosition,
  storedReply,
} from '#codec';
import { BODY_AT, seal } from './frame.ts';
import { readImei, readPlace } from './tables.ts';

const TYPES = { login: 0xaa02, position: 0xaa00, faults: 0xaa12, heartbeat: 0x0002 };
const ANSWERS = { login: 0xff03, position: 0xff01, heartbeat: 0x0003 };
const VERSION = 1;
const NOTHING = new Uint8Array(0);
const ACCEPTED = Uint8Array.of(0);

const LETTERS = ['P', 'C', 'B', 'U'];
const troubleCode = (raw: number): string =>
  `${LETTERS[raw >> 14]}${(raw >> 12) & 3}${(raw & 0x0fff).toString(16).padStart(3, '0')}`;

/** Tag and size, then codes to the end. */
function readFaults(reader: Reader): Message[] {
  reader.skip(4);
  const codes: string[] = [];
  while (reader.remaining >= 2) codes.push(troubleCode(reader.u16()));
  return [statusPosition(codes.length === 0 ? {} : { dtcs: codes.join(' ') })];
}

function readPosition(reader: Reader): Message[] {
  const draft = new Draft();
  readPlace(reader, draft);
  return [draft.toPosition()];
}

function readLogin(reader: Reader): Message[] {
  const imei = readImei(reader);
  return imei === undefined ? [] : [{ type: 'login', ids: [imei] }];
}

export function decode(bytes: Uint8Array, { state }: DecodeContext<undefined>): Decoded<undefined> {
  const head = new Reader(bytes, 5);
  const type = head.u16();
  head.skip(2);
  const index = head.u32();
  const reader = new Reader(bytes, BODY_AT, bytes.length - 1);
  const answer = (as: number, content = NOTHING): Reply => storedReply(seal(VERSION, as, index, content));
  if (type === TYPES.login) {
    const messages = readLogin(reader);
    return { state, messages, replies: messages.length === 0 ? [] : [answer(ANSWERS.login, ACCEPTED)] };
  }
  if (type === TYPES.position) return { state, messages: readPosition(reader), replies: [answer(ANSWERS.position)] };
  if (type === TYPES.heartbeat)
    return { state, messages: [{ type: 'heartbeat' }], replies: [answer(ANSWERS.heartbeat)] };
  return { state, messages: type === TYPES.faults ? readFaults(reader) : [], replies: [] };
}
