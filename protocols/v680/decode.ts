import { CodecError, type DecodeContext, type Decoded, type Message, toLatin1 } from '#codec';
import { TextRecord } from '#codec/text';
import { COMMON, DEVICE_ID, POSITION } from './tables.ts';

/** First part of a message that has an empty field; empty if there is none. */
export type State = string;

/** The id alone; or id and user, validity, password, event and packet, without the position. */
const FIRST_PART = /^#(\d{14,15})(?:#[^#]{0,40}#\d{1,4}(?:#[^#]{1,40}){2}#\d{1,10})?$/;
const ID = /^#(\d{14,15})#/;

/** The earlier ones of a message's positions have the values of its head, too. */
function positionsOf(record: TextRecord): Message[] {
  for (const earlier of record.earlier) {
    earlier.valid = record.valid;
    for (const key of COMMON) {
      const common = record.draft.attributes[key];
      if (common !== undefined) earlier.draft.attributes[key] = common;
    }
  }
  return [...record.earlier, record].map((each) => each.toPosition());
}

export function decode(frame: Uint8Array, { state }: DecodeContext<State>): Decoded<State> {
  const text = toLatin1(frame).trim().replace(/##$/, '');
  const first = FIRST_PART.exec(text)?.[1];
  if (first !== undefined) return { state: text, messages: [{ type: 'login', ids: [first] }], replies: [] };
  const record = new TextRecord();
  const messages: Message[] = [];
  const isWhole = POSITION(text, record) >= 0;
  if (!isWhole && POSITION(`${state}##${text}`, record) < 0) {
    const id = ID.exec(text)?.[1];
    if (id === undefined) throw new CodecError('bad-text', 'the fields are in no known order');
    return { state: '', messages: [{ type: 'login', ids: [id] }, { type: 'heartbeat' }], replies: [] };
  }
  const id = record.variables[DEVICE_ID];
  if (id !== undefined) messages.push({ type: 'login', ids: [String(id)] });
  return { state: isWhole ? '' : state, messages: [...messages, ...positionsOf(record)], replies: [] };
}
