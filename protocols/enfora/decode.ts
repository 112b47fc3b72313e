import { CodecError, type DecodeContext, type Decoded, type Message, toLatin1 } from '#codec';
import { grammar, rmc, TextRecord } from '#codec/text';
import { numberAt } from './frame.ts';

const ANSWER = 5;
/** right-aligned in a field of spaces */
const ID = /(?:^|\D)(\d{15})(?!\d)/;
const RMC = grammar('GPRMC,', rmc, ',');

export function decode(frame: Uint8Array, { state }: DecodeContext<undefined>): Decoded<undefined> {
  const typeAt = numberAt(frame) + 2;
  if (frame.length < typeAt + 2) throw new CodecError('truncated', 'a message without its head', frame.length);
  const text = toLatin1(frame, typeAt + 2);
  if (frame[typeAt] === ANSWER) {
    const answer: Message = { type: 'answer', outcome: text.includes('ERROR') ? 'refused' : 'done', text: text.trim() };
    return { state, messages: [answer], replies: [] };
  }
  const id = ID.exec(text)?.[1];
  const messages: Message[] = id === undefined ? [] : [{ type: 'login', ids: [id] }];
  const at = text.indexOf('GPRMC,');
  const record = new TextRecord();
  const isFix = at >= 0 && RMC(text.slice(at), record) >= 0;
  messages.push(isFix ? record.toPosition() : { type: 'heartbeat' });
  return { state, messages, replies: [] };
}
