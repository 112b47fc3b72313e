import { crc16Arc, type Transport, toLatin1, u16At, u32At } from '#codec';
import { areDigits, byTransport, type Framing, lengthPrefixed } from '#codec/framing';
import { CODECS, CRC_BYTES, DATAGRAM_IMEI, HEAD_BYTES, IDENTITY, LIMIT, PING } from './codecs.ts';

export const MAX_FRAME_BYTES = LIMIT.mostDataBytes + HEAD_BYTES + CRC_BYTES;

/** A packet: four zeros, then the length of its data. */
const packetSize = (bytes: Uint8Array): number | undefined => {
  if (bytes.length < HEAD_BYTES) return HEAD_BYTES;
  const length = u32At(bytes, 4);
  const isPacket = bytes[2] === 0 && bytes[3] === 0 && length >= LIMIT.leastDataBytes && length <= LIMIT.mostDataBytes;
  return isPacket ? length + HEAD_BYTES + CRC_BYTES : undefined;
};

/** Of what begins with a length other than zero, its size; 0 for what cannot be. */
const sized = (size: (bytes: Uint8Array, length: number) => number | undefined): Framing =>
  lengthPrefixed({
    head: 2,
    length: (bytes) => {
      const length = u16At(bytes, 0);
      return length === 0 ? packetSize(bytes) : size(bytes, length);
    },
    minBytes: 2,
    maxBytes: MAX_FRAME_BYTES,
  });

const stream = sized((bytes, length) => (isLogin(bytes, length) ? length + 2 : undefined));

/**
 * Over TCP a login or a packet, with pings between them, which say nothing; over UDP a datagram's wrapper, or a packet
 * as over TCP (answers).
 */
export const frame = byTransport({
  tcp: (bytes, context) => (bytes[0] === PING ? { type: 'skip', bytes: 1 } : stream(bytes, context)),
  udp: sized((_, length) => (length + 2 < LIMIT.leastDatagramBytes ? undefined : length + 2)),
});

/** As far as it is there: a login has no checksum, so that its characters must do. */
function isLogin(bytes: Uint8Array, length: number): boolean {
  if (length < LIMIT.shortestId || length > LIMIT.longestId) return false;
  const end = Math.min(bytes.length, length + 2);
  return end === 2 || IDENTITY.test(toLatin1(bytes, 2, end));
}

/** CRC-16/ARC from codec id to second count, in 32 bits. Logins, pings and datagrams carry none. */
export function verify(bytes: Uint8Array): boolean {
  if (bytes[0] !== 0 || bytes[1] !== 0) return true;
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
