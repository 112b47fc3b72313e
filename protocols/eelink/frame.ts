import { type FrameContext, type FrameResult, type Transport, Writer } from '#codec';

export const MAX_FRAME_BYTES = 4_096;
/** marker, type, length, index */
export const PACKAGE_BYTES = 7;
/** marker, length, checksum, IMEI */
export const DATAGRAM_HEADER = 14;

const PACKAGE = 0x67;
export const isDatagram = (bytes: Uint8Array): boolean => bytes[0] === 0x45 && bytes[1] === 0x4c;

const HEADS: Readonly<Record<Transport, readonly [number, number]>> = {
  tcp: [PACKAGE, PACKAGE],
  udp: [0x45, 0x4c],
  http: [PACKAGE, PACKAGE],
};

/** `gg` of a package on a stream, `EL` of a datagram, as far as the bytes go. */
function isHead(bytes: Uint8Array, at: number, [first, second]: readonly [number, number]): boolean {
  return bytes[at] === first && (at + 1 === bytes.length || bytes[at + 1] === second);
}

function nextHead(bytes: Uint8Array, head: readonly [number, number]): number {
  for (let at = 1; at < bytes.length; at++) if (isHead(bytes, at, head)) return at;
  return bytes.length;
}

/** A package, or a datagram of packages, each with a length of all behind the length. */
export function frame(bytes: Uint8Array, { transport }: Pick<FrameContext<unknown>, 'transport'>): FrameResult {
  const head = HEADS[transport];
  if (!isHead(bytes, 0, head)) return { type: 'skip', bytes: nextHead(bytes, head) };
  if (bytes.length < 5) return { type: 'wait', atLeast: 5 };
  const end = isDatagram(bytes) ? 4 + ((bytes[2]! << 8) | bytes[3]!) : 5 + ((bytes[3]! << 8) | bytes[4]!);
  const least = isDatagram(bytes) ? DATAGRAM_HEADER : PACKAGE_BYTES;
  if (end < least || end > MAX_FRAME_BYTES) return { type: 'skip', bytes: nextHead(bytes, head) };
  return bytes.length < end ? { type: 'wait', atLeast: end } : { type: 'frame', start: 0, end };
}

/** Sum of all bytes from `start` on, turned left by one bit before each. */
export function checksum(bytes: Uint8Array, start: number): number {
  let sum = 0;
  for (let at = start; at < bytes.length; at++) sum = ((((sum << 1) | (sum >> 15)) & 0xffff) + bytes[at]!) & 0xffff;
  return sum;
}

/** Of datagrams; packages on a stream carry none. */
export function verify(bytes: Uint8Array, { options }: Pick<FrameContext<unknown>, 'options'>): boolean {
  if (options['lenientChecksum'] === true || !isDatagram(bytes)) return true;
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
  const cut = frame(bytes, { transport });
  if (cut.type === 'skip') return 'no';
  if (transport === 'udp') {
    if (cut.type === 'wait') return 'more';
    return verify(bytes.subarray(0, cut.end), { options: {} }) ? 'yes' : 'no';
  }
  if ((bytes[2] ?? LOGIN) !== LOGIN || !isIdentity(bytes, PACKAGE_BYTES)) return 'no';
  return bytes.length < PACKAGE_BYTES + 8 ? 'more' : 'yes';
}
