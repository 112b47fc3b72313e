import { type Transport, Writer } from '#codec';
import { byTransport, lengthPrefixed } from '#codec/framing';

export const MAX_FRAME_BYTES = 4_096;
/** marker, type, length, index */
export const PACKAGE_BYTES = 7;
/** marker, length, checksum, IMEI */
export const DATAGRAM_HEADER = 14;

export const isDatagram = (bytes: Uint8Array): boolean => bytes[0] === 0x45 && bytes[1] === 0x4c;

/** A package on a stream: `gg`, and a length of all behind the length. */
const packages = lengthPrefixed({
  starts: ['gg'],
  head: 5,
  length: { at: 3, bytes: 2, adds: 5 },
  minBytes: PACKAGE_BYTES,
  maxBytes: MAX_FRAME_BYTES,
});

/** A datagram of packages: `EL`, and a length of all behind the length. */
const datagrams = lengthPrefixed({
  starts: ['EL'],
  head: 5,
  length: { at: 2, bytes: 2, adds: 4 },
  minBytes: DATAGRAM_HEADER,
  maxBytes: MAX_FRAME_BYTES,
});

export const frame = byTransport({ tcp: packages, udp: datagrams });

/** Sum of all bytes from `start` on, turned left by one bit before each. */
export function checksum(bytes: Uint8Array, start: number): number {
  let sum = 0;
  for (let at = start; at < bytes.length; at++) sum = ((((sum << 1) | (sum >> 15)) & 0xffff) + bytes[at]!) & 0xffff;
  return sum;
}

/** Of datagrams; packages on a stream carry none. */
export function verify(bytes: Uint8Array): boolean {
  if (!isDatagram(bytes)) return true;
  return bytes.length >= DATAGRAM_HEADER && checksum(bytes, 6) === ((bytes[4]! << 8) | bytes[5]!);
}

/** Around packages for a device that speaks by datagrams. */
export function wrap(content: Uint8Array, deviceId: string): Uint8Array {
  const checked = new Writer(8 + content.length).hex(deviceId.padStart(16, '0')).raw(content).finish();
  return new Writer(6 + checked.length)
    .u16(0x454c)
    .u16(2 + checked.length)
    .u16(checksum(checked, 0))
    .raw(checked)
    .finish();
}

export function encodePackage(type: number, index: number, content: Uint8Array): Uint8Array {
  return new Writer(PACKAGE_BYTES + content.length)
    .u16(0x6767)
    .u8(type)
    .u16(2 + content.length)
    .u16(index)
    .raw(content)
    .finish();
}

const LOGIN = 0x01;

/** Sixteen digits of which the first is 0. */
function isIdentity(bytes: Uint8Array, start: number): boolean {
  if ((bytes[start] ?? 0) >> 4 !== 0) return false;
  for (let at = start; at < start + 8 && at < bytes.length; at++) {
    if ((bytes[at]! & 0x0f) > 9 || bytes[at]! >> 4 > 9) return false;
  }
  return true;
}

/** A login with an IMEI, or a datagram whose checksum is right. */
export function identify(bytes: Uint8Array, transport: Transport): 'yes' | 'no' | 'more' {
  const cut = frame(bytes, { transport, state: undefined, options: {} });
  if (cut.type === 'skip') return 'no';
  if (transport === 'udp') {
    if (cut.type === 'wait') return 'more';
    return verify(bytes.subarray(0, cut.end)) ? 'yes' : 'no';
  }
  if ((bytes[2] ?? LOGIN) !== LOGIN || !isIdentity(bytes, PACKAGE_BYTES)) return 'no';
  return bytes.length < PACKAGE_BYTES + 8 ? 'more' : 'yes';
}
