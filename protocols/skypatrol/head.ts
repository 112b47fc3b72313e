import { CodecError, type DeviceOptions, type Reader } from '#codec';
import { matchesOpening } from '#codec/framing';

/** Numbers of the device's interfaces: events in text or binary, reports by a mask, and what wakes the way to the server. */
export const API_EVENT = 4;
const API_REPORT = 5;
const API_WAKEUP = 10;
const COMMA = 0x2c;
/** a message from the device */
const REPORT = 2;
const EVENT = 8;
const POSITION = 1;

/** number of the interface, command, size of the optional header */
export const HEAD_BYTES = 4;
/**
 * What the head of an event goes on with: an optional header that begins with the IMEI (its size, then the size and the
 * number of its first part), or the kind and no mask.
 */
const WITH_IMEI: readonly number[] = [23, 17, 1];
const WITHOUT_MASK: readonly number[] = [POSITION << 4, 0];

function startsWith(bytes: Uint8Array, start: readonly number[]): 'yes' | 'no' | 'more' {
  const at = HEAD_BYTES - 1;
  if (start.some((value, index) => (bytes[at + index] ?? value) !== value)) return 'no';
  return bytes.length < at + start.length ? 'more' : 'yes';
}

/** `,0017,0,GT` of a TT8850 */
const startsWithText = (bytes: Uint8Array): 'yes' | 'no' | 'more' =>
  matchesOpening(bytes.subarray(2), /^,[0-9A-F]{4},[01],GT[A-Z]/, 11, '$');

/**
 * API number, report, kind in the upper half of a byte, bytes of the mask: 4, or none. Events are known
 * by what their head goes on with: without that they are those of an Enfora modem.
 */
export function identify(bytes: Uint8Array): 'yes' | 'no' | 'more' {
  const [high, low, command, kind, mask] = bytes;
  if (high === 0 && low === API_EVENT && command === COMMA) return startsWithText(bytes);
  if ((high ?? 0) !== 0 || (command ?? REPORT) !== REPORT) return 'no';
  if (low === API_EVENT || low === API_WAKEUP) {
    const known = startsWith(bytes, WITH_IMEI);
    return known === 'no' ? startsWith(bytes, WITHOUT_MASK) : known;
  }
  if ((low ?? API_REPORT) !== API_REPORT || (kind ?? 16) >> 4 !== POSITION) return 'no';
  if (mask === undefined) return 'more';
  return mask === 4 || mask === 0 ? 'yes' : 'no';
}

/** The message without the length that stands before it on a connection, and in datagrams of some devices. */
export const withoutLength = (frame: Uint8Array): Uint8Array =>
  frame.length > API_WAKEUP && frame[0]! * 256 + frame[1]! === frame.length ? frame.subarray(2) : frame;

/** Whether it is an event, or the message that wakes the way to the server. */
export const isEvent = ([high, low, command]: Uint8Array): boolean =>
  high === 0 && (low === API_EVENT || low === API_WAKEUP) && (command === REPORT || command === EVENT);

/** Where the message proper begins: behind the kind, or the optional header of parts, each of which begins with its size. */
export function bodyStart(frame: Uint8Array): number {
  if (startsWith(frame, WITHOUT_MASK) === 'yes') return HEAD_BYTES + 1;
  const end = HEAD_BYTES + (frame[HEAD_BYTES - 1] ?? 0);
  let at = HEAD_BYTES;
  while (at < end && (frame[at] ?? 0) > 1) at += frame[at]!;
  return at === end ? end : HEAD_BYTES;
}

/** The mask of the fields. Throws CodecError `unknown-type` for a message that is no report of positions. */
export function readMask(reader: Reader, options: DeviceOptions): number {
  const [api, command, kind, maskBytes] = [reader.u16(), reader.u8(), reader.u8() >> 4, reader.u8()];
  if (api !== API_REPORT || command !== REPORT || kind !== POSITION) {
    throw new CodecError('unknown-type', `message ${api}, ${command}, ${kind} is no report`, 0);
  }
  if (maskBytes === 4) return reader.u32();
  const { mask } = options;
  if (typeof mask !== 'number') throw new CodecError('unknown-type', 'a report without a mask', 4);
  reader.skip(maskBytes);
  return mask >>> 0;
}
