import { CodecError, type DecodeContext, type Decoded, type Message, readOptional, toLatin1 } from '#codec';
import { gga, grammar, rmc, TextRecord } from '#codec/text';
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
const GGA = grammar(gga);
/** The number that the author of the event chose, in 11 characters before the name of the device, which takes 22. */
const USER_NUMBER = /^ *(\d{1,10}) +[!-~]{1,20} /;
/**
 * Where the event's number alone stands behind the name, in 3 characters. Source: Novatel, MT 3060 AT command reference,
 * bit-field table 0: inputs take 6 characters, voltages 5.
 */
const EVENT = /^ *\d{1,10} +[!-~]{1,20} (?=[\d ]{3}\$GP) *(\d{1,3}) *\$GP/;
/** Metres in 11 characters behind the last sentence, and the clock in 13. */
const ODOMETER = /\*[0-9A-F]{2}[\s\0]*?(?=[ \d]{11}(?:[\d ]{13})?[\s\0]*$) *(\d{1,10}) *(?:\d{12} *)?[\s\0]*$/;

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
  if (isFix) addNumbers(text, record);
  const event = at < 0 && frame[typeAt] === BINARY ? binaryEvent(frame.subarray(typeAt + 2)) : undefined;
  messages.push(isFix ? record.toPosition() : (event ?? { type: 'heartbeat' }));
  return { state, messages, replies: [] };
}

function addNumbers(text: string, record: TextRecord): void {
  const { attributes } = record.draft;
  const [status, event, odometer] = [USER_NUMBER, EVENT, ODOMETER].map((pattern) => pattern.exec(text)?.[1]);
  if (status !== undefined) attributes['status'] = Number(status);
  if (event !== undefined) attributes['event'] = Number(event);
  if (odometer !== undefined) attributes['odometer'] = Number(odometer);
  const ggaAt = text.indexOf('GPGGA,');
  if (ggaAt >= 0) GGA(text.slice(ggaAt), record);
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
