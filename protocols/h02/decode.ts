import {
  CodecError,
  type DecodeContext,
  type Decoded,
  type Message,
  type Reply,
  storedTextReply,
  toLatin1,
} from '#codec';
import { LONG_RECORD, SHORT_RECORD } from './elements.ts';
import { configuredLength, type H02State } from './frame.ts';
import { readRecord } from './record.ts';
import { confirmation, general, SENTENCES } from './sentences.ts';

const DOLLAR = 0x24;
const ID = /^\d{0,20}$/;

export function decode(frame: Uint8Array, context: DecodeContext<H02State>): Decoded<H02State> {
  if (frame[0] === DOLLAR) {
    const { id, position } = readRecord(frame);
    const reply = context.options['ack'] === true ? confirmation(id, context.now) : undefined;
    return decoded(afterRecord(frame.length, context), id, [position], reply);
  }
  // datagrams may end in white space
  const text = toLatin1(frame).trim();
  const idEnd = text.indexOf(',', 4);
  if (text[0] !== '*' || text[3] !== ',' || idEnd < 0)
    throw new CodecError('bad-text', 'not a sentence of the family', 0);
  const typeEnd = text.indexOf(',', idEnd + 1);
  const type = text.slice(idEnd + 1, typeEnd < 0 ? text.indexOf('#', idEnd) : typeEnd);
  const read = SENTENCES.get(type) ?? (type[0] === 'V' ? general : undefined);
  if (read === undefined)
    throw new CodecError('unknown-type', `no layout is known for ${type.slice(0, 16)}`, idEnd + 1);
  const id = text.slice(4, idEnd);
  if (!ID.test(id)) throw new CodecError('bad-text', 'the id is not decimal', 4);
  const sentence = read(text, id, context);
  if (sentence === undefined) throw new CodecError('bad-text', `not the layout of ${type.slice(0, 16)}`, idEnd + 1);
  const state = context.state.probing ? { ...context.state, probing: false } : context.state;
  return decoded(state, id, sentence.messages, sentence.reply);
}

function decoded(
  state: H02State,
  id: string,
  messages: readonly Message[],
  reply: string | undefined,
): Decoded<H02State> {
  const replies: Reply[] = reply === undefined ? [] : [storedTextReply(reply)];
  return { state, messages: id === '' ? messages : [{ type: 'login', ids: [id] }, ...messages], replies };
}

/** A record cut at its longer length settles the length; one cut at the shorter leaves it open. */
function afterRecord(length: number, context: DecodeContext<H02State>): H02State {
  const { state } = context;
  if (context.transport === 'udp' || state.recordBytes !== undefined || configuredLength(context) !== undefined)
    return state;
  if (length === LONG_RECORD) return { recordBytes: LONG_RECORD, probing: false };
  return length === SHORT_RECORD && !state.probing ? { probing: true } : state;
}
