import {
  CodecError,
  crc16Arc,
  type FrameContext,
  type FrameResult,
  type Transport,
  toLatin1,
  u16At,
  u32At,
} from '#codec';
import { areDigits } from '#codec/framing';
import { CODECS, CRC_BYTES, DATAGRAM_IMEI, HEAD_BYTES, IDENTITY, LIMIT, PING } from './codecs.ts';
import type { State } from './state.ts';

export const MAX_FRAME_BYTES = LIMIT.mostDataBytes + HEAD_BYTES + CRC_BYTES;

const WAIT_HEAD: FrameResult = { type: 'wait', atLeast: HEAD_BYTES };
const WAIT_LENGTH: FrameResult = { type: 'wait', atLeast: 2 };

/**
 * Over TCP a login or a packet, with pings between them, which say nothing; over UDP a datagram's wrapper, or a packet
 * as over TCP (answers).
 */
export function frame(bytes: Uint8Array, { transport }: FrameContext<State>): FrameResult {
  if (transport === 'tcp' && bytes[0] === PING) return { type: 'skip', bytes: 1 };
  if (bytes.length < 2) return WAIT_LENGTH;
  const length = u16At(bytes, 0);
  if (length === 0) return cutPacket(bytes);
  if (transport === 'tcp' ? !isLogin(bytes, length) : length + 2 < LIMIT.leastDatagramBytes) {
    throw new CodecError('stream-lost', `neither login nor packet: length ${length}`, 0);
  }
  return cutAt(bytes, length + 2);
}

/** As far as it is there: a login has no checksum, so that its characters must do. */
function isLogin(bytes: Uint8Array, length: number): boolean {
  if (length < LIMIT.shortestId || length > LIMIT.longestId) return false;
  const end = Math.min(bytes.length, length + 2);
  return end === 2 || IDENTITY.test(toLatin1(bytes, 2, end));
}

function cutPacket(bytes: Uint8Array): FrameResult {
  if (bytes.length < HEAD_BYTES) return WAIT_HEAD;
  const length = u32At(bytes, 4);
  if (bytes[2] !== 0 || bytes[3] !== 0 || length < LIMIT.leastDataBytes || length > LIMIT.mostDataBytes) {
    throw new CodecError('stream-lost', `no packet: length ${length}`, 0);
  }
  return cutAt(bytes, length + HEAD_BYTES + CRC_BYTES);
}

const cutAt = (bytes: Uint8Array, end: number): FrameResult =>
  bytes.length < end ? { type: 'wait', atLeast: end } : { type: 'frame', start: 0, end };

/** CRC-16/ARC from codec id to second count, in 32 bits. Logins, pings and datagrams carry none. */
export function verify(bytes: Uint8Array, { options }: FrameContext<State>): boolean {
  if (bytes[0] !== 0 || bytes[1] !== 0 || options['lenientChecksum'] === true) return true;
  const end = bytes.length - CRC_BYTES;
  return crc16Arc(bytes, HEAD_BYTES, end) === u32At(bytes, end);
}

/** A login with its digits, a packet of a known codec, or a datagram's wrapper around an IMEI. */
export function identify(bytes: Uint8Array, transport: Transport): 'yes' | 'no' | 'more' {
  if (bytes.length < 2) return bytes[0] === undefined || bytes[0] === 0 || transport === 'udp' ? 'more' : 'no';
  const length = u16At(bytes, 0);
  if (length === 0) return identifyPacket(bytes);
  if (transport === 'tcp') return identifyImei(bytes, 0);
  if (length < LIMIT.leastDatagramBytes || length + 2 < bytes.length) return 'no';
  if (length + 2 > bytes.length) return 'more';
  return bytes[4] === 1 && identifyImei(bytes, DATAGRAM_IMEI) === 'yes' ? 'yes' : 'no';
}

/** u16 length, 14 to 17, and so many digits. */
function identifyImei(bytes: Uint8Array, at: number): 'yes' | 'no' | 'more' {
  const length = u16At(bytes, at);
  if (length < 14 || length > 17) return 'no';
  return areDigits(bytes, at + 2, at + 2 + length);
}

function identifyPacket(bytes: Uint8Array): 'yes' | 'no' | 'more' {
  if (bytes.subarray(2, 6).some((byte) => byte !== 0)) return 'no';
  if (bytes.length < 10) return 'more';
  const length = u16At(bytes, 6);
  return length >= LIMIT.leastDataBytes && CODECS.has(bytes[8]!) ? 'yes' : 'no';
}
