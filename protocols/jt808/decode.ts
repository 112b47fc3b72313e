import {
  CodecError,
  collect,
  type DecodeContext,
  type Decoded,
  type DeviceOptions,
  fromLatin1,
  type Message,
  Reader,
  type Reply,
  statusPosition,
  storedReply,
  textAnswer,
  toHex,
  toLatin1,
} from '#codec';
import { utcToDigits } from '#codec/text';
import { dialectOf } from './dialect.ts';
import { FRESH, type Header, PART_LIMITS, type State, type Terminal } from './header.ts';
import type { Incoming } from './messages/handle.ts';
import { AUTHENTICATE, HANDLERS, REGISTER } from './messages/index.ts';
import { PADLOCK_ID, TEXT } from './texts.ts';
import { askAgain, generalAnswer, hasHeader, namesOf, readHeader, terminalOf } from './wire.ts';

export const initialState = (deviceId?: string): State => (deviceId === undefined ? FRESH : { ...FRESH, proven: true });

type Context = DecodeContext<State>;

export function decode(frame: Uint8Array, context: Context): Decoded<State> {
  if (frame[0] === TEXT) return decodeText(toLatin1(frame), context);
  const { state, options } = context;
  const header = readHeader(frame);
  const terminal = terminalOf(frame, header, state.terminal);
  if (!mayTalk(header, terminal, context)) {
    throw new CodecError('not-identified', 'no authentication code has been shown', header.bodyAt);
  }
  const messages: Message[] = [{ type: 'login', ids: terminal.ids }];
  const replies: Reply[] = [];
  if (header.part !== undefined) return decodePart(frame, { header, terminal, messages, replies }, context);
  const handle = HANDLERS.get(header.type);
  if (handle === undefined) {
    throw new CodecError('unknown-type', `message ${header.type.toString(16).padStart(4, '0')}`, 1);
  }
  handle({
    header,
    terminal,
    r: new Reader(frame, header.bodyAt),
    bodyBytes: header.bodyEnd - header.bodyAt,
    dialect: dialectOf(options),
    options,
    now: context.now,
    messages,
    replies,
  });
  return { state: stateAfter(header, terminal, state, options), messages, replies };
}

const needsCode = (options: DeviceOptions): boolean => Boolean(options['authenticationKey']);

/** Where the server has a key, a device shows its code first. */
const mayTalk = ({ type }: Header, { ids }: Terminal, { state, options }: Context): boolean =>
  !needsCode(options) || type === REGISTER || type === AUTHENTICATE || state.proven === true || state.proven === ids[0];

function stateAfter(header: Header, terminal: Terminal, state: State, options: DeviceOptions): State {
  const shown = header.type === AUTHENTICATE && needsCode(options) ? terminal.ids[0] : state.proven;
  return shown === state.proven && terminal === state.terminal ? state : { ...state, terminal, proven: shown };
}

type Begun = Pick<Incoming, 'header' | 'terminal' | 'messages' | 'replies'>;

/** One part of a message: answered for itself, decoded when it was the one that was missing. */
function decodePart(frame: Uint8Array, begun: Begun, context: Context): Decoded<State> {
  const { header, terminal, messages, replies } = begun;
  const { state, options } = context;
  const { total, index } = header.part!;
  const first = (header.serial - index + 1) & 0xffff;
  const bytes = frame.subarray(header.bodyAt, header.bodyEnd);
  const limit = options['maxMessageBytes'];
  const limits = typeof limit === 'number' && limit > 0 ? { ...PART_LIMITS, bytes: limit } : PART_LIMITS;
  const part = { of: `${header.type} ${toHex(terminal.id)}`, first, total, index, bytes };
  const { pending, whole, missing } = collect(state.pending, part, limits);
  const after: State = { ...state, terminal, pending };
  if (whole !== undefined) {
    const decoded = decode(assemble(frame, header, whole), { ...context, state: after });
    return { ...decoded, state: { ...decoded.state, pending } };
  }
  replies.push(storedReply(generalAnswer(terminal, header)));
  if (missing !== undefined) replies.push(storedReply(askAgain(terminal, first, missing)));
  return { state: after, messages, replies };
}

/** The message as it would be in one frame. */
function assemble(frame: Uint8Array, header: Header, body: Uint8Array): Uint8Array {
  const head = header.bodyAt - 4;
  const whole = new Uint8Array(head + body.length + 2);
  whole.set(frame.subarray(0, head));
  whole.set(body, head);
  whole.set(frame.subarray(header.bodyEnd), head + body.length);
  const declared = Math.min(body.length, 0x3ff);
  whole[3] = ((header.properties >> 8) & 0xdc) | (declared >> 8);
  whole[4] = declared;
  return whole;
}

/** `(…)`: text of a padlock, which asks for the time or answers a command. */
function decodeText(text: string, { state, options, now }: Context): Decoded<State> {
  if (needsCode(options) && state.proven === undefined)
    throw new CodecError('not-identified', 'text of a device without authentication', 0);
  const id = PADLOCK_ID.exec(text)?.[1];
  const messages: Message[] = id === undefined ? [] : [{ type: 'login', ids: namesOf(id) }];
  if (text.includes('BASE,2')) {
    const bytes = fromLatin1(text.replaceAll('TIME', utcToDigits(now)));
    return { state, messages, replies: [{ when: 'received', bytes }] };
  }
  messages.push(statusPosition({ result: text }), textAnswer(text));
  return { state, messages, replies: [] };
}

const FAILED = 1;

/** 8001, so that the device goes on; "failed" to one that has not shown its code. */
export function acknowledgeUndecoded(frame: Uint8Array, context: Context): readonly Reply[] {
  const { state, options } = context;
  if (frame[0] === TEXT || !hasHeader(frame)) return [];
  const header = readHeader(frame);
  const terminal = terminalOf(frame, header, state.terminal);
  const isUnauthenticated = header.type === AUTHENTICATE ? needsCode(options) : !mayTalk(header, terminal, context);
  const bytes = generalAnswer(terminal, header, isUnauthenticated ? FAILED : 0);
  return [{ when: isUnauthenticated ? 'received' : 'stored', bytes }];
}
