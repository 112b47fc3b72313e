import { CodecError, type DecodeContext, type Decoded, type Message, Reader, type Reply } from '#codec';
import { readCodec7 } from './codec7.ts';
import {
  CODEC_7,
  CODEC_8,
  CODEC_8_EXTENDED,
  CODEC_16,
  CRC_BYTES,
  DATAGRAM_HEAD_BYTES,
  HEAD_BYTES,
  IDENTITY,
  PING,
} from './codecs.ts';
import { isExchange, readExchange } from './exchange.ts';
import { acknowledge, acknowledgeDatagram, initialState, loginReplies } from './packet.ts';
import { RecordReader } from './records.ts';
import type { State } from './state.ts';

type Context = DecodeContext<State>;

/** A login, a ping, a packet, or a packet in a datagram's wrapper. The length field of a packet is not looked at. */
export function decode(frame: Uint8Array, context: Context): Decoded<State> {
  if (frame[0] === 0 && frame[1] === 0) {
    const end = frame.length - CRC_BYTES;
    const codec = codecAt(frame, HEAD_BYTES, end);
    if (isExchange(codec)) return readExchange(frame, codec, HEAD_BYTES + 1, end, context.state);
    const { state } = context;
    if (state.deviceId === undefined) throw new CodecError('not-identified', 'records before a login', 0);
    const messages = readRecords(frame, codec, HEAD_BYTES, end, context);
    return { state, messages, replies: acknowledge(frame[HEAD_BYTES + 1]!) };
  }
  if (frame.length === 1 && frame[0] === PING)
    return { state: context.state, messages: [{ type: 'heartbeat' }], replies: [] };
  return context.transport === 'udp' ? decodeDatagram(frame, context) : decodeLogin(frame, context);
}

function codecAt(frame: Uint8Array, at: number, end: number): number {
  if (at + 2 > end) throw new CodecError('truncated', 'no codec id and count', at);
  return frame[at]!;
}

/** Records of a packet whose codec id stands at `at`. */
function readRecords(frame: Uint8Array, codec: number, at: number, end: number, { options }: Context): Message[] {
  const count = frame[at + 1]!;
  if (codec === CODEC_8 || codec === CODEC_8_EXTENDED || codec === CODEC_16)
    return new RecordReader(frame, codec, at + 2, end, options).readAll(count);
  if (codec === CODEC_7) return readCodec7(frame, at + 2, end, count);
  throw new CodecError('unknown-type', `codec ${codec.toString(16)}`, at);
}

function decodeLogin(frame: Uint8Array, { state }: Context): Decoded<State> {
  const deviceId = identity(frame, 2, frame.length);
  return {
    state: state.deviceId === deviceId ? state : initialState(deviceId),
    messages: [{ type: 'login', ids: [deviceId] }],
    replies: loginReplies,
  };
}

function identity(frame: Uint8Array, start: number, end: number): string {
  const id = new Reader(frame, start, end).latin1(Math.max(0, end - start));
  if (!IDENTITY.test(id)) throw new CodecError('bad-text', 'no IMEI', start);
  return id;
}

/** Wiki, "UDP channel protocol": the wrapper names the device and takes the place of preamble and CRC. */
function decodeDatagram(frame: Uint8Array, context: Context): Decoded<State> {
  const at = dataOf(frame);
  const codec = codecAt(frame, at, frame.length);
  const deviceId = identity(frame, DATAGRAM_HEAD_BYTES, at);
  const login: Message = { type: 'login', ids: [deviceId] };
  const state = context.state.deviceId === deviceId ? context.state : initialState(deviceId);
  if (isExchange(codec)) {
    const decoded = readExchange(frame, codec, at + 1, frame.length, state);
    return { ...decoded, messages: [login, ...decoded.messages.filter(({ type }) => type !== 'login')] };
  }
  const records = readRecords(frame, codec, at, frame.length, context);
  return { state, messages: [login, ...records], replies: acknowledgeDatagram(frame, frame[at + 1]!) };
}

/** Where a datagram's data begins. */
function dataOf(frame: Uint8Array): number {
  if (frame.length < DATAGRAM_HEAD_BYTES) throw new CodecError('truncated', 'no whole wrapper', 0);
  return DATAGRAM_HEAD_BYTES + ((frame[6]! << 8) | frame[7]!);
}

/**
 * A packet of records that cannot be read, although its CRC is right, would be sent again for ever: it is acknowledged as
 * whole. A datagram has no CRC, so that one that cannot be read may be damaged: it is not accepted.
 */
export function acknowledgeUndecoded(frame: Uint8Array, { state }: Context): readonly Reply[] {
  if (frame[0] !== 0 || frame[1] !== 0) return [];
  const isRecords = frame.length > HEAD_BYTES + 1 + CRC_BYTES && !isExchange(frame[HEAD_BYTES]!);
  return isRecords && state.deviceId !== undefined ? acknowledge(frame[HEAD_BYTES + 1]!) : [];
}
