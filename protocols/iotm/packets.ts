import { CodecError, Reader, Writer } from '#codec';

/** MQTT 3.1.1, 2.2.1: the upper four bits of the first byte. */
export const CONNECT = 1;
export const PUBLISH = 3;
export const PUBACK = 4;
export const PUBREL = 6;
export const SUBSCRIBE = 8;
export const PINGREQ = 12;

const MAX_LENGTH_BYTES = 4;

/** MQTT 3.1.1, 2.2.3: seven bits a byte, the lowest first; the size of the whole packet, or undefined if it has none. */
export function sizeOf(bytes: Uint8Array): number | undefined {
  let length = 0;
  for (let at = 1; at <= MAX_LENGTH_BYTES; at++) {
    const byte = bytes[at];
    if (byte === undefined) return at + 1;
    length += (byte & 0x7f) * 2 ** (7 * (at - 1));
    if (byte < 0x80) return at + 1 + length;
  }
  return undefined;
}

/** What stands behind type and length. */
export function contentOf(packet: Uint8Array): Reader {
  let at = 1;
  while (packet[at]! >= 0x80) at++;
  return new Reader(packet, at + 1);
}

export function packet(first: number, content: Uint8Array): Uint8Array {
  const writer = new Writer().u8(first);
  let length = content.length;
  for (; length >= 0x80; length >>>= 7) writer.u8((length & 0x7f) | 0x80);
  return writer.u8(length).raw(content).finish();
}

export const readText = (reader: Reader): string => reader.utf8(reader.u16());
export const text = (value: string): Uint8Array => new Writer().u16(value.length).latin1(value).finish();

export interface Publication {
  readonly qos: number;
  /** of a packet that is to be acknowledged */
  readonly packetId: number | undefined;
  readonly payload: Reader;
}

/** MQTT 3.1.1, 3.3. */
export function readPublication(frame: Uint8Array): Publication {
  const reader = contentOf(frame);
  const qos = (frame[0]! >> 1) & 3;
  if (qos === 3) throw new CodecError('bad-value', 'quality of service 3', 0);
  reader.skip(reader.u16());
  return { qos, packetId: qos === 0 ? undefined : reader.u16(), payload: reader.slice(reader.remaining) };
}

export function publication(topic: string, packetId: number, payload: Uint8Array): Uint8Array {
  return packet(0x32, new Writer().raw(text(topic)).u16(packetId).raw(payload).finish());
}

/** Sum of all bytes, behind them. */
export function withSum(payload: Uint8Array): Uint8Array {
  const sum = payload.reduce((total, byte) => (total + byte) & 0xff, 0);
  return Uint8Array.of(...payload, sum);
}
