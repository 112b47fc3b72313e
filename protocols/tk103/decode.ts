import {
  CodecError,
  type DecodeContext,
  type Decoded,
  type Message,
  type Reply,
  statusPosition,
  storedTextReply,
  toLatin1,
} from '#codec';
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
  if (isBracket && type === LOGIN) return { state, messages, replies: [storedTextReply(`(${id}AP01HSO)`)] };
  const read = SENTENCES.find(([is]) => is({ type, content }))?.[1];
  if (read !== undefined) return { state, messages: [...messages, ...read({ type, content })], replies: [] };
  messages.push(
    ...(isBracket && type === PLACED_LOGIN ? readPlace(content) : [readPosition(type, content, !isBracket)]),
  );
  return { state, messages, replies: isBracket ? repliesTo(id, type, content) : [] };
}

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
