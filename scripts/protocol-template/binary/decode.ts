import { CodecError, type DecodeContext, type Decoded, Draft, Reader, type Reply, storedReply } from '#codec';
import { packet } from './frame.ts';

// TODO state: what must be remembered between messages of a connection.
export interface State {
  readonly deviceId?: string;
}

const accept = (type: number): Reply => storedReply(packet(0x80, Uint8Array.of(type)));
const REFUSED: Reply = { when: 'refused', bytes: packet(0x8f, Uint8Array.of(0)) };

/** u32 s, i32 latitude and longitude in 1e-6 degrees, i16 m, u16 0.1 km/h, u16 degrees, u8 inputs, u16 mV. */
function readPosition(reader: Reader): Draft {
  const draft = new Draft();
  draft.setFix(reader.u32() * 1000, true, reader.i32() / 1e6, reader.i32() / 1e6);
  draft.setMovement(reader.i16(), reader.u16() / 10, reader.u16());
  const inputs = reader.u8();
  draft.attributes['ignition'] = (inputs & 1) !== 0;
  if (inputs & 2) draft.addAlarm('sos');
  draft.setNumber('power', reader.u16() / 1000);
  return draft;
}

// TODO handlers: one for each message of the vendor's document.
const HANDLERS: Readonly<Record<number, (reader: Reader, state: State) => Decoded<State>>> = {
  1: (reader) => {
    const deviceId = reader.hex(8).slice(1);
    return { state: { deviceId }, messages: [{ type: 'login', ids: [deviceId] }], replies: [accept(1), REFUSED] };
  },
  2: (reader, state) => ({ state, messages: [readPosition(reader).toPosition()], replies: [accept(2)] }),
  3: (_, state) => ({ state, messages: [{ type: 'heartbeat' }], replies: [accept(3)] }),
  4: (reader, state) => {
    const outcome = reader.u8() === 1 ? 'done' : 'refused';
    return { state, messages: [{ type: 'answer', outcome, text: reader.latin1(reader.remaining) }], replies: [] };
  },
};

/** Throws CodecError. */
export function decode(bytes: Uint8Array, { state }: DecodeContext<State>): Decoded<State> {
  const reader = new Reader(bytes, 3, bytes.length - 2);
  const type = reader.u8();
  const handler = HANDLERS[type];
  if (handler === undefined) throw new CodecError('unknown-type', `message type ${type}`, 3);
  return handler(reader, state);
}
