import { crc16Modbus, trailingCrc16 } from '#codec';
import { lengthPrefixed, NO_CONTEXT } from '#codec/framing';
import { ELEMENTS } from './elements.ts';

/** header, 15 bits of length, checksum */
export const MAX_FRAME_BYTES = 32_767 + 5;
const MAX_HEADER = 0x3f;
/** what the satellite service lets through, and a little more */
const MAX_SATELLITE_BYTES = 2_048;

/** Header 01, a length in big endian, and the first element of a satellite message: 01, 28 bytes long. */
export const isSatellite = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x01 && bytes[3] === 0x01 && bytes[4] === 0x00 && bytes[5] === 0x1c;

/** There is no marker: what cannot be a header ends the stream. */
export const frame = lengthPrefixed({ head: 1, length: sizeOf, minBytes: 5, maxBytes: MAX_FRAME_BYTES });

function sizeOf(bytes: Uint8Array): number | undefined {
  const header = bytes[0]!;
  if (header === 0 || header > MAX_HEADER) return undefined;
  if (bytes.length < 5) return 5;
  const size = ((bytes[1]! | (bytes[2]! << 8)) & 0x7fff) + 5;
  // A packet without tags is shorter than the bytes that identify a satellite message.
  if (bytes.length === 5) return size === 5 ? 5 : 6;
  if (!isSatellite(bytes)) return size;
  const satellite = ((bytes[1]! << 8) | bytes[2]!) + 3;
  return satellite > MAX_SATELLITE_BYTES ? undefined : Math.max(satellite, 6);
}

/** CRC-16/MODBUS of all before it. Satellite messages have none of their own. */
const isIntact = trailingCrc16(crc16Modbus, 'little', { minBytes: 5 });
export const verify = (bytes: Uint8Array): boolean => isSatellite(bytes) || isIntact(bytes);

const TAGS = 0x01;
const IMEI_AT = 10;
/** the element of the satellite's own place: other devices send without it */
const PLACE_AT = 34;

const IMEI = 0x03;
const TIME = 0x20;

/** The same packets with other elements behind their IMEI: a time, where these devices have a number of their own. */
const isDialect = (bytes: Uint8Array): boolean => bytes[3] === IMEI && bytes[19] === TIME;

/** By a known first tag, then by the checksum; a satellite message by the digits of its IMEI. */
export function identify(bytes: Uint8Array): 'yes' | 'no' | 'more' {
  if (bytes[0] !== TAGS) return 'no';
  if (bytes.length < 6) return bytes.length > 3 && ELEMENTS[bytes[3]!] === undefined ? 'no' : 'more';
  if (isSatellite(bytes)) {
    if (!bytes.subarray(IMEI_AT, IMEI_AT + 15).every((c) => c >= 0x30 && c <= 0x39)) return 'no';
    if (bytes.length < PLACE_AT + 3) return 'more';
    return bytes[PLACE_AT] === 0x03 && bytes[PLACE_AT + 2] === 0x0b ? 'yes' : 'no';
  }
  const cut = frame(bytes, NO_CONTEXT);
  if (ELEMENTS[bytes[3]!] === undefined || isDialect(bytes)) return 'no';
  if (cut.type === 'wait') return 'more';
  return verify(bytes.subarray(0, (cut as { end: number }).end)) ? 'yes' : 'no';
}
