import {
  CodecError,
  type DecodeContext,
  type Decoded,
  Draft,
  degreesFromMinutes,
  KNOT_KMH,
  type Message,
  Reader,
  utcFromCalendar,
} from '#codec';
import { imeiOf, MAX_FRAME_BYTES, unshift } from './frame.ts';

export interface State {
  readonly isLoggedIn: boolean;
}

const WEST = 0x80;
const SOUTH = 0x40;
const HUNDREDS = 0x3f;
const SATELLITES_AT = 16;

const readMinutes = (reader: Reader): number => reader.u8() + reader.u8() / 100 + reader.u8() / 10_000;

/** The upper bits of the date and the time are set by some devices. */
function readTime(reader: Reader): number {
  const day = reader.u8() & 0x3f;
  const month = reader.u8() & 0x3f;
  const year = 2000 + reader.u8();
  return utcFromCalendar(year, month, day, reader.u8() & 0x3f, reader.u8() & 0x7f, reader.u8() & 0x7f);
}

function readPosition(bytes: Uint8Array): Message {
  const reader = new Reader(bytes);
  const draft = new Draft();
  const time = readTime(reader);
  const latitude = degreesFromMinutes(reader.u8(), readMinutes(reader));
  const flags = reader.u8();
  const longitude = degreesFromMinutes((flags & HUNDREDS) * 100 + reader.u8(), readMinutes(reader));
  const signed = (value: number, mask: number): number => ((flags & mask) === 0 ? value : 0 - value);
  draft.setFix(time, true, signed(latitude, SOUTH), signed(longitude, WEST));
  draft.speed = reader.u8() * KNOT_KMH;
  draft.attributes['sat'] = reader.u8();
  return draft.toPosition();
}

/** The first packet of a connection names the device. One without satellites has cells, which are not read. */
export function decode(bytes: Uint8Array, { state }: DecodeContext<State>): Decoded<State> {
  if (bytes.length < MAX_FRAME_BYTES) throw new CodecError('truncated', `${bytes.length} bytes of a packet`);
  if (!state.isLoggedIn) {
    const imei = imeiOf(bytes);
    if (imei === undefined) throw new CodecError('bad-text', 'no IMEI', 0);
    return { state: { isLoggedIn: true }, messages: [{ type: 'login', ids: [imei] }], replies: [] };
  }
  const plain = unshift(bytes);
  const message: Message = plain[SATELLITES_AT] === 0 ? { type: 'heartbeat' } : readPosition(plain);
  return { state, messages: [message], replies: [] };
}
