import { crc16Arc, type Reply, storedReply, Writer } from '#codec';
import { CRC_BYTES, HEAD_BYTES } from './codecs.ts';
import type { State } from './state.ts';

/** A whole packet around `data` (codec id to second count). */
export function packet(data: Uint8Array): Uint8Array {
  return new Writer(data.length + HEAD_BYTES + CRC_BYTES)
    .u32(0)
    .u32(data.length)
    .raw(data)
    .u32(crc16Arc(data))
    .finish();
}

/** A packet of codec 12, 13 or 14 with one item. */
export function itemPacket(codec: number, type: number, content: Uint8Array): Uint8Array {
  const data = new Writer(content.length + 8).u8(codec).u8(1).u8(type).u32(content.length).raw(content).u8(1);
  return packet(data.finish());
}

/** The 16 digits of an IMEI in codecs 14 and 15, for 8 bytes of BCD: zeros in front. */
export const imeiDigits = (imei: string): string => imei.padStart(16, '0');

/** Acknowledgement of so many records over TCP, by their number: a count is one byte, so there are 256. */
const acknowledgements = Array.from({ length: 256 }, (_, count): readonly Reply[] => [
  storedReply(Uint8Array.of(0, 0, 0, count)),
]);

export const acknowledge = (count: number): readonly Reply[] => acknowledgements[count]!;

/** The UDP form echoes both packet ids of the request (wiki, "UDP channel"). */
export const acknowledgeDatagram = (head: Uint8Array, count: number): readonly Reply[] => [
  storedReply(Uint8Array.of(0, 5, head[2]!, head[3]!, 1, head[5]!, count)),
];

export const loginReplies: readonly Reply[] = [
  storedReply(Uint8Array.of(1)),
  { when: 'refused', bytes: Uint8Array.of(0) },
];

export const initialState = (deviceId?: string): State => ({ deviceId, photo: undefined });
