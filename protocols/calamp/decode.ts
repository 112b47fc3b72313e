import { CodecError, type Decoded, type Message, Reader, type Reply, storedReply } from '#codec';
import { type Context, readReport, type State } from './report.ts';

const OPTIONS = 0x80;
const ACKNOWLEDGED = 1;
const RESPONSE = 2;
const ACK = 1;
const MAX_TYPE = 11;
const FILLER = /f+$/;

/** Options header and message header. */
interface Opened {
  readonly id: string | undefined;
  readonly service: number;
  readonly type: number;
  readonly sequence: number;
  /** over the body */
  readonly reader: Reader;
}

function open(bytes: Uint8Array): Opened {
  const reader = new Reader(bytes);
  let id: string | undefined;
  const first = reader.peekU8();
  if (first & OPTIONS) {
    reader.skip(1);
    for (let bit = 0; bit < 7; bit++) {
      if (!(first & (1 << bit))) continue;
      const length = reader.u8();
      if (bit === 0) id = reader.hex(length).replace(FILLER, '');
      else reader.skip(length);
    }
  }
  return { id: id || undefined, service: reader.u8(), type: reader.u8(), sequence: reader.u16(), reader };
}

/** Service response, type acknowledgement: the sequence as it came, the type, result 0, application version. */
function replies({ service, type, sequence }: Opened): readonly Reply[] {
  if (service !== ACKNOWLEDGED) return [];
  const bytes = Uint8Array.of(RESPONSE, ACK, sequence >> 8, sequence & 0xff, type, 0, 0, 0, 0, 0);
  return [storedReply(bytes)];
}

const NULL_MESSAGE = 0;

function messagesOf({ type, service, reader }: Opened): Message[] {
  if (type > MAX_TYPE) throw new CodecError('unknown-type', `message ${type} is not known`);
  if (type === NULL_MESSAGE) return [{ type: 'heartbeat' }];
  if (type === ACK && service === RESPONSE) {
    reader.skip(1);
    return [{ type: 'answer', outcome: reader.u8() === 0 ? 'done' : 'refused' }];
  }
  const draft = readReport(type, reader);
  return draft === undefined ? [] : [draft.toPosition()];
}

/** A message of an unknown device has no content and is not answered. */
export function decode(bytes: Uint8Array, { state }: Context): Decoded<State> {
  const opened = open(bytes);
  const deviceId = opened.id ?? state.deviceId;
  if (deviceId === undefined) return { state, messages: [], replies: [] };
  const messages = messagesOf(opened);
  if (opened.id !== undefined) messages.unshift({ type: 'login', ids: [deviceId] });
  return { state: deviceId === state.deviceId ? state : { deviceId }, messages, replies: replies(opened) };
}

export function acknowledgeUndecoded(bytes: Uint8Array): readonly Reply[] {
  try {
    return replies(open(bytes));
  } catch (error) {
    if (error instanceof CodecError) return [];
    throw error;
  }
}
