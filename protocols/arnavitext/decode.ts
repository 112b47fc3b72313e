import {
  CodecError,
  type DecodeContext,
  type Decoded,
  decodedFor,
  fromLatin1,
  type Message,
  statusPosition,
  textAnswer,
  toLatin1,
} from '#codec';
import { matchRecord } from '#codec/text';
import { REPORT } from './tables.ts';

const SENTENCE = /^\$AV,([A-Z][A-Z\d]{0,15}),(\d{1,20})(?:,|\*|$)/;
const ANSWER = /^\$GSMCONT,GPRSACK,(\d{1,20}),\d{1,3},"(.*)"/;
const TAIL = /\*[0-9A-Fa-f]{2}\s*$/;
const IS_FIX = /^V\d$/;
/** Without it a device sends its messages again. Source: glonassd, decoder of Sat-Lite 2. */
const RECEIVED = fromLatin1('RCPTOK\r\n');
/** The clock of a device without a fix begins in 1980, that of one whose weeks have run over in 1999. */
const OLDEST = Date.UTC(2010, 0, 1);
const CARD = /,(\d{19,20}),/;

/** Sentences of fixes; those of sensors, cells and the device itself say who the device is. */
export function decode(frame: Uint8Array, { state }: DecodeContext<undefined>): Decoded<undefined> {
  const text = toLatin1(frame).replace(TAIL, '');
  const [, unit, answer] = ANSWER.exec(text) ?? [];
  if (unit !== undefined) return decodedOf(unit, textAnswer(answer!), state);
  const [, name, id] = SENTENCE.exec(text) ?? [];
  if (name === undefined || id === undefined) throw new CodecError('bad-text', 'no sentence of the family', 0);
  return decodedOf(id, messageOf(name, text), state);
}

const decodedOf = (id: string, message: Message, state: undefined): Decoded<undefined> =>
  decodedFor(id, { messages: [message], reply: RECEIVED }, state);

function messageOf(name: string, text: string): Message {
  if (IS_FIX.test(name)) return readReport(text);
  const iccid = name.endsWith('DI') ? CARD.exec(text)?.[1] : undefined;
  return iccid === undefined ? { type: 'heartbeat' } : statusPosition({ iccid });
}

function readReport(text: string): Message {
  const record = matchRecord(REPORT, text);
  if (text.endsWith(',SF')) record.draft.attributes['archive'] = true;
  if (record.day !== undefined && record.day < OLDEST) record.day = undefined;
  if (!record.hasFix && record.day !== undefined) record.draft.deviceTime = record.day + record.timeOfDay;
  return record.toPosition();
}
