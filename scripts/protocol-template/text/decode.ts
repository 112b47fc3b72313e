import { type DecodeContext, type Decoded, decodedFor, fromLatin1, KNOT_KMH, textAnswer, toLatin1 } from '#codec';
import { field, fix, flag, grammar, matchRecord, number, optional } from '#codec/text';

/** `*AC,<IMEI>,<type>,`, the fields of the type, `#`. */
const HEAD = /^\*AC,(\d{15}),([A-Z]),([^#]*)/;

// TODO position: the fields in their order, with the vendor's clause and the units of docs/vocabulary.md. What newer
// firmware adds behind them is passed over.
const POSITION = grammar(
  '\\*AC,\\d{15},P,',
  field('\\d{6}', fix.day('ddMMyy')),
  field('\\d{6}', fix.timeOfDay('HHmmss')),
  field('[AV]', fix.validWhen('A')),
  field('\\d{4}\\.\\d{4},[NS]', fix.latitudeWithLetter),
  field('\\d{5}\\.\\d{4},[EW]', fix.longitudeWithLetter),
  field('\\d{1,3}\\.\\d', fix.speed(KNOT_KMH)),
  field('\\d{1,3}', fix.course()),
  field('[01]', flag('ignition')),
  optional(field('\\d{1,2}\\.\\d{1,2}', number('power'))),
);

// TODO messages: one line for each type. Text that does not match throws CodecError, so that the frame is kept raw; no
// messages would mean that it is acknowledged and nothing of it is kept.
export function decode(frame: Uint8Array, { state }: DecodeContext<undefined>): Decoded<undefined> {
  const text = toLatin1(frame);
  const [, id = '', type, content = ''] = HEAD.exec(text) ?? [];
  const reply = fromLatin1(`*AC,ACK,${type}#`);
  if (type === 'H') return decodedFor(id, { messages: [{ type: 'heartbeat' }], reply }, state);
  if (type === 'R') return decodedFor(id, { messages: [textAnswer(content, content.startsWith('OK'))] }, state);
  return decodedFor(id, { messages: [matchRecord(POSITION, text).toPosition()], reply }, state);
}
