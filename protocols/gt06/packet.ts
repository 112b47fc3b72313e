import {
  CodecError,
  crc16X25,
  type DecodeContext,
  type DeviceOptions,
  Draft,
  fromZone,
  type Message,
  Reader,
} from '#codec';
import { type ModelSet, modelSetOf, type Variant, variantOf } from './variants.ts';

/** A photo (35, 36) or media file (41) that is on its way. */
export interface Transfer {
  readonly id: number;
  readonly size: number;
  readonly received: number;
  /** media: index of the next packet, size of the first */
  readonly next?: number;
  readonly packet?: number;
}

export interface State {
  readonly deviceId: string | undefined;
  /** the login's zone offset in ms, east positive */
  readonly zoneMs: number;
  readonly photo?: Transfer;
  readonly media?: Transfer;
}

/** serial, checksum and the closing 0D 0A */
export const TRAILER_BYTES = 6;

/**
 * Bytes behind the content of short frames whose size is not what the length says, by the difference: clones without
 * serial and checksum count otherwise, and a frame may have lost its last byte.
 */
const ODD_TRAILERS: Readonly<Record<number, number>> = { [-1]: 2, 1: 5 };

/** One frame on its way through a handler. */
export interface Packet {
  readonly bytes: Uint8Array;
  readonly type: number;
  /** the form with a two-byte length, 79 79 */
  readonly long: boolean;
  /** the length field, which is not to be trusted */
  readonly length: number;
  readonly variant: Variant;
  readonly models: ModelSet;
  readonly options: DeviceOptions;
  /** epoch ms: the gateway's clock */
  readonly now: number;
  /** over the content, from behind the type to the serial */
  readonly reader: Reader;
  readonly draft: Draft;
  /** what comes before the position */
  readonly messages: Message[];
  state: State;
  /** instead of the reply that the table names; empty: none */
  reply: Uint8Array | undefined;
}

export function openPacket(bytes: Uint8Array, context: DecodeContext<State>): Packet {
  const long = !(bytes[0] === 0x78 && bytes[1] === 0x78);
  const head = long ? 5 : 4;
  if (bytes.length < head + 2) throw new CodecError('truncated', 'no frame is so short', bytes.length);
  const type = bytes[head - 1]!;
  const length = long ? (bytes[2]! << 8) | bytes[3]! : bytes[2]!;
  const { options, state, now } = context;
  const trailer = (long ? undefined : ODD_TRAILERS[length + 5 - bytes.length]) ?? TRAILER_BYTES;
  return {
    bytes,
    type,
    long,
    length,
    variant: long ? 'none' : variantOf(bytes, type, length),
    models: modelSetOf(options['model']),
    options,
    now,
    reader: new Reader(bytes, head, Math.max(head, bytes.length - trailer)),
    draft: new Draft(),
    messages: [],
    state,
    reply: undefined,
  };
}

/** The instant of a wall clock reading of the device: its option first, then what its login said, then UTC. */
export function toInstant(packet: Packet, wallClockMs: number): number {
  const zone = packet.options['timezone'];
  if (typeof zone === 'string' && zone !== '') return fromZone(wallClockMs, zone);
  return wallClockMs - packet.state.zoneMs;
}

/** A message of the server: marker, length, type, content, serial, checksum, 0D 0A. */
export function encodeFrame(
  type: number,
  content: Uint8Array,
  serialHigh: number,
  serialLow: number,
  long = false,
): Uint8Array {
  const head = long ? 5 : 4;
  const frame = new Uint8Array(head + content.length + TRAILER_BYTES);
  const length = content.length + 5;
  frame[0] = frame[1] = long ? 0x79 : 0x78;
  if (long) frame[2] = length >> 8;
  frame[head - 2] = length;
  frame[head - 1] = type;
  frame.set(content, head);
  let at = head + content.length;
  frame[at++] = serialHigh;
  frame[at++] = serialLow;
  const crc = crc16X25(frame, 2, at);
  frame[at++] = crc >> 8;
  frame[at++] = crc;
  frame[at++] = 0x0d;
  frame[at] = 0x0a;
  return frame;
}

const NO_CONTENT = new Uint8Array(0);

/** The acknowledgement: type and serial of the frame. The serial is counted from the frame's end. */
export function acknowledge(bytes: Uint8Array, type: number, long = false): Uint8Array {
  const at = bytes.length - TRAILER_BYTES;
  if (long) return encodeFrame(type, NO_CONTENT, bytes[at]!, bytes[at + 1]!, long);
  const reply = Uint8Array.of(0x78, 0x78, 5, type, bytes[at]!, bytes[at + 1]!, 0, 0, 0x0d, 0x0a);
  const crc = crc16X25(reply, 2, 6);
  reply[6] = crc >> 8;
  reply[7] = crc;
  return reply;
}
