import {
  CodecError,
  type DecodeContext,
  type Decoded,
  type Message,
  type Position,
  storedTextReply,
  toLatin1,
} from '#codec';
import { DEVICE_ID, TextRecord } from '#codec/text';
import { ID_BEFORE_SENTENCE, ID_SENTENCE, NOW, SENTENCES, WITHOUT_POSITION } from './tables.ts';

export interface T55State {
  /** the device of the connection has named itself */
  readonly named: boolean;
  /** the last position that came before the id */
  readonly waiting?: Position;
}

/** A name may contain spaces and other characters, which ids of devices may not. */
const idOf = (name: string): string => name.trim().replace(/[^\w.:-]+/g, '-');

export function decode(frame: Uint8Array, context: DecodeContext<T55State>): Decoded<T55State> {
  const { state, now } = context;
  const line = toLatin1(frame).trim();
  const name = ID_SENTENCE.exec(line)?.[1];
  if (name !== undefined) return named(name, state);
  const before = ID_BEFORE_SENTENCE.exec(line);
  const sentence = line.slice(before?.[0].length ?? 0);
  const record = new TextRecord({ [NOW]: now });
  const read = SENTENCES.find(([begins]) => begins.test(sentence))?.[1];
  if ((read?.(sentence, record) ?? -1) < 0) {
    if (!WITHOUT_POSITION.test(sentence)) throw new CodecError('unknown-type', 'the sentence is not known');
    return before === null
      ? { state, messages: [{ type: 'heartbeat' }], replies: [] }
      : named(before[1]!, state, { type: 'heartbeat' });
  }
  const position = record.toPosition();
  const id = record.variables[DEVICE_ID] ?? before?.[1];
  const isNamed = id !== undefined || state.named;
  const replies = isNamed && isAcknowledged(sentence, context) ? [storedTextReply('OK1\r\n')] : [];
  if (id !== undefined) return { ...named(String(id), state, position), replies };
  if (!isNamed) return { state: { named: false, waiting: position }, messages: [], replies };
  return { state, messages: [position], replies };
}

function named(name: string, { waiting }: T55State, ...messages: readonly Message[]): Decoded<T55State> {
  const earlier = waiting === undefined ? [] : [waiting];
  return {
    state: { named: true },
    messages: [{ type: 'login', ids: [idOf(name)] }, ...earlier, ...messages],
    replies: [],
  };
}

const isAcknowledged = (sentence: string, { options, transport }: DecodeContext<T55State>): boolean =>
  options['ack'] === true && transport === 'tcp' && sentence.startsWith('RMC', 3);
