import { type DecodeContext, type Decoded, KNOT_KMH, type Message, storedTextReply, toLatin1 } from '#codec';
import {
  alarmsByText,
  all,
  capture,
  fix,
  grammar,
  matchRecord,
  number,
  oneOf,
  optional,
  sequence,
  textValue,
} from '#codec/text';

const ID = /UB05([A-Za-z0-9]{15})/;
/** A login repeats its time in the answer. */
const LOGIN = /^\*(\d{12})UB05[A-Za-z0-9]{15}/;
const HANDSHAKE = /^\*\d{12}UB00/;

/** The number of the alarm, and its name. */
const ALARM = sequence('UA01', capture('\\d', all(number('event'), alarmsByText({ 2: 'sos' }))), '[A-Za-z-]{0,30}');
const OTHERS = sequence('U[A-Z]\\d\\d[A-Za-z0-9]{0,15}?');

/** Behind type and id: fields of one width each, of which the last two may be missing. */
const POSITION = grammar(
  '\\*\\d{12}',
  oneOf(ALARM, OTHERS),
  capture('\\d{6}', fix.timeOfDay('HHmmss')),
  capture('[AV]', fix.validWhen('A')),
  capture('\\d{4}\\.\\d{4}[NS]', fix.latitudeWithLetter),
  capture('\\d{5}\\.\\d{4}[EW]', fix.longitudeWithLetter),
  capture('(?=.{0,3}\\.)[\\d.]{5}', fix.speed(KNOT_KMH)),
  capture('\\d{6}', fix.day('yyMMdd')),
  capture('\\d{2,3}\\.\\d\\d', fix.course()),
  optional(capture('\\d{8}', textValue('status')), 'L', capture('\\d{6}', number('odometer'))),
  '$',
);

export function decode(frame: Uint8Array, { state }: DecodeContext<undefined>): Decoded<undefined> {
  const text = toLatin1(frame);
  const id = ID.exec(text)?.[1];
  const messages: Message[] = id === undefined ? [] : [{ type: 'login', ids: [id] }];
  if (HANDSHAKE.test(text)) return { state, messages: [{ type: 'heartbeat' }], replies: [] };
  const login = LOGIN.exec(text)?.[1];
  const replies = login === undefined ? [] : [storedTextReply(`*${login}DX061^`)];
  return { state, messages: [...messages, matchRecord(POSITION, text).toPosition()], replies };
}
