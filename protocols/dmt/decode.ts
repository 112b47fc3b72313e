import {
  CodecError,
  type DecodeContext,
  type Decoded,
  type Draft,
  handlerOf,
  type Message,
  Reader,
  type Reply,
  storedReply,
  Writer,
} from '#codec';
import { EPOCH, FIXED_BYTES, readFixed, readRecord } from './fields.ts';
import { HEADER_BYTES } from './frame.ts';

export interface State {
  /** of the device, as its hello says */
  readonly product?: number;
}

interface Read {
  readonly messages: readonly Message[];
  readonly replies: readonly Reply[];
  readonly state?: State;
}

const packet = (type: number, content: Uint8Array): Uint8Array =>
  new Writer(HEADER_BYTES + content.length).u8(0x02).u8(0x55).u8(type).u16LE(content.length).raw(content).finish();

const always = (type: number, content: Uint8Array): Read => ({
  messages: [],
  replies: [storedReply(packet(type, content))],
});

/** Only hellos of this length are answered without a time. */
const SHORT_HELLO = 51;
/** behind the IMEI and the number of the card */
const PRODUCT_AT = 41;

/** Serial number, IMEI, card, product. The answer says what time it is and whether the device is known. */
function readHello(reader: Reader, { now }: DecodeContext<State>): Read {
  const isShort = reader.remaining === SHORT_HELLO;
  const product = isShort || reader.remaining <= PRODUCT_AT ? undefined : reader.peekU8(PRODUCT_AT);
  reader.skip(4);
  const messages: Message[] = [{ type: 'login', ids: [reader.latin1(15)] }];
  const answer = (unknown: number): Uint8Array => {
    if (isShort) return packet(0x01, new Uint8Array(5));
    return packet(
      0x01,
      new Writer(8)
        .u32LE(Math.floor(now / 1000) - EPOCH)
        .u32LE(unknown)
        .finish(),
    );
  };
  const refused: Reply[] = isShort ? [] : [{ when: 'refused', bytes: answer(1) }];
  const replies: Reply[] = [storedReply(answer(0)), ...refused];
  return { messages, replies, state: product === undefined ? {} : { product } };
}

/** Records to the end, each as long as it says. What is cut off keeps what was read. */
function readRecords(reader: Reader, { state }: DecodeContext<State>): Read {
  const drafts: Draft[] = [];
  try {
    while (reader.remaining >= 2) {
      const size = reader.u16LE();
      const record = reader.slice(Math.min(Math.max(0, size - 2), reader.remaining));
      drafts.push(readRecord(record, state.product));
    }
  } catch (error) {
    if (!(error instanceof CodecError) || drafts.length === 0) throw error;
  }
  return { messages: drafts.map((draft) => draft.toPosition()), replies: [] };
}

function readFixedRecords(reader: Reader): Read {
  const messages: Message[] = [];
  while (reader.remaining >= FIXED_BYTES) messages.push(readFixed(reader));
  return { messages, replies: [] };
}

/** Seconds since the beginning of 2013. */
const readTimeRequest = (_reader: Reader, { now }: DecodeContext<State>): Read =>
  always(0x31, new Writer(4).u32LE(Math.floor(now / 1000) - EPOCH).finish());

const COMMITTED = always(0x06, Uint8Array.of(1));
const NOTHING: Read = { messages: [], replies: [] };
const FIRST_REQUEST = always(0x15, new Uint8Array(12));
const SECOND_REQUEST = always(0x23, new Uint8Array(0));

const HANDLERS: Readonly<Record<number, (reader: Reader, context: DecodeContext<State>) => Read>> = {
  0x00: readHello,
  0x04: readRecords,
  0x05: () => COMMITTED,
  0x10: readFixedRecords,
  0x14: () => FIRST_REQUEST,
  0x22: () => SECOND_REQUEST,
  // the device closes the connection
  0x26: () => NOTHING,
  0x30: readTimeRequest,
};

export function decode(bytes: Uint8Array, context: DecodeContext<State>): Decoded<State> {
  const reader = new Reader(bytes, 2);
  const type = reader.u8();
  reader.skip(2);
  const { messages, replies, state = context.state } = handlerOf(HANDLERS, type, 2)(reader, context);
  return { state, messages, replies };
}
