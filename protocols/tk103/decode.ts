import {
  CodecError,
  type DecodeContext,
  type Decoded,
  degreesFromMinutes,
  type Message,
  type Position,
  positionOf,
  type Reply,
  statusPosition,
  storedTextReply,
  toLatin1,
  withHemisphere,
} from '#codec';
import { utcFromDigits } from '#codec/text';
import { readPosition } from './position.ts';
import { SENTENCES } from './sentences.ts';

const COMMAS = /^\(([A-Za-z0-9._:-]{1,32}),([A-Z]{2}[0-9A-Z]{2})(?:,(.*))?\)$/s;
/** The id has twelve characters, NUL behind a shorter one; some devices send eleven digits, or all fifteen of their IMEI. */
const BRACKETS =
  /^\(([A-Za-z0-9._:-]{12}|\d{11}\0|\d{10}\0{2}|\d{9}\0{3}|\d{8}\0{4}|\d{11}|\d{15})([A-Z]{2}\d\d),?(.*)\)$/s;
/** what a login may hold besides */
const IMEI = /^\d{15}/;
const [LOGIN, PLACED_LOGIN, ALARM] = ['BP00', 'BP05', 'BO01'];

export function decode(frame: Uint8Array, { state }: DecodeContext<undefined>): Decoded<undefined> {
  const text = toLatin1(frame);
  const comma = COMMAS.exec(text);
  const m = comma ?? BRACKETS.exec(text);
  if (m === null) throw new CodecError('bad-text', 'no sentence of the family', 0);
  const [, id, type, content = ''] = m as unknown as [string, string, string, string?];
  const messages: Message[] = [{ type: 'login', ids: [id.replaceAll('\0', '')] }];
  const isBracket = comma === null;
  const place = isBracket && type === LOGIN ? placeOfTopflytech(content) : undefined;
  if (place !== undefined) return { state, messages: [...messages, place], replies: [] };
  if (isBracket && type === LOGIN) return { state, messages, replies: [storedTextReply(`(${id}AP01HSO)`)] };
  const read = SENTENCES.find(([is]) => is({ type, content }))?.[1];
  if (read !== undefined) return { state, messages: [...messages, ...read({ type, content })], replies: [] };
  messages.push(
    ...(isBracket && type === PLACED_LOGIN ? readPlace(content) : [readPosition(type, content, !isBracket)]),
  );
  return { state, messages, replies: isBracket ? repliesTo(id, type, content) : [] };
}

const TOPFLYTECH = /(\d{12})([AV])(\d{2})(\d{2}\.\d{4})([NS])(\d{3})(\d{2}\.\d{4})([EW])(\d{3}\.\d)(\d{1,3}\.\d{1,2})$/;

/** Early text trackers of TOPFLYtech send their places in the same sentence: time, place, knots, course, at its end. */
function placeOfTopflytech(content: string): Position | undefined {
  const m = TOPFLYTECH.exec(content);
  if (m === null) return undefined;
  const fix = {
    time: utcFromDigits(`20${m[1]}`),
    valid: m[2] === 'A',
    latitude: withHemisphere(degreesFromMinutes(Number(m[3]), Number(m[4])), m[5]),
    longitude: withHemisphere(degreesFromMinutes(Number(m[6]), Number(m[7])), m[8]),
    speed: Number(m[9]) * KNOT_KMH,
    course: Number(m[10]) % 360,
  };
  return positionOf(fix, {});
}
const KNOT_KMH = 1.852;

/** It is a login, whatever stands behind it. What is no place is kept as it is. */
function readPlace(content: string): Message[] {
  try {
    return [readPosition(PLACED_LOGIN, content, false)];
  } catch (error) {
    if (!(error instanceof CodecError)) throw error;
    const data = content.replace(IMEI, '');
    return [data === '' ? { type: 'heartbeat' } : statusPosition({ data })];
  }
}

/** A device repeats an alarm until its digit comes back. */
function repliesTo(id: string, type: string, content: string): Reply[] {
  if (type === PLACED_LOGIN) return [storedTextReply(`(${id}AP05)`)];
  const digit = /^\d/.exec(content)?.[0];
  return type === ALARM && digit !== undefined ? [storedTextReply(`(${id}AS01${digit})`)] : [];
}
