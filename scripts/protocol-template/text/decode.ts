import {
  CodecError,
  type DecodeContext,
  type Decoded,
  Draft,
  fromLatin1,
  type Message,
  type Reply,
  toLatin1,
} from '#codec';
import { Fields, isDigits, utcFromDigits } from '#codec/text';
import { ELEMENTS } from './elements.ts';
import { sentence } from './frame.ts';

// TODO state: what has to be remembered between messages of a connection.
export type State = Readonly<Record<string, never>>;

interface Meaning {
  readonly messages: readonly Message[];
  readonly replies: readonly Reply[];
}

/** What came is named, so that the device knows what is safe. */
const accepted = (type: string): readonly Reply[] => [
  { when: 'refused', bytes: fromLatin1(sentence('NAK')) },
  { when: 'stored', bytes: fromLatin1(sentence(`ACK,${type}`)) },
];

/** `number=value`, by the table. */
function readElement(draft: Draft, text: string): void {
  const fields = new Fields(text.split('='));
  const id = fields.integer();
  const value = fields.number();
  const element = ELEMENTS[id];
  if (element === undefined) draft.setNumber(`io${Math.abs(id)}`, value);
  else if (element.is === 'number') draft.setNumber(element.key, value * element.factor);
  else if (element.is === 'flag') draft.attributes[element.key] = value !== 0;
  else if (value !== 0) draft.addAlarm(element.alarm);
}

/** Time, validity, latitude, longitude, altitude, speed, course, elements. */
function readPosition(fields: Fields): Meaning {
  const clock = fields.text();
  if (!isDigits(clock, 14)) throw new CodecError('bad-text', 'no time');
  const draft = new Draft();
  const valid = fields.text() === 'A';
  draft.setFix(utcFromDigits(clock), valid, fields.number(), fields.number());
  draft.setMovement(fields.number(), fields.number(), fields.number());
  while (fields.left > 0) readElement(draft, fields.text());
  return { messages: [draft.toPosition()], replies: accepted('P') };
}

// TODO handlers: one for each message of the vendor's document.
const HANDLERS: Readonly<Record<string, (fields: Fields) => Meaning>> = {
  P: readPosition,
  H: () => ({ messages: [{ type: 'heartbeat' }], replies: accepted('H') }),
  R: (fields) => ({
    messages: [{ type: 'answer', outcome: fields.text() === '1' ? 'done' : 'refused', text: fields.text() }],
    replies: [],
  }),
};

/** `$acme,<id>,<type>,…*HH`. Throws CodecError. */
export function decode(bytes: Uint8Array, { state }: DecodeContext<State>): Decoded<State> {
  const text = toLatin1(bytes);
  const fields = new Fields(text.slice(0, text.lastIndexOf('*')).split(','), 1);
  const id = fields.text();
  if (!isDigits(id, 15)) throw new CodecError('bad-text', 'no IMEI');
  const type = fields.text();
  const handler = Object.hasOwn(HANDLERS, type) ? HANDLERS[type] : undefined;
  if (handler === undefined) throw new CodecError('unknown-type', `message ${type.slice(0, 20)} is not known`);
  const { messages, replies } = handler(fields);
  return { state, messages: [{ type: 'login', ids: [id] }, ...messages], replies };
}

/** So that an unknown message does not block its device. */
export const acknowledgeUndecoded = (): readonly Reply[] => accepted('?').slice(1);
