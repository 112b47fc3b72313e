import {
  CodecError,
  type DecodeContext,
  type Decoded,
  type Message,
  type Reply,
  storedTextReply,
  toLatin1,
} from '#codec';
import { TextRecord } from '#codec/text';
import { readForm } from './form.ts';
import { LAYOUTS } from './tables.ts';

type LayoutName = keyof typeof LAYOUTS;

/** The layout that the connection's first message has. */
export interface State {
  readonly layout?: LayoutName;
}

const MESSAGE = /^\$\$(\d{4,20},[^#]{1,2000})(?:##)?$/;
const DATAGRAM = /^\$\$\d{4,20},(\d{1,10}),.*,(\d{1,10})##$/;

export function decode(frame: Uint8Array, { state, transport, options }: DecodeContext<State>): Decoded<State> {
  const text = toLatin1(frame);
  const content = MESSAGE.exec(text)?.[1];
  if (content === undefined) throw new CodecError('bad-text', 'no message of the family', 0);
  const replies = transport === 'udp' ? acknowledge(text) : [];
  const form = options['form'];
  if (typeof form === 'string' && form !== '') {
    const { id, message } = readForm(content.split(','), form) ?? {};
    if (message === undefined) throw new CodecError('truncated', 'fewer values than the form has');
    return { state, messages: [...loginOf(id), message], replies };
  }
  const names: readonly LayoutName[] = state.layout === undefined ? ['new', 'old'] : [state.layout];
  for (const layout of names) {
    const record = new TextRecord();
    if (LAYOUTS[layout](content, record) < 0) continue;
    const message = record.toPosition();
    const id = content.slice(0, content.indexOf(','));
    return { state: { layout }, messages: [...loginOf(id), message], replies };
  }
  throw new CodecError('bad-text', 'the fields are of no known layout');
}

const loginOf = (id: string | undefined): Message[] => (id === undefined ? [] : [{ type: 'login', ids: [id] }]);

/** Datagrams are acknowledged by event and the sequence at their end. */
function acknowledge(text: string): readonly Reply[] {
  const m = DATAGRAM.exec(text);
  return m === null ? [] : [storedTextReply(`!UDP_ACK,${m[1]},${m[2]}`)];
}

export const acknowledgeUndecoded = (frame: Uint8Array, { transport }: DecodeContext<State>): readonly Reply[] =>
  transport === 'udp' ? acknowledge(toLatin1(frame)) : [];
