import {
  type DecodeContext,
  type Decoded,
  type Message,
  type Reply,
  storedTextReply,
  textAnswer,
  toLatin1,
} from '#codec';
import { decodeBinary } from './binary.ts';
import { MARK } from './frame.ts';
import { decodeText } from './text.ts';

const REPLY: readonly Reply[] = [storedTextReply('1234')];

export function decode(bytes: Uint8Array, { state }: DecodeContext<undefined>): Decoded<undefined> {
  const messages = bytes[0] === MARK ? decodeBinary(bytes) : decodeText(toLatin1(bytes));
  return { state, messages: messages.flatMap(withAnswer), replies: REPLY };
}

/** An item that has text in place of a time answers a command. */
function withAnswer(message: Message): Message[] {
  const result = message.type === 'position' ? message.attributes['result'] : undefined;
  return typeof result === 'string' && /\D/.test(result) ? [message, textAnswer(result)] : [message];
}

export const acknowledgeUndecoded = (): readonly Reply[] => REPLY;
