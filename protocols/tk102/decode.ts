import {
  CodecError,
  type DecodeContext,
  type Decoded,
  Draft,
  fromLatin1,
  KNOT_KMH,
  type Message,
  storedReply,
  toLatin1,
} from '#codec';
import { capture, fix, grammar, TextRecord } from '#codec/text';
import { DATA_AT, DETAILED_LOGIN, HEARTBEAT, LOGIN, write } from './frame.ts';

const ADMITTED = 0x00;
const ALIVE = 0xff;
const ID = /^[A-Za-z0-9]{1,20}$/;
const DETAILS = /^\((\d{15}),/;

/** A word, then without separators time, validity, place, knots and date. */
const POSITION = grammar(
  '\\([A-Z]{1,8}',
  capture('\\d{6}', fix.timeOfDay('HHmmss')),
  capture('[AV]', fix.validWhen('A')),
  capture('\\d{4}\\.\\d{4}[NS]', fix.latitudeWithLetter),
  capture('\\d{5}\\.\\d{4}[EW]', fix.longitudeWithLetter),
  capture('\\d{3}\\.\\d{3}', fix.speed(KNOT_KMH)),
  capture('\\d{6}', fix.day('ddMMyy')),
);

/** Word, two numbers, states, clock, country, network; then cells, the serving one first. */
const CELLS = /^\(GSM(?:,\d{1,10}){3},\d{14},(\d{3}),(\d{1,3}),((?:\d{1,5},){3,60})/;

/** Strength as a 16-bit number with a sign, or without one; 0 where it is not known. */
const dbm = (level: number): number => (level > 0x7fff ? level - 0x1_0000 : 0 - level);

/** The clock is that of a device that has no fix: it begins in 2012, and says nothing. */
function readCells(text: string): Message | undefined {
  const [, mcc, mnc, list] = CELLS.exec(text) ?? [];
  if (list === undefined) return undefined;
  const draft = new Draft();
  const values = list.split(',').map(Number);
  for (let at = 0; at + 3 < values.length; at += 3) {
    const [cid, lac, level] = [values[at]!, values[at + 1]!, values[at + 2]!];
    const cell = { mcc: Number(mcc), mnc: Number(mnc), lac, cid };
    draft.addCell(level === 0 ? cell : { ...cell, rssi: dbm(level) });
  }
  return draft.toPosition();
}

export function decode(frame: Uint8Array, { state }: DecodeContext<undefined>): Decoded<undefined> {
  const type = frame[1]!;
  const data = frame.subarray(DATA_AT, -1);
  const text = toLatin1(data);
  const reply = (answer: number, content: Uint8Array) => [storedReply(write(answer, frame.subarray(2, 12), content))];
  if (type === HEARTBEAT) return { state, messages: [{ type: 'heartbeat' }], replies: reply(ALIVE, data) };
  if (type === LOGIN || type === DETAILED_LOGIN) {
    const id = type === LOGIN ? ID.exec(text)?.[0] : DETAILS.exec(text)?.[1];
    if (id === undefined) throw new CodecError('bad-text', 'no device id', DATA_AT);
    const messages: Message[] = [{ type: 'login', ids: [id] }];
    return { state, messages, replies: reply(ADMITTED, fromLatin1(`0${text}`.slice(0, 255))) };
  }
  const cells = readCells(text);
  if (cells !== undefined) return { state, messages: [cells], replies: [] };
  const record = new TextRecord();
  if (POSITION(text, record) < 0) throw new CodecError('unknown-type', `message ${type} is no position`);
  return { state, messages: [record.toPosition()], replies: [] };
}
