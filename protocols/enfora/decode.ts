import { CodecError, type DecodeContext, type Decoded, type Message, readOptional, toLatin1 } from '#codec';
import { grammar, rmc, TextRecord } from '#codec/text';
import { readBinaryEvent } from './binary.ts';
import { numberAt } from './frame.ts';

const ANSWER = 5;
/** of an event in binary, which has no optional header and begins with a number and the id */
const BINARY = 2;
/** right-aligned in a field of spaces */
const ID = /(?:^|\D)(\d{15})(?!\d)/;
/** The name that AT$MDMID gives the device, of up to 20 characters, alone in a wake-up and behind a number in a report. */
const WAKE_UP = 8;
const NAME = /^ *([!-~]{1,20}) *$/;
const NAME_BEHIND_NUMBER = /^ *\d{1,10} +([!-~]{1,20}) /;
const RMC = grammar('GPRMC,', rmc, ',');

export function decode(frame: Uint8Array, { state }: DecodeContext<undefined>): Decoded<undefined> {
  const typeAt = numberAt(frame) + 2;
  if (frame.length < typeAt + 2) throw new CodecError('truncated', 'a message without its head', frame.length);
  const text = toLatin1(frame, typeAt + 2);
  if (frame[typeAt] === ANSWER) {
    const answer: Message = { type: 'answer', outcome: text.includes('ERROR') ? 'refused' : 'done', text: text.trim() };
    return { state, messages: [answer], replies: [] };
  }
  const id = (ID.exec(text) ?? (frame[typeAt] === WAKE_UP ? NAME : NAME_BEHIND_NUMBER).exec(text))?.[1];
  const messages: Message[] = id === undefined ? [] : [{ type: 'login', ids: [id] }];
  const at = text.indexOf('GPRMC,');
  const record = new TextRecord();
  const isFix = at >= 0 && RMC(text.slice(at), record) >= 0;
  const event = at < 0 && frame[typeAt] === BINARY ? binaryEvent(frame.subarray(typeAt + 2)) : undefined;
  messages.push(isFix ? record.toPosition() : (event ?? { type: 'heartbeat' }));
  return { state, messages, replies: [] };
}

/** Text has no zeros before the id. An event of another mask is a heartbeat. */
function binaryEvent(bytes: Uint8Array): Message | undefined {
  if (bytes[0] !== 0) return undefined;
  let message: Message | undefined;
  readOptional(() => {
    message = readBinaryEvent(bytes).toPosition();
  });
  return message;
}
