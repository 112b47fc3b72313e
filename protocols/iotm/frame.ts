import { lengthPrefixed, type Match } from '#codec/framing';
import { sizeOf } from './packets.ts';

export const MAX_FRAME_BYTES = 65_536;
const MIN_PACKET_BYTES = 2;
/** what clients send, with the flags that each type may have (MQTT 3.1.1, 2.2.2) */
const FIRST_BYTES = new Set([
  0x10,
  ...Array.from({ length: 16 }, (_, n) => 0x30 + n),
  0x40,
  0x50,
  0x62,
  0x70,
  0x82,
  0xa2,
  0xc0,
  0xe0,
]);

export const frame = lengthPrefixed({
  head: MIN_PACKET_BYTES,
  length: (bytes) => (FIRST_BYTES.has(bytes[0]!) ? sizeOf(bytes) : undefined),
  minBytes: MIN_PACKET_BYTES,
  maxBytes: MAX_FRAME_BYTES,
});

/** The name of the protocol in a CONNECT, of MQTT 3.1.1 and 3.1. */
const NAMES = ['\0\x04MQTT\x04', '\0\x06MQIsdp\x03'];

export function identify(bytes: Uint8Array): Match {
  if (bytes[0] !== 0x10) return bytes.length === 0 ? 'more' : 'no';
  let at = 1;
  while (at <= 4 && (bytes[at] ?? 0) >= 0x80) at++;
  const found = String.fromCharCode(...bytes.subarray(at + 1, at + 10));
  if (NAMES.some((name) => found.startsWith(name))) return 'yes';
  return NAMES.some((name) => name.startsWith(found)) ? 'more' : 'no';
}
