import { type DecodeContext, type Decoded, handlerOf, type Reply, storedReply, toLatin1 } from '#codec';
import { DEVICE_ID, matchRecord } from '#codec/text';
import { contentOf, DEFAULT_PASSWORD, write } from './frame.ts';
import { CLEARED_BY, MESSAGES } from './tables.ts';

const ECHO = /^ECHK,(\w{1,20}),/;
/** A command was carried out, with its number. */
const RESPONSE = /^AVRSP,(\w{1,20}),/;

export function decode(frame: Uint8Array, { state, options }: DecodeContext<undefined>): Decoded<undefined> {
  const content = contentOf(frame);
  const echo = ECHO.exec(content)?.[1];
  if (echo !== undefined) {
    const replies = [storedReply(write(content))];
    return { state, messages: [{ type: 'login', ids: [echo] }, { type: 'heartbeat' }], replies };
  }
  const answering = RESPONSE.exec(content)?.[1];
  if (answering !== undefined) {
    const answer = { type: 'answer', outcome: 'done', text: content } as const;
    return { state, messages: [{ type: 'login', ids: [answering] }, answer], replies: [] };
  }
  const type = content.slice(0, content.indexOf(','));
  const record = matchRecord(handlerOf(MESSAGES, type), content);
  const login = { type: 'login', ids: [String(record.variables[DEVICE_ID])] } as const;
  const replies = type === 'AVRMC' ? repliesTo(frame, content.split(','), options['password']) : [];
  return { state, messages: [login, record.toPosition()], replies };
}

/** An acknowledgement where it is wanted, which repeats event and checksum, and the command that clears the event. */
function repliesTo(frame: Uint8Array, fields: readonly string[], password: unknown): Reply[] {
  const [status = '', event = ''] = [fields[3], fields[11]];
  const clear = Object.hasOwn(CLEARED_BY, event) ? CLEARED_BY[event] : undefined;
  const checksum = toLatin1(frame, frame.length - 2);
  const secret = typeof password === 'string' && password !== '' ? password : DEFAULT_PASSWORD;
  return [
    ...(/[a-z]/.test(status) ? [`EAVACK,${event},${checksum}`] : []),
    ...(clear === undefined ? [] : [`AVCFG,${secret},${clear}`]),
  ].map((content) => storedReply(write(content)));
}
