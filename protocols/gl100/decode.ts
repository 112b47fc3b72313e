import {
  CodecError,
  type DecodeContext,
  type Decoded,
  type Message,
  storedTextReply,
  textAnswer,
  toLatin1,
} from '#codec';
import { DEVICE_ID, TextRecord } from '#codec/text';
import { CARD, POSITIONS, STATE } from './tables.ts';

/** The reply repeats the text up to its last comma. */
const HEARTBEAT = /^AT\+GTHBD=([^,]*,(\d{15}),.*),/;
const ANSWER = /^\+ACK:GT[A-Z0-9]{3},(\d{15}),/;

const login = (id: string): Message => ({ type: 'login', ids: [id] });

export function decode(frame: Uint8Array, { state }: DecodeContext<undefined>): Decoded<undefined> {
  const text = toLatin1(frame).replace(/\0+$/, '');
  const heartbeat = HEARTBEAT.exec(text);
  if (heartbeat !== null) {
    const replies = [storedTextReply(`+RESP:GTHBD,GPRS ACTIVE,${heartbeat[1]}\0`)];
    return { state, messages: [login(heartbeat[2]!), { type: 'heartbeat' }], replies };
  }
  const answerer = ANSWER.exec(text)?.[1];
  if (answerer !== undefined) return { state, messages: [login(answerer), textAnswer(text)], replies: [] };
  for (const read of [POSITIONS, STATE, CARD]) {
    const record = new TextRecord();
    if (read(text, record) < 0) continue;
    const positions = [...record.earlier, record].map((each) => each.toPosition());
    return { state, messages: [login(String(record.variables[DEVICE_ID])), ...positions], replies: [] };
  }
  throw new CodecError('bad-text', 'the fields are in no known order');
}
