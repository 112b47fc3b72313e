import { CodecError, type Cut, crc16Arc, type FrameContext, type Transport } from '#codec';
import { CRC_BYTES, HEAD_BYTES } from './packet.ts';
import type { State } from './state.ts';

/** Vendor: 1,280 bytes for records; photos and long answers are larger. */
const MOST_DATA_BYTES = 65_536;
/** codec id and both counts */
const LEAST_DATA_BYTES = 3;
export const MAX_FRAME_BYTES = MOST_DATA_BYTES + HEAD_BYTES + CRC_BYTES;

export const PING = 0xff;
/** An IMEI has 14 to 17 digits; other ids are let in. */
const SHORTEST_ID = 8;
const LONGEST_ID = 64;
/** length, packet ids, IMEI length, codec id and both counts around an IMEI of one digit */
const LEAST_DATAGRAM_BYTES = 12;

const WAIT_HEAD: Cut = { type: 'wait', atLeast: HEAD_BYTES };
const WAIT_LENGTH: Cut = { type: 'wait', atLeast: 2 };

/**
 * Over TCP a login or a packet, with pings between them, which say nothing; over UDP a datagram's wrapper, or a packet
 * as over TCP (answers).
 */
export function frame(bytes: Uint8Array, { transport }: FrameContext<State>): Cut {
  if (transport === 'tcp' && bytes[0] === PING) return { type: 'skip', bytes: 1 };
  if (bytes.length < 2) return WAIT_LENGTH;
  const length = (bytes[0]! << 8) | bytes[1]!;
  if (length === 0) return cutPacket(bytes);
  if (transport === 'tcp' ? !isLogin(bytes, length) : length + 2 < LEAST_DATAGRAM_BYTES) {
    throw new CodecError('stream-lost', `neither login nor packet: length ${length}`, 0);
  }
  return cutAt(bytes, length + 2);
}

/** As far as it is there: a login has no checksum, so that its characters must do. */
function isLogin(bytes: Uint8Array, length: number): boolean {
  if (length < SHORTEST_ID || length > LONGEST_ID) return false;
  const end = Math.min(bytes.length, length + 2);
  for (let at = 2; at < end; at++) if (!isIdentity(bytes[at]!)) return false;
  return true;
}

/** Of A-Z, a-z, 0-9 and `._:-`. */
export const isIdentity = (byte: number): boolean =>
  (byte >= 0x2d && byte <= 0x3a && byte !== 0x2f) ||
  (byte >= 0x41 && byte <= 0x5a) ||
  byte === 0x5f ||
  (byte >= 0x61 && byte <= 0x7a);

function cutPacket(bytes: Uint8Array): Cut {
  if (bytes.length < HEAD_BYTES) return WAIT_HEAD;
  const length = ((bytes[4]! << 24) | (bytes[5]! << 16) | (bytes[6]! << 8) | bytes[7]!) >>> 0;
  if (bytes[2] !== 0 || bytes[3] !== 0 || length < LEAST_DATA_BYTES || length > MOST_DATA_BYTES) {
    throw new CodecError('stream-lost', `no packet: length ${length}`, 0);
  }
  return cutAt(bytes, length + HEAD_BYTES + CRC_BYTES);
}

const cutAt = (bytes: Uint8Array, end: number): Cut =>
  bytes.length < end ? { type: 'wait', atLeast: end } : { type: 'frame', start: 0, end };

/** CRC-16/ARC from codec id to second count, in 32 bits. Logins, pings and datagrams carry none. */
export function verify(bytes: Uint8Array, { options }: FrameContext<State>): boolean {
  if (bytes[0] !== 0 || bytes[1] !== 0 || options['lenientChecksum'] === true) return true;
  const end = bytes.length - CRC_BYTES;
  const low = (bytes[end + 2]! << 8) | bytes[end + 3]!;
  return bytes[end] === 0 && bytes[end + 1] === 0 && crc16Arc(bytes, HEAD_BYTES, end) === low;
}

const CODECS = new Set([0x07, 0x08, 0x8e, 0x10, 0x0c, 0x0d, 0x0e, 0x0f]);
/** Where the IMEI's length stands in a datagram. */
const DATAGRAM_IMEI = 6;

/** A login with its digits, a packet of a known codec, or a datagram's wrapper around an IMEI. */
export function identify(bytes: Uint8Array, transport: Transport): 'yes' | 'no' | 'more' {
  if (bytes.length < 2) return bytes[0] === undefined || bytes[0] === 0 || transport === 'udp' ? 'more' : 'no';
  const length = (bytes[0]! << 8) | bytes[1]!;
  if (length === 0) return identifyPacket(bytes);
  if (transport === 'tcp') return identifyImei(bytes, 0);
  if (length < LEAST_DATAGRAM_BYTES || length + 2 < bytes.length) return 'no';
  if (length + 2 > bytes.length) return 'more';
  return bytes[4] === 1 && identifyImei(bytes, DATAGRAM_IMEI) === 'yes' ? 'yes' : 'no';
}

/** u16 length, 14 to 17, and so many digits. */
function identifyImei(bytes: Uint8Array, at: number): 'yes' | 'no' | 'more' {
  const length = (bytes[at]! << 8) | bytes[at + 1]!;
  if (length < 14 || length > 17) return 'no';
  const end = at + 2 + length;
  for (let digit = at + 2; digit < end; digit++) {
    if (digit >= bytes.length) return 'more';
    if (bytes[digit]! < 0x30 || bytes[digit]! > 0x39) return 'no';
  }
  return 'yes';
}

function identifyPacket(bytes: Uint8Array): 'yes' | 'no' | 'more' {
  for (let at = 2; at < 6; at++) {
    if (at >= bytes.length) return 'more';
    if (bytes[at] !== 0) return 'no';
  }
  if (bytes.length < 10) return 'more';
  const length = (bytes[6]! << 8) | bytes[7]!;
  return length >= LEAST_DATA_BYTES && CODECS.has(bytes[8]!) ? 'yes' : 'no';
}
