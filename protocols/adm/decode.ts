import {
  CodecError,
  type DecodeContext,
  type Decoded,
  type Message,
  Reader,
  statusPosition,
  textAnswer,
  toLatin1,
} from '#codec';
import { readPosition } from '#codec/binary';
import { MIN_MESSAGE_BYTES, messageStart } from './frame.ts';
import { DATA } from './tables.ts';

export type State = undefined;

const ANSWER_SIZE = 0x84;
const LOGIN = 3;
const IMEI = /^\d{15}$/;

const utf8 = new TextDecoder();

export function decode(bytes: Uint8Array, { state }: DecodeContext<State>): Decoded<State> {
  const start = messageStart(bytes);
  const messages: Message[] = [];
  if (start > 0) messages.push({ type: 'login', ids: [imeiAt(bytes, 0)] });
  if (bytes.length < start + MIN_MESSAGE_BYTES) throw new CodecError('truncated', 'a message of four bytes', start);
  const type = bytes[start + 3]!;
  if (bytes[start + 2] === ANSWER_SIZE) messages.push(...readAnswer(bytes.subarray(start + 3)));
  else if (type === LOGIN) messages.push({ type: 'login', ids: [imeiAt(bytes, start + 4)] });
  else if ((type & 3) === 0) messages.push(readPosition(DATA, new Reader(bytes, start + 3)));
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
  return [statusPosition({ result: text }), textAnswer(text)];
}
