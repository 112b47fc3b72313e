import { CodecError, crc16X25, type DecodeContext, type DeviceOptions, Draft, type Message, Reader } from '#codec';
import { isScan } from './scan.ts';
import { modelSetOf, variantOf } from './variant-of.ts';
import { type ModelSet, SHOWN_BY, type Variant } from './variants.ts';

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
  /** of the device's clock, where its login is to be believed */
  readonly zone: string;
  /** of the device, where its messages have shown it */
  readonly models?: ModelSet;
  readonly photo?: Transfer;
  readonly media?: Transfer;
}

export const initialState = (deviceId?: string): State => ({ deviceId, zone: 'UTC' });

const LOCATION = 0x12;
/** serial, checksum and the closing 0D 0A */
export const TRAILER_BYTES = 6;

/**
 * Bytes behind the content of short frames whose size is not what the length says, by the difference: clones without
 * serial and checksum count otherwise, and a frame may have lost its last byte.
 */
const ODD_TRAILERS: Readonly<Record<number, number>> = { [-1]: 2, 1: 5 };

function trailerOf(bytes: Uint8Array, length: number): number {
  if (isScan(bytes)) return 2;
  return ODD_TRAILERS[length + 5 - bytes.length] ?? TRAILER_BYTES;
}

/** One frame on its way through its layout, and the position that comes of it. */
export class Packet extends Draft {
  readonly bytes: Uint8Array;
  readonly type: number;
  /** the form with a two-byte length, 79 79 */
  readonly long: boolean;
  /** the length field, which is not to be trusted */
  readonly length: number;
  readonly variant: Variant;
  readonly models: ModelSet;
  readonly options: DeviceOptions;
  /** of the device's clock: its option first, then what its login said, then UTC */
  readonly zone: string;
  /** epoch ms: the gateway's clock */
  readonly now: number;
  /** over the content, from behind the type to the serial */
  readonly reader: Reader;
  /** what comes before the position */
  readonly messages: Message[] = [];
  state: State;
  /** instead of the reply that the table names */
  reply: Uint8Array | undefined = undefined;

  constructor(bytes: Uint8Array, { options, state, now }: DecodeContext<State>) {
    super();
    const long = !(bytes[0] === 0x78 && bytes[1] === 0x78);
    const head = long ? 5 : 4;
    if (bytes.length < head + 2) throw new CodecError('truncated', 'no frame is so short', bytes.length);
    this.bytes = bytes;
    this.long = long;
    this.type = bytes[head - 1]!;
    this.length = long ? (bytes[2]! << 8) | bytes[3]! : bytes[2]!;
    this.variant = long ? 'none' : variantOf(bytes, this.type, this.length);
    const shown = (this.type === LOCATION ? SHOWN_BY[this.variant] : undefined) ?? state.models;
    const named = modelSetOf(options['model']);
    this.models = named === 'none' ? (shown ?? 'none') : named;
    this.options = options;
    const zone = options['timezone'];
    this.zone = typeof zone === 'string' && zone !== '' ? zone : state.zone;
    this.now = now;
    const trailer = long ? TRAILER_BYTES : trailerOf(bytes, this.length);
    this.reader = new Reader(bytes, head, Math.max(head, bytes.length - trailer));
    this.state = shown === state.models ? state : { ...state, models: shown! };
  }
}

/** A message of the server: marker, length, type, content, serial, checksum, 0D 0A. */
export function encodeFrame(type: number, content: Uint8Array, serial = 0, long = false): Uint8Array {
  const head = long ? 5 : 4;
  const frame = new Uint8Array(head + content.length + TRAILER_BYTES);
  const length = content.length + 5;
  frame[0] = frame[1] = long ? 0x79 : 0x78;
  if (long) frame[2] = length >> 8;
  frame[head - 2] = length;
  frame[head - 1] = type;
  frame.set(content, head);
  let at = head + content.length;
  frame[at++] = serial >> 8;
  frame[at++] = serial;
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
  return encodeFrame(type, NO_CONTENT, (bytes[at]! << 8) | bytes[at + 1]!, long);
}
